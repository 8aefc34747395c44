import type { Context } from 'hono';
import { Hono } from 'hono';
import type { Logger } from 'pino';
import { admits, commandsFromOutside, queryAccess } from '../access.ts';
import type { Accounts } from '../auth/accounts.ts';
import type { Identity } from '../auth/identity.ts';
import { IDENTITY_PATH } from '../auth/library.ts';
import type { SocialSignIn } from '../auth/social.ts';
import { isCommandName } from '../commands/all.ts';
import type { Actor } from '../actor.ts';
import { mayReadSubject } from '../actor.ts';
import type { CommandAnswer } from '../contract/live.ts';
import type { Query } from '../facts/facts.ts';
import { Live } from '../live/live.ts';
import { asProblem } from '../pipeline/as-problem.ts';
import { notYourSubject, ProblemError, validated } from '../pipeline/problems.ts';
import { isQueryName, queries } from '../queries/all.ts';
import type { QueryName } from '../queries/all.ts';
import type { Question } from '../queries/query.ts';
import { JsonText } from '../queries/query.ts';
import type { Committed } from '../live/news.ts';
import type { TrustedProxies } from './address.ts';
import { knowAddress } from './address.ts';
import { asOfHeaders, momentAsked } from './as-of.ts';
import { limitBody } from './body-limit.ts';
import { healthRoutes } from './health-routes.ts';
import { Metrics } from './metrics.ts';
import { openApi } from './openapi.ts';
import { described, describedRoutes, EVERYBODY } from './described.ts';
import type { DoorOptions } from './door.ts';
import { doorRoutes } from './door.ts';
import type { ErrorOptions } from './errors.ts';
import { errorRoutes } from './errors.ts';
import { identityRoutes } from './identity.ts';
import { readOnlyAsStudent, throughEyes, VIEW_AS_HEADER } from './view-as.ts';
import { asPresumed } from './presumed.ts';
import { bodyOf, headersWithAddress, keyOf, minPosition, MIN_POSITION_WAIT_MS, readPosition, signedIn } from './request.ts';
import type { RestOptions } from './rest.ts';
import { inDialect, restRoutes } from './rest.ts';
import { sameOriginOnly } from './same-origin.ts';
import { securityHeaders } from './security-headers.ts';

export type AppOptions = DoorOptions &
  ErrorOptions &
  Pick<RestOptions, 'store'> & {
    readonly identity: Identity;
    /** Undefined: there is none. */
    readonly social?: SocialSignIn | undefined;
    readonly accounts: Pick<Accounts, 'execute'>;
    readonly readAs: <T>(schoolId: string, work: (query: Query) => Promise<T>) => Promise<T>;
    /** The same as of an earlier moment, an ISO instant; `asker`: the account. `upTo`: the last event that the result knows of. */
    readonly readAsOf: <T>(
      view: { readonly schoolId: string; readonly asker: string; readonly moment: string },
      work: (query: Query) => Promise<T>,
    ) => Promise<{ readonly result: T; readonly upTo: { readonly eventId: string; readonly at: string } | undefined }>;
    readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
    /** How far the read models have come: what an answer stands on. */
    readonly positions: () => ReadonlyMap<string, bigint>;
    readonly onCommitted: (listener: (committed: Committed) => void) => () => void;
    /** Commands that were decided again, since the start. */
    readonly retries: () => number;
    readonly publicUrl: string;
    readonly trustedProxies?: TrustedProxies;
    /** Serves the apps; undefined: no such page. */
    readonly serveApp: (request: Request) => Response | undefined;
    readonly stopping: AbortSignal;
    /** Between two signs of life of /api/live; a session that has ended hears no more after it. */
    readonly heartbeatMs?: number;
    readonly log: Logger;
  };

/** What one upload may weigh: 5,000 students with 50 marks each are 1.5 MB. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** What anybody may send, signed in or not: it is read before it is known who asks. */
const MAX_FORM_BYTES = 512 * 1024;
const FORMS = ['/api/door/*', '/api/errors', `${IDENTITY_PATH}/*`];

