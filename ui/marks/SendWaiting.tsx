import { useState } from 'react';
import { useApi } from '../api/ApiProvider.tsx';
import { useSend } from '../sending/useSend.ts';
import { PAUSE_ELSEWHERE } from '../drafts/draft-autosave.ts';
import type { Send } from '../drafts/outbox.ts';
import { useKeptDrafts } from '../drafts/useDraftStore.ts';
import { enterMarks, troublesIn } from './enter-marks.ts';
import type { MarksBatch, MarksInput } from './mark-drafts.ts';
import { openMarkDrafts } from './mark-drafts.ts';
import { useMarkAutosave } from './useMarkAutosave.ts';

/** Sends the marks that wait on this device from a page that enters none. Totals wait for their author, and so does what is refused. */
export const SendWaiting = ({ accountId }: { readonly accountId: string }) => {
  const api = useApi();
  const [drafts] = useState(() => openMarkDrafts(accountId));
  const { request } = useSend({
    act: async (batch: MarksBatch) => troublesIn(batch, await enterMarks(api, batch)),
    invalidates: ['marks'],
    showsError: true,
  });
  const send: Send<string, MarksInput> = (batch) => request(batch);
  useKeptDrafts(drafts, send);
  useMarkAutosave(drafts, { send, pause: PAUSE_ELSEWHERE });
  return null;
};
