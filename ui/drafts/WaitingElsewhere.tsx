import { useEffect, useState } from 'react';
import { buttonClass } from '../controls/Button.tsx';
import { Notice } from '../feedback/Notice.tsx';
import { AppLink } from '../frame/navigation.tsx';
import { useSession } from '../session/Session.tsx';
import { followDrafts, waitingDrafts } from './browser-keep.ts';

/**
 * On pages that enter no marks, of people who do elsewhere: what they typed and is not stored yet. It goes from the pages on which it can be
 * typed, and there its reasons are said.
 */
export const WaitingElsewhere = () => {
  const { role, accountId } = useSession().me;
  const waiting = useWaitingDrafts(accountId);
  if (waiting === 0) return null;
  return (
    <Notice
      tone="warn"
      actions={
        <AppLink className={buttonClass()} to={role === 'teacher' ? '/teacher' : '/leader'}>
          Open
        </AppLink>
      }
    >
      <p>
        {waiting === 1 ? '1 mark waits' : `${waiting.toLocaleString('en-GB')} marks wait`} on this device. Open the pages of your classes to
        store {waiting === 1 ? 'it' : 'them'}.
      </p>
    </Notice>
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