/** What our addresses are asked with; anything else is answered 405. */
const OTHER_METHODS = { '/api/commands/:name': 'POST', '/api/queries/:name': 'GET, POST', '/api/live': 'GET' };

/** Everything that Marktrail answers over HTTP. */
export const app = (options: AppOptions): Hono => {
  const { identity, accounts } = options;
  const http = new Hono();
  const live = new Live(options);
  const metrics = new Metrics(options.retries);

  http.use(securityHeaders(options.publicUrl));
  http.onError((error, c) => problemAnswer(c, error, options));
  http.use('/api/*', metrics.measure);
  http.use('/api/*', knowAddress(options.trustedProxies));
  http.use('/api/*', sameOriginOnly(options.publicUrl));
  http.use('/api/*', readOnlyAsStudent);
  for (const forms of FORMS)
    http.use(
      forms,
      limitBody(MAX_FORM_BYTES, () => tooLarge('512 kB')),
    );
  http.use(
    '/api/*',
    limitBody(MAX_BODY_BYTES, () => tooLarge('8 MB')),
  );

  http.route('/api', healthRoutes(options.health, metrics));
  let description: object | undefined;
  http.get('/api/openapi.json', described({ does: 'This description.', answers: 'some' }), (c) =>
    // Of all routes, when they are all there.
    c.json((description ??= openApi(options.publicUrl, describedRoutes(http)))),
  );
  http.route(IDENTITY_PATH, identityRoutes(options));
  http.get('/api/door/social', described({ does: 'Begins social sign-in, in a popup.', answers: 'redirect' }), async (c) =>
    social(options).begin(headersWithAddress(c)),
  );

  http.route('/api/door', doorRoutes(options));
  http.route('/api', errorRoutes(options));
  http.route('/api/rest', restRoutes(options));

  http.post('/api/commands/:name', async (c) => {
    const name = c.req.param('name');
    if (!isCommandName(name))
      throw new ProblemError('unknown-command', `There is no command ${name}. Known: ${commandsFromOutside.join(', ')}.`);
    if (name === 'EnterMarks') return c.json(await enterMarks(options, c));
    const actor = await throughEyes(options, c, await signedIn(identity, c));
    const answer = await accounts.execute(name, { actor, key: keyOf(c), body: await bodyOf(c) });
    return c.json(answer);
  });

  http.get('/api/queries/:name', async (c) => {
    const { asOf: _, ...input } = c.req.query();
    return answerQuery(options, c, () => input);
  });
  http.post('/api/queries/:name', async (c) => answerQuery(options, c, () => bodyOf(c)));

  const following = described({
    does: 'What changes, as it changes: server-sent events.',
    for: EVERYBODY,
    throughEyes: true,
    answers: 'events',
  });
  http.get('/api/live', following, async (c) => {
    const actor = await throughEyes(options, c, await signedIn(identity, c));
    // HEAD comes here too, and nobody would ever read or end what it opens.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
    const again = async () => {
      const now = await identity.authenticate(c.req.raw.headers);
      return now && throughEyes(options, c, now);
    };
    return live.stream(actor, again, c.req.raw.signal);
  });

  for (const [path, methods] of Object.entries(OTHER_METHODS)) {
    http.all(path, (c) => {
      c.header('Allow', methods);
      throw new ProblemError('not-allowed', `This address takes ${methods} only.`);
    });
  }
  http.all('/api/*', () => {
    throw new ProblemError('not-found', 'There is no such address.');
  });
  http.all('*', (c) => options.serveApp(c.req.raw) ?? c.text('Not found', 404));
  return http;
};

const tooLarge = (most: string): ProblemError => new ProblemError('too-large', `The request is larger than ${most}.`);

const social = (options: AppOptions): SocialSignIn => {
  if (!options.social) throw new ProblemError('not-found', 'There is no such address.');
  return options.social;
};

