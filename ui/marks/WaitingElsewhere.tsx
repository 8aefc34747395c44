import { readsOnly } from '../roles.ts';
import { useEffect, useState } from 'react';
import { useApi } from '../api/ApiProvider.tsx';
import { buttonClass } from '../controls/Button.tsx';
import { Notice } from '../feedback/Notice.tsx';
import { AppLink } from '../frame/navigation.tsx';
import { useSession } from '../session/Session.tsx';
import { useSend } from '../sending/useSend.ts';
import { PAUSE_ELSEWHERE } from '../drafts/draft-autosave.ts';
import { followDrafts, waitingDrafts } from '../drafts/indexeddb-storage.ts';
import type { Send } from '../drafts/outbox.ts';
import { useKeptDrafts } from '../drafts/useDraftStore.ts';
import { enterMarks, troublesIn } from './enter-marks.ts';
import type { MarksBatch, MarksInput } from './mark-drafts.ts';
import { openMarkDrafts } from './mark-drafts.ts';
import { useMarkAutosave } from './useMarkAutosave.ts';

/**
 * On pages on which no marks are entered: how many marks of this person wait on the device. They are sent from here too; the pages on which
 * they were typed say why one is not stored.
 */
export const WaitingElsewhere = () => {
  const { role, accountId } = useSession().me;
  const waiting = useWaitingDrafts(accountId);
  if (waiting === 0) return null;
  return (
    <>
      {!readsOnly(role) && <SendWaiting accountId={accountId} />}
      <Notice
        tone="warn"
        actions={
          <AppLink className={buttonClass()} to={role === 'teacher' ? '/teacher' : '/leader'}>
            Open
          </AppLink>
        }
      >
        <p>
          {waiting === 1 ? '1 mark waits' : `${waiting.toLocaleString('en-GB')} marks wait`} on this device. The pages of your classes say
          why a mark is not stored by itself.
        </p>
      </Notice>
    </>
  );
};

const useWaitingDrafts = (accountId: string): number => {
  const [waiting, setWaiting] = useState(0);
  useEffect(() => {
    let isShown = true;
    const count = () =>
      void waitingDrafts(accountId).then((now) => {
        if (isShown) setWaiting(now);
      });
    count();
    const leave = followDrafts(accountId, count);
    return () => {
      isShown = false;
      leave();
    };
  }, [accountId]);
  return waiting;
};

/** Sends the marks that wait on this device from a page that enters none. Totals wait for their author, and so does what is refused. */
const SendWaiting = ({ accountId }: { readonly accountId: string }) => {
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
