import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { described } from '../openapi/route-docs.ts';

const readModelHealth = z.object({
  name: z.string(),
  version: z.int(),
  generation: z.int(),
  state: z.enum(['running', 'filling', 'stopped', 'waiting', 'stale']),
  serving: z.boolean(),
  position: z.string(),
  lag: z
    .int()
    .exactOptional()
    .describe('Number of events not yet applied; `lagOrMore`: at least that many. Left out while the log is away.'),
  lagOrMore: z.boolean().exactOptional(),
  lagSeconds: z.number().exactOptional().describe('Age of the oldest of them.'),
});
export type ReadModelHealth = Answer<typeof readModelHealth>;

/**
 * The state of the product, public, with its `problems` as sentences for the operator. With `ok` and `degraded` it serves requests, with `down`
 * it does not: for a load balancer.
 */
export const healthState = z.looseObject({
  status: z.enum(['ok', 'degraded', 'down']),
  problems: z.array(z.string()),
  notes: z.array(z.string()).exactOptional().describe('What could be better although nothing is wrong, as sentences for the operator.'),
  database: z.boolean().describe('Whether the database of read models and identities responds, and whether the log does.'),
  log: z.boolean(),
  projections: z.array(readModelHealth).describe('Every build of a read model: the one that is served, and those that are being filled.'),
});
export type Health = Answer<typeof healthState>;

/** `/api/health`, `/api/health/live` and `/api/metrics`. */
export const healthRoutes = (health: () => Promise<Health>, metrics: Metrics): Hono => {
  const http = new Hono();
  http.get(
    '/health',
    described({ does: 'The state of the product; 503 if it cannot serve requests.', answers: healthState }),
    async (c) => {
      const found = await health();
      return c.json(found, found.status === 'down' ? 503 : 200);
    },
  );
  // For supervisors that restart a hanging process: says nothing about databases, which a new process would miss as well.
  http.get('/health/live', described({ does: 'Whether the process responds.', answers: alive }), (c) => c.json({ status: 'ok' }));
  http.get('/metrics', described({ does: 'Metrics for Prometheus.', answers: 'figures' }), (c) => metrics.answer(c, health));
  return http;
};

/** metrics.ts, which is given the state of the product too. */
type Metrics = { answer(c: Context, health: () => Promise<Health>): Promise<Response> };

const alive = z.object({ status: z.literal('ok') });
