import { useEffect, useState } from 'react';
import { useApi, useRetrying } from '../api/ApiProvider.tsx';
import { useSend } from '../sending/useSend.ts';
import { PAUSE_ELSEWHERE } from '../drafts/draft-autosave.ts';
import type { Send } from '../drafts/outbox.ts';
import { useSeen } from '../drafts/useDraftStore.ts';
import { enterMarks, troublesIn } from './enter-marks.ts';
import type { MarksBatch, MarksInput } from './mark-drafts.ts';
import { openMarkDrafts } from './mark-drafts.ts';
import { useMarkAutosave } from './useMarkAutosave.ts';

/** Sends the marks that wait on this device from a page that enters none. Totals wait for their author, and so does what is refused. */
export const SendWaiting = ({ accountId }: { readonly accountId: string }) => {
  const api = useApi();
  const retrying = useRetrying();
  const [drafts] = useState(() => openMarkDrafts(accountId));
  const { isOpen } = useSeen(drafts);
  const { request } = useSend({
    act: async (batch: MarksBatch) => troublesIn(batch, await enterMarks(api, batch)),
    invalidates: ['marks'],
    showsError: true,
  });
  const send: Send<string, MarksInput> = (batch) => request(batch);
  useEffect(() => drafts.open(), [drafts]);
  useEffect(() => {
    if (isOpen) drafts.resume(send);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when what is kept has been read
  }, [isOpen]);
  useEffect(() => drafts.offline(retrying !== undefined), [drafts, retrying]);
  useMarkAutosave(drafts, { send, pause: PAUSE_ELSEWHERE });
  return null;
};
