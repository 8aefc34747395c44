/**
 * The limit for commands over HTTP: the product's server and framework, with one durable insert of the request's text per request, on at
 * most 8 connections.
 */
import { Hono } from 'hono';
import pg from 'pg';
import { listen } from '../../run/http/http-server.ts';
import { insertText } from '../raw-table.ts';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8, options: '-c search_path=bench' });
const app = new Hono();
app.post('/api/commands/:name', async (c) => {
  const { rows } = await pool.query<{ position: string }>({ ...insertText, values: [await c.req.text()] });
  return c.json({ position: rows[0]?.position });
});

const http = await listen({ port: 0, host: '127.0.0.1' });
http.answerWith((request, environment) => app.fetch(request, environment));
console.log(`ready on http://127.0.0.1:${http.port}`);

const end = async (): Promise<void> => {
  await http.close();
  await pool.end();
  process.exit(0);
};
process.once('SIGTERM', () => void end());
process.once('disconnect', () => process.exit(0));
