import { parseArgs } from 'node:util';
import { startEventStore } from './server.ts';

/**
 * The stand-in as a process, for `EVENTSTORE_URL=esdb://127.0.0.1:PORT?tls=false npm start`:
 * `node tests/support/eventstoredb/main.ts [--port 2113] [--socket /tmp/log.sock] [--directory data/log] [--server-version 23.10.6]`
 * `--not-ready-for 500`: answers as not ready for this many milliseconds, like a true server that is starting.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    socket: { type: 'string' },
    directory: { type: 'string' },
    'server-version': { type: 'string' },
    'not-ready-for': { type: 'string' },
  },
});
const { port, socket, directory, 'server-version': serverVersion, 'not-ready-for': notReadyMs = '0' } = values;
const server = await startEventStore({
  ...(port === undefined ? {} : { port: Number(port) }),
  ...(socket === undefined ? {} : { socket }),
  ...(directory === undefined ? {} : { directory }),
  ...(serverVersion === undefined ? {} : { serverVersion }),
});
if (Number(notReadyMs) > 0) {
  server.faults.notReady();
  setTimeout(() => server.faults.clear(), Number(notReadyMs));
}
console.log(`A stand-in for EventStoreDB, for tests, answers on ${server.url}`);
// For the parent process: resets every connection.
process.on('SIGUSR2', () => server.cut());
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void server.stop().then(() => process.exit(0)));
