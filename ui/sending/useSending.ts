import { useRef, useState } from 'react';
import type { Sending } from './sending.ts';

type Act<Input, Answer> = {
  readonly act: (input: Input) => Promise<Answer>;
  readonly onDone?: (answer: Answer, input: Input) => void;
  readonly onFailed?: (error: unknown, input: Input) => void;
};

type State<Input, Answer> = Pick<Sending<Input, Answer>, 'pending' | 'input' | 'answer' | 'error'>;

/** The light core of sending, for pages before the log-in: nothing else to fetch again, no notices, errors in their place. Elsewhere: `useSend`. */
export const useSending = <Input, Answer>({ act, onDone, onFailed }: Act<Input, Answer>): Sending<Input, Answer> => {
  const [state, setState] = useState<State<Input, Answer>>(IDLE);
  const last = useRef(0);
  const request = async (input: Input): Promise<Answer> => {
    const number = ++last.current;
    /** Only what was sent last is shown. */
    const show = (end: Partial<State<Input, Answer>>) => {
      if (number === last.current) setState({ ...IDLE, input, ...end });
    };
    show({ pending: true });
    try {
      const answer = await act(input);
      onDone?.(answer, input);
      show({ answer });
      return answer;
    } catch (error) {
      onFailed?.(error, input);
      show({ error });
      throw error;
    }
  };
  return {
    ...state,
    request,
    send: (input) =>
      request(input).then(
        () => true,
        () => false,
      ),
    forget: () => setState(IDLE),
  };
};

const IDLE = { pending: false, input: undefined, answer: undefined, error: undefined } as const;
