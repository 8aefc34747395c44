import { useEffect } from 'react';

const CHANNEL = 'marktrail-session';

/** Where a page asks to be when somebody has signed in again. */
const loginAddress = (): string => {
  const here = location.pathname + location.search;
  return here === '/' || location.pathname === '/login' ? '/login' : `/login?next=${encodeURIComponent(here)}`;
};

let leaving = false;
/** The page goes because somebody has said so: nobody need be asked again. */
export const isLeaving = (): boolean => leaving;

/** A whole new page, so that nothing that was read under the old session stays in memory. */
const leave = (to: string) => {
  if (location.pathname !== '/login') location.replace(to);
};

/** Somebody has logged out: what he has typed in this tab goes with him, and nothing is asked. */
const goAway = () => {
  if (leaving) return;
  sessionStorage.clear();
  leaving = true;
  leave('/login');
};

/** Hears that somebody has logged out in another tab of this browser. */
export const useSignedOut = () => {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = goAway;
    return () => channel.close();
  }, []);
};

/** After Log out: this tab and all others go to the log-in page. */
export const tellSignedOut = () => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('signed-out');
  channel.close();
  goAway();
};

/** The session has ended, and somebody else wants to log in. */
export const leaveForLogin = () => leave(loginAddress());
