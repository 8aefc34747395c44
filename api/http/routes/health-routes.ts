import { Hono } from 'hono';
import { z } from 'zod';
import { described } from '../openapi/route-docs.ts';
import type { Health } from './health.ts';
import { healthState } from './health.ts';
import type { Metrics } from './metrics.ts';

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

const alive = z.object({ status: z.literal('ok') });
