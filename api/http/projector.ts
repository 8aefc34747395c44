import { Hono } from 'hono';
import type { Health } from './health.ts';
import { Metrics } from './metrics.ts';

/** What a process answers that only projects: how it is, for those who watch over it. */
export const projectorApp = (health: () => Promise<Health>): Hono => {
  const http = new Hono();
  const metrics = new Metrics(() => 0);
  http.use('/api/*', metrics.measure);
  http.get('/api/health', async (c) => {
    const found = await health();
    return c.json(found, found.status === 'down' ? 503 : 200);
  });
  http.get('/api/health/live', (c) => c.json({ status: 'ok' }));
  http.get('/api/metrics', (c) => metrics.answer(c, health));
  http.all('*', (c) => c.text('This process projects: it answers /api/health and /api/metrics only.', 404));
  return http;
};
