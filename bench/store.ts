/** (a) Appends to the event store, against inserts of single rows with the same text. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { openLog } from '../run/log/log.ts';
import { compared, type Figure, inTurn } from './figures.ts';
import type { Log } from './processes.ts';
import { insertText } from './raw-table.ts';

export const storeFigures = async (
  { databaseUrl, eventStoreUrl }: Log,
  { rounds, ms }: { rounds: number; ms: number },
  hear: (figure: Figure) => void,
): Promise<Figure[]> => {
  const store = await openLog({ databaseUrl, eventStoreUrl });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 8, options: '-c search_path=bench' });
  const append = (stream: string, revision: number) =>
    store.append(stream, [{ id: randomUUID(), type: TYPE, data, metadata }], revision === 0 ? 'none' : BigInt(revision - 1));
  const insert = () => pool.query({ ...insertText, values: [`[${data},${metadata}]`] });
  try {
    const figures: Figure[] = [];
    for (const [inFlight, connections, least] of [
      [1, 1, 0.5],
      [32, 8, 1],
    ] as const) {
      const pairs = await inTurn(
        rounds,
        () => {
          const streams = Array.from({ length: inFlight }, () => `bench-${randomUUID()}`);
          return perSecond(inFlight, ms, (writer, number) => append(streams[writer]!, number));
        },
        () => perSecond(connections, ms, insert),
      );
      const against = connections === 1 ? 'inserts/s on 1 connection' : `inserts/s on ${connections} connections`;
      const figure = compared(`store: appends/s, ${inFlight} in flight, against ${against}`, pairs, { is: '>=', than: least });
      figures.push(figure);
      hear(figure);
    }
    return figures;
  } finally {
    await store.close();
    await pool.end();
  }
};

/** How often `work` is done per second by this many workers, each sequentially. */
const perSecond = async (workers: number, ms: number, work: (worker: number, number: number) => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (let number = 0; performance.now() - start < ms; number++) {
        await work(worker, number);
        done += 1;
      }
    }),
  );
  return (done * 1000) / (performance.now() - start);
};

/** No read model handles this type. */
const TYPE = 'BenchmarkMeasured';

/** As large as a save of one cell. */
const data = JSON.stringify({
  subjectId: randomUUID(),
  seq: 1,
  marks: {
    columns: [{ cell: 'mark', testId: randomUUID(), questionId: randomUUID(), max: 3 }],
    students: [randomUUID()],
    is: [[2]],
    was: [[1]],
  },
  refused: [],
});
const metadata = JSON.stringify({
  commandId: randomUUID(),
  correlationId: randomUUID(),
  causationId: randomUUID(),
  actor: { accountId: randomUUID(), role: 'teacher', right: { by: 'sets', setIds: [randomUUID()] } },
  at: new Date(0).toISOString(),
  bodyTag: 'A'.repeat(22),
  schoolId: randomUUID(),
  schemaVersion: 1,
});
