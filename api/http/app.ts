import { Hono } from 'hono';
import type { SocialSignIn } from '../auth/log-in/social.ts';
import { isHome } from '../auth/log-in/homes.ts';
import { hashingFor } from '../auth/password/password-hash.ts';
import type { LiveOptions } from '../live/live.ts';
import { Live } from '../live/live.ts';
import { Backpressure } from '../pipeline/backpressure.ts';
import { ProblemError } from '../common/problems.ts';
import { bodyBytes, givingBack } from './body.ts';
import type { TrustedProxies } from './request/address.ts';
import { knowAddress } from './request/address.ts';
import { UntrustedProxies } from './request/untrusted-proxies.ts';
import { checking, countingUses, sameOriginOnly } from './request/middleware.ts';
import type { CallOptions } from './routes/calls.ts';
import { callRoutes } from './routes/calls.ts';
import type { CommandOptions } from './routes/commands.ts';
import { commandRoutes } from './routes/commands.ts';
import { describeAt } from './openapi/description.ts';
import { described, EVERYBODY } from './openapi/route-docs.ts';
import type { AuthOptions } from './routes/auth.ts';
import { authRoutes } from './routes/auth.ts';
import type { ErrorOptions } from './routes/errors.ts';
import { errorRoutes } from './routes/errors.ts';
import type { HealthOptions } from './routes/health.ts';
import { healthRoutes } from './routes/health.ts';
import { IDENTITY_PATH, identityRoutes } from './routes/identity.ts';
import { Metrics } from './routes/metrics.ts';
import type { ProblemAnswerOptions } from './problem-answer.ts';
import { asAnswer, problemAnswer } from './problem-answer.ts';
import { historyRoutes } from './routes/history.ts';
import type { QueryOptions } from './routes/queries.ts';
import { queryRoutes } from './routes/queries.ts';
import { connectionIdIn, takesOnly } from './request/request.ts';
import type { ReadModelOptions } from './routes/read-models.ts';
import { readModelRoutes } from './routes/read-models.ts';
import type { SchoolYearOptions } from './routes/school-years.ts';
import { schoolYearRoutes } from './routes/school-years.ts';
import type { PageOptions } from './routes/pages.ts';
import { pageRoutes } from './routes/pages.ts';
import type { RestOptions } from './routes/rest.ts';
import { restRoutes } from './routes/rest.ts';
import type { SecurityHeaders } from './security-headers.ts';
import { securityRoutes } from './routes/security.ts';
import { securityHeaders } from './security-headers.ts';
import { askerOf } from './request/asker.ts';
import { readOnlyAsStudent, viewAsIn } from './request/view-as.ts';

export type AppOptions = CommandOptions &
  CallOptions &
  Omit<QueryOptions, 'subscriptions'> &
  RestOptions &
  ReadModelOptions &
  SchoolYearOptions &
  AuthOptions &
  ErrorOptions &
  LiveOptions &
  ProblemAnswerOptions &
  Omit<HealthOptions, 'metrics'> &
  SecurityHeaders & {
    /** Undefined: there is none. */
    readonly social?: SocialSignIn | undefined;
    /** See `Pipeline.retries`. */
    readonly retries: () => number;
    /** Requests that wait for a connection to the read models, by kind. */
    readonly waiting: () => Readonly<Record<string, number>>;
    readonly trustedProxies?: TrustedProxies;
    /** Prints a line on the console. */
    readonly tell?: (line: string) => void;
  } & Pick<PageOptions, 'serveApp'>;

/** Everything that Marktrail answers over HTTP. */
export const app = (options: AppOptions): Hono => {
  const { sessions, social, publicUrl } = options;
  const http = new Hono();
  const backpressure = new Backpressure(options);
  const live = new Live(options);
  const proxies = new UntrustedProxies(options);
  const metrics = new Metrics({
    retries: options.retries,
    mails: () => options.auth.mail.state(),
    waiting: () => ({ ...options.waiting(), 'saves ahead of the read models': backpressure.held }),
    bodyBytes,
    sharedRuns: () => options.queries.sharedRuns,
  });

  const fromAddress = knowAddress(options.trustedProxies, (address, work) =>
    hashingFor({ address, isHome: () => isHome(options.auth.limits, address) }, work),
  );

  http.use(securityHeaders(options));
  http.onError((error, c) => problemAnswer(c, error, options));
  http.use('/api/*', metrics.measure);
  http.use('/api/*', fromAddress);
  http.use('/api/*', checking(proxies.look, sameOriginOnly(publicUrl), readOnlyAsStudent));
  http.use('/api/*', countingUses(sessions));
  http.use('/api/*', givingBack);

  http.route('/api', healthRoutes({ ...options, health: async () => proxies.noted(await options.health()), metrics }));
  describeAt(http, publicUrl);
  http.route(IDENTITY_PATH, identityRoutes(options));
  http.get('/api/door/social', described({ does: 'Begins social sign-in, in a popup.', answers: 'redirect' }), async () => {
    if (!social) throw notFound();
    return social.begin();
  });
  http.route('/api/door', authRoutes(options));
  http.route('/api', errorRoutes(options));
  http.route('/api', securityRoutes(options));
  http.route('/api/read-models', readModelRoutes(options));
  http.route('/api/school-years', schoolYearRoutes(options));
  http.route('/api', historyRoutes(options));
  http.route('/api/rest', restRoutes(options));
  http.route('/api/commands', commandRoutes({ ...options, backpressure }));
  http.route('/api/queries', queryRoutes({ ...options, subscriptions: live.subscriptions }));
  http.route('/api', callRoutes({ ...options, backpressure }));

  const following = described({
    does: 'Changes as they happen: server-sent events.',
    for: EVERYBODY,
    viewAs: true,
    answers: 'events',
  });
  http.get('/api/live', following, async (c) => {
    const actor = await options.queries.reader(askerOf(options, c), [], undefined);
    // HEAD requests arrive here too; nobody would read or end their stream.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
    const token = sessions.tokenIn(c.req.raw.headers);
    const again = async () => {
      const now = token === undefined ? undefined : await sessions.actorOf(token);
      return now && options.queries.reader({ know: async () => now, viewAs: viewAsIn(c) }, [], undefined);
    };
    return live.stream({ actor, again, disconnected: c.req.raw.signal, id: connectionIdIn(c.req.query('line'), actor) });
  });
  http.all('/api/live', takesOnly('GET'));

  http.all('/api/*', () => {
    throw notFound();
  });
  http.route(
    '/',
    pageRoutes({ ...options, subscriptions: live.subscriptions, around: [metrics.measure, fromAddress, countingUses(sessions)] }),
  );
  return http;
};

/** What a process answers that only projects: how it is, for monitoring. */
export const projectorApp = ({ trustedProxies, ...options }: Omit<HealthOptions, 'metrics'> & Pick<AppOptions, 'trustedProxies'>): Hono => {
  const http = new Hono();
  const metrics = new Metrics();
  http.use('/api/*', metrics.measure, knowAddress(trustedProxies));
  http.route('/api', healthRoutes({ ...options, metrics }));
  http.onError((error, c) => {
    if (error instanceof ProblemError) return asAnswer(c, error);
    throw error;
  });
  http.all('*', (c) => c.text('This process projects: it answers /api/health and /api/metrics only.', 404));
  return http;
};

const notFound = (): ProblemError => new ProblemError('not-found', 'There is no such address.');
