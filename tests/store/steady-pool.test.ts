import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { steadyPool } from '../../events/store/postgres/pool.ts';

/**
 * Seen with pg_terminate_backend, once in some fifty times: the connection ends as it is made. pg reads "ready" and "you are terminated"
 * in one go, hands the connection over between the two, and whoever asked for it listens a microtask too late: an 'error' that nobody
 * listens to ends the process. Here a server sends both in one packet.
 */
const message = (type: string, ...body: Buffer[]): Buffer => {
  const content = Buffer.concat(body);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
};
const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const terminated = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'));

const uncaught: unknown[] = [];
const note = (error: unknown) => void uncaught.push(error);
const listeners = process.listeners('uncaughtException');
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, terminated])));
});

beforeEach(async () => {
  process.removeAllListeners('uncaughtException').on('uncaughtException', note);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(() => {
  process.off('uncaughtException', note);
  for (const listener of listeners) process.on('uncaughtException', listener);
  server.close();
});

test('a connection that ends in the message that says it is ready fails its query, and no more than that', async () => {
  const pool = steadyPool({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, user: 'any' });
  const client = await pool.connect();
  await expect(client.query('select')).rejects.toThrow();
  client.release(true);
  await pool.end();
  expect(uncaught).toEqual([]);
});
