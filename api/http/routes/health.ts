import { Hono } from 'hono';
import { z } from 'zod';
import { heldFor } from '../../common/held-for.ts';
import { ProblemError } from '../../common/problems.ts';
import type { Answer } from '../../contract/answer.ts';
import { described } from '../openapi/route-docs.ts';
import { isOperator } from '../request/operator.ts';

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
 * The state of the product, for whoever runs it (`isOperator`), with its `problems` as sentences for the operator. With `ok` and `degraded` it serves requests, with `down`
 * it does not: for a load balancer.
 */
export const healthState = z.looseObject({
  status: z.enum(['ok', 'degraded', 'down']),
  problems: z.array(z.string()),
  notes: z.array(z.string()).exactOptional().describe('What could be better although nothing is wrong, as sentences for the operator.'),
  facts: z.array(z.string()).describe('How full the disk of DATA_DIR is, of when the last backup is, and the like, as sentences.'),
  database: z.boolean().describe('Whether the database of read models and identities responds, and whether the log does.'),
  log: z.boolean(),
  projections: z.array(readModelHealth).describe('Every build of a read model: the one that is served, and those that are being filled.'),
});
export type Health = Answer<typeof healthState>;

/** What strangers see: `ok` as long as requests are served. */
const servingState = z.object({ status: z.enum(['ok', 'down']) });
export const healthAnswer = z.union([healthState, servingState]);

export type HealthOptions = {
  readonly health: () => Promise<Health>;
  /** metrics.ts */
  readonly metrics: { readonly contentType: string; text(state: Health): Promise<string> };
  /** METRICS_TOKEN: see `isOperator`. */
  readonly metricsToken?: string | undefined;
  /** How long an answer is the same for everybody, in ms. */
  readonly heldMs?: { readonly health: number; readonly metrics: number } | undefined;
};

/** Both query the database and cost more than a page: more frequent requests get the last answer again. */
export const HELD_MS = { health: 1_000, metrics: 5_000 };

/** `/api/health`, `/api/health/live` and `/api/metrics`. */
export const healthRoutes = ({ health, metrics, metricsToken, heldMs = HELD_MS }: HealthOptions): Hono => {
  const http = new Hono();
  const state = heldFor(heldMs.health, health);
  const figures = heldFor(heldMs.metrics, async () => metrics.text(await state()));
  http.get(
    '/health',
    described({
      does: 'Whether requests can be served: 503 if not. Whoever asks from a private network, or with METRICS_TOKEN, is told what is wrong.',
      answers: healthAnswer,
    }),
    async (c) => {
      const found = await state();
      const serving = found.status === 'down' ? ('down' as const) : ('ok' as const);
      return c.json(isOperator(c, metricsToken) ? found : { status: serving }, serving === 'down' ? 503 : 200);
    },
  );
  // For supervisors that restart a hanging process: says nothing about databases, which a new process would miss as well.
  http.get('/health/live', described({ does: 'Whether the process responds.', answers: alive }), (c) => c.json({ status: 'ok' }));
  http.get(
    '/metrics',
    described({ does: 'Metrics for Prometheus, asked from a private network or with METRICS_TOKEN as bearer token.', answers: 'figures' }),
    async (c) => {
      if (!isOperator(c, metricsToken)) throw new ProblemError('not-authenticated', 'The metrics are for whoever runs Marktrail.');
      return c.body(await figures(), 200, { 'Content-Type': metrics.contentType });
    },
  );
  return http;
};

const alive = z.object({ status: z.literal('ok') });
