import type { LiveAnswer, LiveChange, LiveHello } from '#api/contract/live';
import { uuid } from './uuid.ts';

export type LiveState = 'connecting' | 'live' | 'interrupted';
export type LiveMessage =
  /** `hello`: with state 'live', what changed before the connection; `connectionId`: its id. */
  | { readonly kind: 'state'; readonly state: LiveState; readonly hello?: LiveHello | undefined; readonly connectionId?: string }
  | { readonly kind: 'changed'; readonly change: LiveChange }
  | { readonly kind: 'answer'; readonly answer: LiveAnswer };
/** Between tabs: `who` asks the leading tab for its state, which answers only to `to`. */
type Passed = { readonly kind: 'who'; readonly me: string } | (LiveMessage & { readonly to?: string });

/**
 * Follows changes on the server. All tabs of a browser share one connection, because HTTP/1.1 allows six per origin: the tab that holds
 * the lock keeps it open and passes messages on; when it closes, another tab gets the lock. Without locks (plain http:// addresses) each
 * tab connects itself. A reconnection reports 'live' again; anything in between was missed.
 *
 * @returns a function that ends it
 */
export const listenLive = (accountId: string, connectionId: string, receive: (message: LiveMessage) => void): (() => void) => {
  const ended = new AbortController();
  const channel = new BroadcastChannel(`marktrail-live-${accountId}`);
  const me = uuid();
  let state: LiveState = 'connecting';
  /** What the leading tab has been told of changes, for tabs that open later. */
  let hello: LiveHello | undefined;
  let leading = false;

  channel.onmessage = ({ data }: MessageEvent<Passed>) => {
    if (data.kind !== 'who') {
      if (data.to === undefined || data.to === me) receive(data);
    } else if (leading) channel.postMessage({ kind: 'state', state, hello, connectionId, to: data.me } satisfies Passed);
  };
  const pass = (message: LiveMessage) => {
    if (ended.signal.aborted) return;
    if (message.kind === 'changed') hello = hello && withChange(hello, message.change);
    else if (message.kind === 'state') {
      state = message.state;
      hello = message.hello ?? hello;
    }
    receive(message);
    channel.postMessage(message);
  };

  const lead = () =>
    new Promise<void>((resolve) => {
      leading = true;
      const source = new EventSource(`/api/live?line=${connectionId}`);
      source.addEventListener('hello', (event: MessageEvent<string>) =>
        pass({ kind: 'state', state: 'live', hello: JSON.parse(event.data) as LiveHello, connectionId }),
      );
      source.addEventListener('answer', (event: MessageEvent<string>) =>
        pass({ kind: 'answer', answer: JSON.parse(event.data) as LiveAnswer }),
      );
      source.addEventListener('changed', (event: MessageEvent<string>) =>
        pass({ kind: 'changed', change: JSON.parse(event.data) as LiveChange }),
      );
      source.onerror = () => {
        pass({ kind: 'state', state: 'interrupted' });
        /** EventSource gives up when the answer is not a stream, as from a proxy during a restart: reconnect by hand. */
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
    channel.postMessage({ kind: 'who', me } satisfies Passed);
  } else void lead();

  return () => {
    ended.abort();
    channel.close();
  };
};

const withChange = ({ since, topics }: LiveHello, change: LiveChange): LiveHello => ({
  since,
  topics: { ...topics, ...Object.fromEntries(change.topics.map((topic) => [topic, change.position])) },
});
