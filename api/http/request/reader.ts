import type { Context } from 'hono';
import type { Actor } from '../../actor.ts';
import type { Identity } from '../../auth/identity/identity.ts';
import type { Model } from '../../common/models.ts';
import { minPosition, MIN_POSITION_WAIT_MS, signedIn } from './request.ts';
import type { Rights } from './rights.ts';
import type { Viewing } from './view-as.ts';
import { viewingAs } from './view-as.ts';

export type Reading = Viewing & {
  readonly identity: Identity;
  readonly rights: Pick<Rights, 'waitFor'>;
  /** Fulfilled when the read models have reached the position. @throws ReadModelBehind */
  readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
};

/**
 * Who asks for an answer that is read from these models, once they have reached X-Min-Position; with the rights of that position too, so that
 * whoever has just been given one is answered with it. Where the rights come too late, as when their read model has stopped, those of now
 * are asked (rights.ts).
 *
 * @throws ProblemError `not-authenticated`, `invalid-input`, `forbidden`; ReadModelBehind
 */
export const readerOf = async (options: Reading, c: Context, models: readonly Model[]): Promise<Actor> => {
  const { identity, rights, waitFor } = options;
  // Nobody keeps the server waiting without a session.
  const position = (await identity.sessionToken(c.req.raw.headers)) === undefined ? undefined : minPosition(c);
  if (position !== undefined) {
    const rightsThere = rights.waitFor(position);
    await waitFor(models, position, MIN_POSITION_WAIT_MS).catch(async (behind: unknown) => {
      await signedIn(identity, c);
      throw behind;
    });
    await rightsThere;
  }
  return viewingAs(options, c, await signedIn(identity, c));
};
