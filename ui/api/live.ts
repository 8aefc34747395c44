import type { LiveChange } from '#contract/live';

export type LiveState = 'connecting' | 'live' | 'interrupted';
export type LiveMessage = { readonly kind: 'state'; readonly state: LiveState } | { readonly kind: 'changed'; readonly change: LiveChange };

/**
 * What changes on the server, as it changes. All tabs of a browser share one connection (HTTP/1.1 allows six to an origin): the tab that
 * holds the lock keeps it and passes on what it hears; when that tab closes, another one gets the lock. Without locks (a plain http://
 * address) each tab connects by itself. A reconnection announces itself as 'live' again: whatever was said in between was missed.
 *
 * @returns a function that ends it
 */
export const listenLive = (accountId: string, hear: (message: LiveMessage) => void): (() => void) => {
  const ended = new AbortController();
  const channel = new BroadcastChannel(`marktrail-live-${accountId}`);
  let state: LiveState = 'connecting';
  let leading = false;

  channel.onmessage = ({ data }: MessageEvent<LiveMessage | { readonly kind: 'who' }>) => {
    if (data.kind !== 'who') hear(data);
    else if (leading) channel.postMessage({ kind: 'state', state });
  };
  const tell = (message: LiveMessage) => {
    if (message.kind === 'state') state = message.state;
    hear(message);
    channel.postMessage(message);
  };

  const lead = () =>
    new Promise<void>((resolve) => {
      leading = true;
      const source = new EventSource('/api/live');
      source.addEventListener('hello', () => tell({ kind: 'state', state: 'live' }));
      source.addEventListener('changed', (event: MessageEvent<string>) =>
        tell({ kind: 'changed', change: JSON.parse(event.data) as LiveChange }),
      );
      source.onerror = () => {
        tell({ kind: 'state', state: 'interrupted' });
        /** The browser gives up on an answer that is not a stream (a restart behind a proxy): start again by hand. */
        if (source.readyState === EventSource.CLOSED)
          again = setTimeout(() => {
            source.close();
            resolve(lead());
          }, 5_000);
      };
      let again: ReturnType<typeof setTimeout> | undefined;
      ended.signal.addEventListener('abort', () => {
        clearTimeout(again);
        source.close();
        resolve();
      });
    });

  if (navigator.locks) {
    navigator.locks.request(`marktrail-live-${accountId}`, { signal: ended.signal }, lead).catch(() => {});
    channel.postMessage({ kind: 'who' });
  } else void lead();

  return () => {
    ended.abort();
    channel.close();
  };
};
