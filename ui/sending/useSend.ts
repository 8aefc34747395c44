import type { ChannelKind } from '#api/contract/channels';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { reportError } from '../api/errors.ts';
import type { Toast } from '../feedback/Toasts.tsx';
import { useToast } from '../feedback/Toasts.tsx';
import { useWork } from './Work.tsx';
import { useApi, useInvalidate } from '../api/ApiProvider.tsx';
import { isUnexpected, sentence } from '../api/failure.ts';
import type { Commands } from '../api/questions.ts';
import type { Sending } from './sending.ts';

/** Sends a command under an idempotency key (ui/api/client.ts). Throws `ApiRefusal`, which has a sentence for the user, or `Unreachable`. */
export type SendCommand = <Name extends keyof Commands>(
  name: Name,
  input: Commands[Name]['input'] | ((key: string) => Commands[Name]['input']),
) => Promise<Commands[Name]['result']>;

/** Takes an act back. Resolves to the notice that says so, or to anything else: the page shows it. */
type Back = (command: SendCommand) => Promise<unknown>;

type Invalidates = readonly ChannelKind[] | 'everything';

type Telling<Input, Answer> = {
  /** What it changes: the kinds of live channels whose queries are stale afterwards. */
  readonly invalidates?: Invalidates | ((input: Input) => Invalidates);
  /** It changes so much that the page asks for the result instead of waiting for the live connection (`useInvalidate`). */
  readonly isLarge?: (input: Input) => boolean;
  /** Shown in the frame while it runs: 'Storing 30 totals'. Meanwhile, leaving the page asks first. */
  readonly work?: (input: Input) => string;
  /** The notice once it is done, what stands beneath, and how it looks if not good; undefined: none. */
  readonly notice?: (answer: Answer, input: Input) => string | (Pick<Toast, 'tone' | 'more'> & { readonly text: string }) | undefined;
  /** Offered as Undo by the notice; undefined: there is nothing to take back. */
  readonly undo?: (answer: Answer, input: Input) => Back | undefined;
  readonly onDone?: (answer: Answer, input: Input) => void;
  readonly onFailed?: (error: unknown, input: Input) => unknown;
  /** The caller shows `error` in its place, instead of a notice at the foot of the page. */
  readonly showsError?: boolean;
};

type Act<Input, Answer> = Telling<Input, Answer> & { readonly act: (input: Input, command: SendCommand) => Promise<Answer> };

/**
 * The one way to send: whatever changes something on the server, and whatever a button waits for. It is pending until what it changed has
 * been fetched again; its notice and `onDone` come as soon as the server has answered, even if the component is gone by then.
 */
export const useSend = <Input, Answer>(options: Act<Input, Answer>): Sending<Input, Answer> => {
  const { act, invalidates, isLarge, work, notice, undo, onDone, onFailed, showsError = false } = options;
  const client = useQueryClient();
  const invalidate = useInvalidate();
  const toast = useToast();
  const run = useWork();
  const command = useCommands();
  const refetch = async (input: Input) => {
    const kinds = typeof invalidates === 'function' ? invalidates(input) : invalidates;
    if (kinds === 'everything') await client.invalidateQueries();
    else if (kinds) await invalidate(kinds, isLarge?.(input));
  };
  const showFailure = (error: unknown) => toast({ tone: 'bad', text: sentence(error) });
  const takeBack = async (back: Back, input: Input) => {
    try {
      const text = await back(command);
      if (typeof text === 'string') toast({ tone: 'good', text });
    } catch (error) {
      showFailure(error);
    }
    await refetch(input);
  };
  const { mutateAsync, isPending, variables, data, error, reset } = useMutation<Answer, unknown, Input>({
    mutationFn: (input) => (work ? run({ label: work(input) }, () => act(input, command)) : act(input, command)),
    onSuccess: (answer, input) => {
      const text = notice?.(answer, input);
      const back = undo?.(answer, input);
      const action: Toast['action'] = back && { label: 'Undo', run: () => void takeBack(back, input) };
      if (text !== undefined) toast({ tone: 'good', ...(typeof text === 'string' ? { text } : text), ...(action && { action }) });
      onDone?.(answer, input);
      return refetch(input);
    },
    onError: (failure, input) => {
      // Refusals are planned for; the client has reported the server's own failures, which are not told twice.
      if (isUnexpected(failure)) reportError(failure);
      if (!showsError) showFailure(failure);
      return onFailed?.(failure, input);
    },
  });
  const send = useCallback(
    (input: Input) =>
      mutateAsync(input).then(
        () => true,
        () => false,
      ),
    [mutateAsync],
  );
  return { send, request: mutateAsync, pending: isPending, input: variables, answer: data, error: error ?? undefined, forget: reset };
};

type CommandOptions<Name extends keyof Commands, Input> = Telling<Input, Commands[Name]['result']> & {
  /** The command's input, from what the page asks for; `key`: the key of this act. */
  readonly input: (request: Input, key: string) => Commands[Name]['input'];
};

/** `useSend` for one command. It makes everything stale, unless `invalidates` says less. */
export const useCommand = <Name extends keyof Commands, Input = void>(
  name: Name,
  { input, invalidates = 'everything', ...telling }: CommandOptions<Name, Input>,
): Sending<Input, Commands[Name]['result']> =>
  useSend<Input, Commands[Name]['result']>({
    ...telling,
    invalidates,
    act: (request, command) => command(name, (key) => input(request, key)),
  });

/** For acts of several commands, inside `useSend`. */
const useCommands = (): SendCommand => {
  const api = useApi();
  return useCallback(async (name, input) => (await api.command(name, input)).result, [api]);
};
