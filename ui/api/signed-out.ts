import { useEffect, useEffectEvent } from 'react';

const CHANNEL = 'marktrail-session';

/** The log-in page, which returns here afterwards. */
const loginAddress = (): string => {
  const here = location.pathname + location.search;
  return here === '/' || location.pathname === '/login' ? '/login' : `/login?next=${encodeURIComponent(here)}`;
};

let leaving = false;
/** Whether the user has decided to leave, so that no guard asks again. */
export const isLeaving = (): boolean => leaving;

/** Loads a new document, so that no data of the old session stays in memory. */
const leave = (to: string) => {
  if (location.pathname !== '/login') location.replace(to);
};

/** On log-out the input of this tab is discarded without asking. `forget`: deletes what the browser keeps of it. */
const goAway = async (forget: Forget, to = '/login') => {
  if (leaving) return;
  sessionStorage.clear();
  leaving = true;
  await forget();
  leave(to);
};
type Forget = () => Promise<void>;

/** Follows a log-out in another tab of this browser. */
export const useSignedOut = (forget: Forget) => {
  const onSignedOut = useEffectEvent(() => void goAway(forget, '/login?loggedOut'));
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = onSignedOut;
    return () => channel.close();
  }, []);
};

/** After Log out: sends this tab and all others to the log-in page. */
export const tellSignedOut = (forget: Forget) => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('signed-out');
  channel.close();
  return goAway(forget);
};

/** The session has ended, and another user wants to log in. */
export const leaveForLogin = () => leave(loginAddress());
