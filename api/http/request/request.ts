import type { Context } from 'hono';
import type { Actor } from '../../actor.ts';
import type { Sessions } from '../../auth/log-in/sessions.ts';
import { ProblemError } from '../../common/problems.ts';
import { isUuid } from '../../../events/uuid.ts';

/** Functions that read parts of a request, shared by all routes. */

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether the method changes nothing; bodies of such requests are ignored. */
export const isRead = (c: Context): boolean => READS.has(c.req.method);

/** @throws ProblemError `not-authenticated` */
export const signedIn = async (sessions: Sessions, c: Context): Promise<Actor> => {
  const actor = await recognised(sessions, c);
  if (!actor) throw notSignedIn();
  return actor;
};

/** The user and the session, for requests about one's own account. @throws ProblemError `not-authenticated` */
export const signedInWithSession = async (sessions: Sessions, c: Context): Promise<{ readonly actor: Actor; readonly session: string }> => {
  const actor = await signedIn(sessions, c);
  const session = sessions.tokenIn(c.req.raw.headers);
  if (session === undefined) throw notSignedIn();
  return { actor, session };
};

/** The user; undefined: nobody is signed in, or not the one that the page sends for. */
export const recognised = async (sessions: Sessions, c: Context): Promise<Actor | undefined> => {
  const actor = await sessions.authenticate(c.req.raw.headers);
  if (!actor || !isSentFor(c, actor)) return undefined;
  actors.set(c.req.raw, actor);
  return actor;
};

/**
 * The account that a page sends for. All tabs of a browser share the cookie: what one person sent and is tried again, while another logs in in
 * another tab, must not be done in the other's name.
 */
export const ACCOUNT_HEADER = 'X-Account';

export const isSentFor = (c: Context, { accountId }: Actor): boolean =>
  (c.req.header(ACCOUNT_HEADER)?.toLowerCase() ?? accountId) === accountId;

/** The user of a request, if it was looked up. */
export const actorOf = (c: Context): Actor | undefined => actors.get(c.req.raw);
const actors = new WeakMap<Request, Actor>();

/** @throws ProblemError `not-authenticated`, `forbidden` */
export const signedInAdmin = async (sessions: Sessions, c: Context): Promise<Actor> => {
  const actor = await signedIn(sessions, c);
  if (actor.role !== 'admin') throw new ProblemError('forbidden', 'Your account may not see this.');
  return actor;
};

const notSignedIn = (): ProblemError => new ProblemError('not-authenticated', 'Log in first.');

/** The query parameters as they were sent: a name that comes twice is there twice. */
export const parametersOf = (c: Context): URLSearchParams => new URL(c.req.url).searchParams;

/** The client's idempotency key. */
export const keyOf = (c: Context): string | undefined => {
  const key = c.req.header('Idempotency-Key')?.toLowerCase();
  if (key !== undefined && !isUuid(key)) throw new ProblemError('invalid-input', 'Idempotency-Key must be a uuid.');
  return key;
};

/** The position that the answer must include. */
export const minPosition = (c: Context): bigint | undefined => {
  const text = c.req.header('X-Min-Position');
  if (text === undefined) return undefined;
  if (!/^\d{1,19}$/.test(text)) throw new ProblemError('invalid-input', 'X-Min-Position must be a position.');
  return BigInt(text);
};

/** For the other methods of an address. @throws ProblemError `not-allowed` */
export const takesOnly =
  (methods: string) =>
  (c: Context): never => {
    c.header('Allow', methods);
    throw new ProblemError('not-allowed', `This address accepts ${methods} only.`);
  };

/** The id that a page has given its live connection. Only its own account can name it. */
export const connectionIdIn = (id: string | undefined, { accountId }: Actor): string | undefined =>
  id !== undefined && isUuid(id) ? `${accountId} ${id}` : undefined;
