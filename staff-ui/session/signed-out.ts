import { useEffect } from 'react';

const CHANNEL = 'marktrail-session';

/** Where a page asks to be when somebody has signed in again. */
const loginAddress = (): string => {
  const here = location.pathname + location.search;
  return here === '/' || location.pathname === '/login' ? '/login' : `/login?next=${encodeURIComponent(here)}`;
};

/** A whole new page, so that nothing that was read under the old session stays in memory. */
const leave = (to: string) => {
  if (location.pathname !== '/login') location.replace(to);
};

/** What to do when the session turns out to have ended; also hears of it from the browser's other tabs. */
export const useSignedOut = () => {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => leave('/login');
    return () => channel.close();
  }, []);
  return () => leave(loginAddress());
};

/** After Log out: this tab and all others go to the log-in page. */
export const tellSignedOut = () => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('signed-out');
  channel.close();
  leave('/login');
};
