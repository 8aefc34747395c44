import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../actor.ts';

/** Who asks: as he was when he last asked, and as he is now. */
export type Asker = { readonly presumed: Actor | undefined; readonly actor: Promise<Actor> };

/** The asker is not, or no more, who he was presumed to be. */
class PresumedWrongly extends Error {
  override readonly name = 'PresumedWrongly';
}

/**
 * Runs `work` as who the asker was when he last asked, so that to look him up costs no time of its own. `work` reads meanwhile, and awaits
 * `sure` before it decides or writes anything. Where he was presumed wrongly (his rights have changed, his session is gone) nothing of
 * that counts, its errors neither: it is done again as who he is now.
 */
export const asPresumed = async <Result>(
  { presumed, actor }: Asker,
  work: (actor: Actor, sure: Promise<void>) => Promise<Result>,
): Promise<Result> => {
  if (presumed === undefined) return work(await actor, Promise.resolve());
  const sure = actor.then((now) => {
    if (!isDeepStrictEqual(now, presumed)) throw new PresumedWrongly();
  });
  try {
    const [result] = await Promise.all([work(presumed, sure), sure]);
    return result;
  } catch (error) {
    const now = await actor;
    if (isDeepStrictEqual(now, presumed)) throw error;
    return work(now, Promise.resolve());
  }
};
