import type { Context, MiddlewareHandler } from 'hono';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Health } from './health.ts';

/** Figures for Prometheus. Routes by their pattern: no id and no query string ever becomes a label. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram;
  readonly #healthy: Gauge;

  /** `retries`: see Pipeline. */
  constructor(retries: () => number) {
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'marktrail_http_request_seconds',
      help: 'Time from a request to its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2],
      registers: [this.#registry],
    });
    // It asks for its figure when it is collected.
    this.#registry.registerMetric(new Counter({
      name: 'marktrail_command_retries_total',
      help: 'Commands decided again because somebody else had written first',
      registers: [],
      collect() {
        this.reset();
        this.inc(retries());
      },
    }));
    this.#healthy = new Gauge({ name: 'marktrail_healthy', help: '1: /api/health says ok', registers: [this.#registry] });
  }

  readonly measure: MiddlewareHandler = async (c, next) => {
    const start = performance.now();
    await next();
    const [, area = '', kind = '', name = ''] = c.req.path.split('/');
    const route = kind === 'commands' || kind === 'queries' ? (c.res.status === 404 ? `/${area}/${kind}/?` : `/${area}/${kind}/${name}`) : `/${area}/${kind}`;
    this.#requests.observe({ method: c.req.method, route: c.res.status === 404 && kind !== 'commands' && kind !== 'queries' ? '?' : route, status: c.res.status },
      (performance.now() - start) / 1000);
  };

  async answer(c: Context, health: () => Promise<Health>): Promise<Response> {
    this.#healthy.set((await health()).status === 'ok' ? 1 : 0);
    return c.body(await this.#registry.metrics(), 200, { 'Content-Type': this.#registry.contentType });
  }
}
