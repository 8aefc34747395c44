import { useEffect, useState } from 'react';
import { useApi, useWaiting } from '../api/ApiProvider.tsx';
import { useSend } from '../sending/useSend.ts';
import { PAUSE_ELSEWHERE } from '../drafts/draft-autosave.ts';
import type { Batch } from '../drafts/drafts.ts';
import type { Send } from '../drafts/store.ts';
import { useSeen } from '../drafts/useDraftStore.ts';
import { enterMarks, troublesIn } from './enter-marks.ts';
import type { Save } from './mark-drafts.ts';
import { openTyped } from './mark-drafts.ts';
import { useAutosave } from './useAutosave.ts';

/** Sends the marks that wait on this device from a page that enters none. Totals wait for their author, and so does what is refused. */
export const SendWaiting = ({ accountId }: { readonly accountId: string }) => {
  const api = useApi();
  const waiting = useWaiting();
  const [typed] = useState(() => openTyped(accountId));
  const { isOpen } = useSeen(typed);
  const { request } = useSend({
    act: async (batch: Batch<string, Save>) => troublesIn(batch, await enterMarks(api, batch)),
    invalidates: ['marks'],
    showsError: true,
  });
  const send: Send<string, Save> = (batch) => request(batch);
  useEffect(() => typed.open(), [typed]);
  useEffect(() => {
    if (isOpen) typed.resume(send);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when what is kept has been read
  }, [isOpen]);
  useEffect(() => typed.offline(waiting !== undefined), [typed, waiting]);
  useAutosave(typed, { send, pause: PAUSE_ELSEWHERE });
  return null;
};
