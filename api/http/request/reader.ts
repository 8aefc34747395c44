import type { Context } from 'hono';
import type { Actor } from '../../actor.ts';
import type { Identity } from '../../auth/identity/identity.ts';
import type { Model } from '../../common/models.ts';
import { minPosition, MIN_POSITION_WAIT_MS, signedIn } from './request.ts';
import type { Viewing } from './view-as.ts';
import { viewingAs } from './view-as.ts';

export type Reading = Viewing & {
  readonly identity: Identity;
  /** Fulfilled when the read models have reached the position. @throws ReadModelBehind */
  readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
};

/** What the rights of a user are read from (api/auth/log-in/sessions.ts), and whom they may view the site as (view-as.ts). */
const RIGHTS: readonly Model[] = ['accounts', 'structure', 'roster'];

/**
 * Who asks for an answer that is read from these models, once they have reached X-Min-Position; with the rights of that position too, so that
 * whoever has just been given one is answered with it. Where the rights come too late, as when their read model has stopped, those of now
 * are asked.
 *
 * @throws ProblemError `not-authenticated`, `invalid-input`, `forbidden`; ReadModelBehind
 */
export const readerOf = async (options: Reading, c: Context, models: readonly Model[]): Promise<Actor> => {
  const { identity, waitFor } = options;
  // Nobody keeps the server waiting without a session.
  const position = (await identity.sessionToken(c.req.raw.headers)) === undefined ? undefined : minPosition(c);
  if (position !== undefined) {
    const rights = waitFor(RIGHTS, position, MIN_POSITION_WAIT_MS).catch(() => undefined);
    await waitFor(models, position, MIN_POSITION_WAIT_MS).catch(async (behind: unknown) => {
      await signedIn(identity, c);
      throw behind;
    });
    await rights;
  }
  return viewingAs(options, c, await signedIn(identity, c));
};
