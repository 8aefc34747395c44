import { Hono } from 'hono';
import type { Health } from './routes/health.ts';
import { healthRoutes } from './routes/health.ts';
import { Metrics } from './routes/metrics.ts';

/** What a process answers that only projects: how it is, for monitoring. */
export const projectorApp = (health: () => Promise<Health>): Hono => {
  const http = new Hono();
  const metrics = new Metrics();
  http.use('/api/*', metrics.measure);
  http.route('/api', healthRoutes(health, metrics));
  http.all('*', (c) => c.text('This process projects: it answers /api/health and /api/metrics only.', 404));
  return http;
};
