import { useEffect, useState } from 'react';
import { useSessionWatch } from '../api/ApiProvider.tsx';
import { writeViewed } from './viewing.ts';

const CHANNEL = 'marktrail-account';

/**
 * All tabs of a browser share one session. When somebody logs in in another tab, this tab asks who it is now (`askAgain`). The same
 * person continues; for anybody else the page reloads, so that nobody acts under a name that the page does not show and no data of the
 * previous user stays in memory. Returns whether it is about to reload.
 */
export const useOneAccount = (accountId: string | undefined, askAgain: () => unknown): boolean => {
  const watch = useSessionWatch();
  const [owner, setOwner] = useState(accountId);
  if (owner === undefined && accountId !== undefined) setOwner(accountId);
  const isOther = owner !== undefined && accountId !== undefined && owner !== accountId;
  useEffect(() => {
    if (!isOther) return;
    writeViewed(undefined);
    location.reload();
  }, [isOther]);
  useEffect(() => {
    if (accountId === undefined) return;
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === accountId) watch.resume();
      else void askAgain();
    };
    channel.postMessage(accountId);
    return () => channel.close();
  }, [accountId, askAgain, watch]);
  return isOther;
};
