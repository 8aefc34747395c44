import type { Api } from '../../ui/api/client.ts';

/**
 * Tells the other tabs of an account up to where it has stored something, so that their next answers show that too: students have no live
 * line, and an answer that is older than what another tab has stored would stay.
 */
export const sharePositions = (accountId: string, api: Pick<Api, 'seen' | 'position'>) => {
  const channel = new BroadcastChannel(`marktrail-positions-${accountId}`);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') api.seen(data);
  });
  return {
    stored: (): void => channel.postMessage(String(api.position())),
    close: (): void => channel.close(),
  };
};
