import type { Context } from 'hono';
import type { Sessions } from '../../auth/log-in/sessions.ts';
import type { Asker } from '../../pipeline/query-bus.ts';
import type { Queries } from '../../queries.ts';
import { minPosition, signedIn } from './request.ts';
import { viewAsIn } from './view-as.ts';

export type Asking = { readonly sessions: Sessions; readonly queries: Queries };

/** Who sends a request, for the query bus. @throws ProblemError `invalid-input` */
export const askerOf = ({ sessions }: Asking, c: Context): Asker => ({ know: () => signedIn(sessions, c), viewAs: viewAsIn(c) });

/** X-Min-Position of whoever has a session: nobody else keeps the server waiting. @throws ProblemError `invalid-input` */
export const minPositionOf = async ({ sessions }: Asking, c: Context): Promise<bigint | undefined> =>
  sessions.tokenIn(c.req.raw.headers) === undefined ? undefined : minPosition(c);
