import type { ReactNode } from 'react';
import { createContext, use, useEffect, useState } from 'react';
import { useApi, useWaiting } from '../../ui/api/ApiProvider.tsx';
import { useSend } from '../../ui/api/useSend.ts';
import type { Batch } from '../../ui/drafts/drafts.ts';
import type { Send, Trouble } from '../../ui/drafts/store.ts';
import { useSeen } from '../../ui/drafts/useDraftStore.ts';
import { useSession } from '../../ui/session/Session.tsx';
import { useUnsaved } from '../../ui/session/unsaved.ts';
import { counted } from '../format.ts';
import { takeOldQueue } from './old-queue.ts';
import type { Save, Typed } from './queue.ts';
import { openTyped, totalIn } from './queue.ts';

type Typing = { readonly typed: Typed; readonly send: Send<string, Save> };
const TypingContext = createContext<Typing | undefined>(undefined);

/** Sends typed totals independently of the open form: an unfinished save continues after the form is closed or the page reloaded. */
export const TypingProvider = ({ children }: { readonly children: ReactNode }) => {
  const { accountId } = useSession().me;
  const [typed] = useState(() => openTyped(accountId));
  const send = useSendMarks();
  const seen = useSeen(typed);
  const waiting = useWaiting();
  useEffect(() => typed.open(), [typed]);
  useEffect(() => {
    if (!seen.isOpen) return;
    const old = takeOldQueue(sessionStorage, accountId);
    if (old) void typed.adopt(old).then(() => typed.resume(send));
    else typed.resume(send);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when what is kept has been read
  }, [seen.isOpen]);
  useEffect(() => typed.offline(waiting !== undefined), [typed, waiting]);
  // What the browser does not keep is lost with the page.
  useUnsaved(!seen.isKept && Object.keys(seen.drafts).length > 0);
  return <TypingContext value={{ typed, send }}>{children}</TypingContext>;
};

export const useTyping = (): Typing => {
  const typing = use(TypingContext);
  if (!typing) throw new Error('There is no TypingProvider above this component.');
  return typing;
};

/** Everything that is typed and not stored yet. */
export const useTyped = () => useSeen(useTyping().typed);

const useSendMarks = (): Send<string, Save> => {
  const api = useApi();
  const { request } = useSend({
    work: ({ input }: Batch<string, Save>) => `Storing ${counted(input.cells.length, 'total')}`,
    act: async ({ id, input }) => (await api.command('EnterMarks', input, { key: id })).result,
    moves: ['marks'],
    showsError: true,
  });
  return async (batch) => {
    const { refused } = await request(batch);
    const reasons = new Map(refused.map(({ studentId, message }) => [studentId, message]));
    return Object.fromEntries(
      Object.keys(batch.values).flatMap((key): (readonly [string, Trouble])[] => {
        const reason = reasons.get(totalIn(key)?.studentId ?? '');
        return reason === undefined ? [] : [[key, { kind: 'refused', reason }]];
      }),
    );
  };
};
