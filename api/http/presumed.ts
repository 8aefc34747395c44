import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../actor.ts';
import type { Presumption } from '../auth/identity.ts';
import { PresumedWrongly } from '../pipeline/known.ts';

/**
 * Runs `work` as who the asker was when he last asked, so that to look him up costs no time of its own: `work` looks at his session together
 * with what else it reads, and before it decides anything. Where he was presumed wrongly (his rights have changed, his session is gone)
 * nothing of that counts, its errors neither: it is done again as who he is now.
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
