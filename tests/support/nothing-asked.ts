import type { Queries } from '../../api/live/subscriptions.ts';

/** For lines on which no page follows an answer. */
export const nothingAsked: Queries = {
  askSince: () => Promise.reject(new Error('nothing is asked')),
  ownOf: () => undefined,
};
