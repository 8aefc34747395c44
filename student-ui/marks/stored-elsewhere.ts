import type { Api } from '../../ui/api/client.ts';

/** Up to where a tab has stored something, and of which test. */
type Stored = { readonly position: string; readonly testId: string };

/**
 * Tells the other tabs of an account up to where it has stored something, so that their next answers show that too, and that they may say so:
 * whichever tab's turn comes first sends what was typed in the others. Students have no live connection, and an answer that is older than what
 * another tab has stored would stay.
 */
export const shareStored = (accountId: string, api: Pick<Api, 'seen' | 'position'>, onStored: (testId: string) => void) => {
  const channel = new BroadcastChannel(`marktrail-stored-${accountId}`);
  channel.addEventListener('message', ({ data: { position, testId } }: MessageEvent<Stored>) => {
    api.seen(position);
    onStored(testId);
  });
  return {
    stored: (testId: string): void => channel.postMessage({ position: String(api.position()), testId } satisfies Stored),
    close: (): void => channel.close(),
  };
};
