import type { MiddlewareHandler } from 'hono';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { IDENTITY_PATH } from './identity.ts';
import { isCommandName } from '../../commands.ts';
import { isQueryName } from '../../queries.ts';
import { refusals } from '../../common/refusals.ts';
import type { MailState } from '../../mail/outbox.ts';
import type { Health } from './health.ts';

/**
 * Metrics for Prometheus. Routes are labelled by pattern and answers by the class of their status: ids, query strings and anything else that a
 * client chooses never become labels.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram;
  readonly #mails: (() => Promise<MailState>) | undefined;
  readonly #mail: Gauge;
  readonly #healthy: Gauge;
  readonly #reachable: Gauge;
  readonly #lagEvents: Gauge;
  readonly #lagSeconds: Gauge;
  readonly #modelWell: Gauge;

  /** `retries`: see Pipeline. `mails`: of all schools. `waiting`: requests by what they wait for. `sharedRuns`: see QueryCache. `bodyBytes`: see body.ts. */
  constructor({ retries = () => 0, mails, waiting = () => ({}), sharedRuns = () => 0, bodyBytes = () => 0 }: MetricsOptions = {}) {
    this.#requests = new Histogram({
      name: 'marktrail_http_request_seconds',
      help: 'Time from a request to its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2],
      registers: [this.#registry],
    });
    this.#count('marktrail_command_retries_total', 'Commands decided again because somebody else had written first', retries);
    this.#count('marktrail_shared_query_runs_total', 'Reads of answers that all who may see them share', sharedRuns);
    this.#registry.registerMetric(
      new Counter({
        name: 'marktrail_refused_by_limit_total',
        help: 'Requests, mails and attempts that a limit refused',
        labelNames: ['limit'],
        registers: [],
        collect() {
          this.reset();
          for (const [limit, count] of refusals()) this.inc({ limit }, count);
        },
      }),
    );
    this.#registry.registerMetric(
      new Gauge({
        name: 'marktrail_requests_waiting',
        help: 'Requests that wait now, by what for',
        labelNames: ['for'],
        registers: [],
        collect() {
          for (const [what, count] of Object.entries(waiting())) this.set({ for: what }, count);
        },
      }),
    );
    this.#registry.registerMetric(
      new Gauge({
        name: 'marktrail_body_bytes',
        help: 'Bytes that the larger bodies of requests under way take now',
        registers: [],
        collect() {
          this.set(bodyBytes());
        },
      }),
    );
    this.#mails = mails;
    this.#mail = new Gauge({
      name: 'marktrail_mails',
      help: 'Mails waiting, waiting after a failure, and given up in the last week',
      labelNames: ['state'],
      registers: [this.#registry],
    });
    this.#healthy = new Gauge({ name: 'marktrail_healthy', help: '1: /api/health says ok', registers: [this.#registry] });
    this.#reachable = new Gauge({
      name: 'marktrail_reachable',
      help: '1: the part answers. Without the log nothing is stored, without the database nothing is shown',
      labelNames: ['part'],
      registers: [this.#registry],
    });
    this.#lagEvents = this.#ofReadModels(
      'marktrail_read_model_lag_events',
      'Events of the log that the read model has not applied yet; counted up to 10000',
    );
    this.#lagSeconds = this.#ofReadModels(
      'marktrail_read_model_lag_seconds',
      'Since the oldest event that it has not applied yet was made',
    );
    this.#modelWell = this.#ofReadModels(
      'marktrail_read_model_running',
      '1: a process keeps it up to date, and it has not stopped at an event',
    );
  }

  /** Of Node, from when they are asked for first: the delay of the event loop is measured five times a second, for ever (by default a hundred times). */
  #ofProcess(): void {
    if (!this.#isOfProcess) collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 200 });
    this.#isOfProcess = true;
  }
  #isOfProcess = false;

  /** A counter that takes its value when it is collected. */
  #count(name: string, help: string, value: () => number): void {
    const counter = new Counter({
      name,
      help,
      registers: [],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
    this.#registry.registerMetric(counter);
  }

  #ofReadModels(name: string, help: string): Gauge {
    return new Gauge({ name, help, labelNames: ['model', 'version', 'shown'], registers: [this.#registry] });
  }

  readonly measure: MiddlewareHandler = async (c, next) => {
    const start = performance.now();
    await next();
    this.#series(c.req.method, routeOf(c.req.path), c.res.status).observe((performance.now() - start) / 1000);
  };

  /** Cached, because finding a series by its labels costs more than counting. */
  #series(method: string, route: string, status: number): Series {
    const labels = [METHODS.has(method) ? method : '?', route, `${Math.floor(status / 100)}xx`] as const;
    const key = labels.join(' ');
    const series = this.#seriesOf.get(key) ?? this.#requests.labels(...labels);
    this.#seriesOf.set(key, series);
    return series;
  }
  readonly #seriesOf = new Map<string, Series>();

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** As they are now, with the state of the product. */
  async text({ status, database, log, projections }: Health): Promise<string> {
    this.#ofProcess();
    this.#healthy.set(status === 'ok' ? 1 : 0);
    this.#reachable.set({ part: 'database' }, Number(database));
    this.#reachable.set({ part: 'log' }, Number(log));
    const mails = database ? await this.#mails?.().catch(() => undefined) : undefined;
    for (const state of ['waiting', 'failing', 'givenUp'] as const) if (mails) this.#mail.set({ state }, mails[state]);
    // Builds come and go.
    for (const gauge of [this.#lagEvents, this.#lagSeconds, this.#modelWell]) gauge.reset();
    for (const { name, version, generation, serving, state, lag, lagSeconds } of projections) {
      const labels = { model: name, version: `${version}.${generation}`, shown: String(serving) };
      if (lag !== undefined) this.#lagEvents.set(labels, lag);
      if (lagSeconds !== undefined) this.#lagSeconds.set(labels, lagSeconds);
      this.#modelWell.set(labels, Number(state === 'running' || state === 'filling'));
    }
    return this.#registry.metrics();
  }
}

type MetricsOptions = {
  readonly sharedRuns?: () => number;
  readonly bodyBytes?: () => number;
  readonly retries?: () => number;
  readonly mails?: () => Promise<MailState>;
  readonly waiting?: () => Readonly<Record<string, number>>;
};

/** The series of one method, route and status. */
type Series = { observe(seconds: number): void };

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']);
const PLAIN = new Set(['/api/live', '/api/health', '/api/health/live', '/api/metrics', '/api/errors', '/api/status', '/api/security-log']);

/** A known route, or `?`: any other path would become a label that is kept for the life of the process. */
export const routeOf = (path: string): string => {
  const [, , kind, name = ''] = path.split('/');
  if (path.startsWith(`${IDENTITY_PATH}/`)) return IDENTITY_PATH;
  if (kind === 'commands') return `/api/commands/${isCommandName(name) ? name : '?'}`;
  if (kind === 'queries') return `/api/queries/${isQueryName(name) ? name : '?'}`;
  if (kind === 'door') return '/api/door';
  if (!path.startsWith('/api/')) return 'page';
  return PLAIN.has(path) ? path : '?';
};
