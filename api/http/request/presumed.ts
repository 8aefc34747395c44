import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../actor.ts';
import type { Presumption } from '../../auth/identity/identity.ts';
import { PresumedWrongly } from '../../pipeline/known.ts';

/**
 * Runs `work` with the user as of their last request, so that looking them up costs no round trip: `work` checks the session together with
 * what else it reads, before it decides anything. If the presumption was wrong (rights have changed, the session has ended), the result or
 * error is dropped, and `work` runs again with the current user.
 */
export const asPresumed = async <Result>(
  presumption: Presumption | undefined,
  now: () => Promise<Actor>,
  work: (actor: Actor, presumedBy?: string) => Promise<Result>,
): Promise<Result> => {
  if (presumption === undefined) return work(await now());
  const { session, actor } = presumption;
  try {
    return await work(actor, session);
  } catch (error) {
    const known = await now();
    if (!(error instanceof PresumedWrongly) && isDeepStrictEqual(known, actor)) throw error;
    return work(known);
  }
};