/** What is asked for most of all, and by people who wait with their fingers on the keys: nothing here waits for anything that need not. */
const enterMarks = async (options: AppOptions, c: Context): Promise<CommandAnswer<unknown>> => {
  const { identity, accounts } = options;
  return asPresumed(
    // Who looks through other eyes is looked up: that is seldom.
    c.req.header(VIEW_AS_HEADER) === undefined ? await identity.presume(c.req.raw.headers) : undefined,
    async () => throughEyes(options, c, await signedIn(identity, c)),
    async (actor, presumedBy) => accounts.execute('EnterMarks', { actor, key: keyOf(c), body: await bodyOf(c), presumedBy }),
  );
};

/** `read`: what is asked, read when it is known who asks. */
const answerQuery = async (options: AppOptions, c: Context, read: () => unknown): Promise<Response> => {
  const name = c.req.param('name') ?? '';
  if (!isQueryName(name)) throw new ProblemError('unknown-query', `There is no query ${name}. Known: ${Object.keys(queries).join(', ')}.`);
  const actor = await throughEyes(options, c, await signedIn(options.identity, c));
  // Its parts fit together, as `question` made them; the table of questions does not know their types.
  const { input: schema, models, run } = queries[name] as unknown as Question<unknown>;
  if (!admits(queryAccess[name], actor)) throw new ProblemError('forbidden', 'Your account may not see this.');
  const asked = validated(schema, await read());
  requireSubject(name, actor, asked);
  const answer = await answerOf(options, c, actor, models, (query) => run(query, asked, actor));
  c.header('Cache-Control', 'no-store');
  return answer instanceof JsonText ? c.body(answer.text, 200, { 'Content-Type': 'application/json' }) : c.json(answer);
};

/** Of now, or of the moment that is asked about: by the same question, and to whom it may be answered today. */
const answerOf = async (
  options: AppOptions,
  c: Context,
  { schoolId, accountId }: Actor,
  models: readonly string[],
  run: (query: Query) => Promise<unknown>,
): Promise<unknown> => {
  const moment = momentAsked(c.req.query('asOf'));
  if (moment !== undefined) {
    const { result, upTo } = await options.readAsOf({ schoolId, asker: accountId, moment }, run);
    for (const [name, value] of Object.entries(asOfHeaders(upTo))) c.header(name, value);
    return result;
  }
  const position = minPosition(c);
  if (position !== undefined) await options.waitFor(models, position, MIN_POSITION_WAIT_MS);
  c.header('X-Read-Position', readPosition(options.positions(), models));
  return options.readAs(schoolId, run);
};

const requireSubject = (name: QueryName, actor: Actor, input: unknown): void => {
  if (queryAccess[name].within !== 'subject' || typeof input !== 'object' || input === null || !('subjectId' in input)) return;
  if (!mayReadSubject(actor, String(input.subjectId))) throw notYourSubject();
};

const problemAnswer = async (c: Context, thrown: Error, options: AppOptions): Promise<Response> => {
  const error = asProblem(thrown);
  const { problem, retryAfter } = error instanceof ProblemError ? error : await internalError(c, error, options);
  const told = c.req.path.startsWith('/api/rest/') ? inDialect(problem) : problem;
  return c.body(JSON.stringify(told), problem.status as 400, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  });
};

/** What should not happen, by a number that its victim can tell. */
const internalError = async (c: Context, error: unknown, { log, errors, identity }: AppOptions): Promise<ProblemError> => {
  const asker = await identity.authenticate(c.req.raw.headers).catch(() => undefined);
  const where = `${c.req.method} ${c.req.path}`;
  const number = await errors.note(asker, { message: `${where}: ${String(error)}`, status: 500 }).catch(() => undefined);
  log.error({ err: error, method: c.req.method, path: c.req.path, number }, 'a request failed');
  const detail = number === undefined ? {} : { detail: `Error number ${number}.` };
  return new ProblemError('internal-error', 'Something went wrong here. It has been logged; nothing was changed.', detail);
};
