import type { Context } from 'hono';
import type { Identity } from '../../auth/identity/identity.ts';
import type { Asker } from '../../pipeline/query-bus.ts';
import type { Queries } from '../../queries.ts';
import { minPosition, signedIn } from './request.ts';
import { viewAsIn } from './view-as.ts';

export type Asking = { readonly identity: Identity; readonly queries: Queries };

/** Who sends a request, for the query bus. @throws ProblemError `invalid-input` */
export const askerOf = ({ identity }: Asking, c: Context): Asker => ({ know: () => signedIn(identity, c), viewAs: viewAsIn(c) });

/** X-Min-Position of whoever has a session: nobody else keeps the server waiting. @throws ProblemError `invalid-input` */
export const minPositionOf = async ({ identity }: Asking, c: Context): Promise<bigint | undefined> =>
  (await identity.sessionToken(c.req.raw.headers)) === undefined ? undefined : minPosition(c);
