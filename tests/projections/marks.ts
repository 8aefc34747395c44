import { randomUUID } from 'node:crypto';
import type { Decode } from '../../projections/engine/subscription/advance.ts';
import { Engine } from '../../projections/engine/engine.ts';
import type { Backoff } from '../../events/async/backoff.ts';
import { Progress } from '../../projections/engine/announcing/progress.ts';
import { projection, type DecodedEvent, type Projection } from '../../projections/engine/projection.ts';
import type { Recognise } from '../../projections/engine/subscription/same-log.ts';
import { json, table } from '../../projections/engine/tables/table.ts';
import type { EventStore, NewEvent, RecordedEvent } from '../../events/store/port.ts';

/**
 * A small world for the engine's tests: marks are given and taken back, and two read models watch.
 * Any mark of 13 is poison to `sums` alone.
 */
export type MarkEvent =
  | { readonly type: 'MarkGiven'; readonly data: { readonly studentId: string; readonly testId: string; readonly mark: number } }
  | { readonly type: 'MarkTaken'; readonly data: { readonly studentId: string; readonly testId: string } };

export const cellsTable = table('cells', {
  key: { student_id: 'uuid', test_id: 'uuid' },
  columns: { mark: 'int4', changes: json<readonly number[]>(), last_at: 'timestamptz', authors: 'text[]' },
  indexes: [['school_id', 'test_id'], { columns: ['school_id', 'mark'], late: true }],
});

/** Every mark, with what it was before. */
export const cells = (version = 1, tables = { cells: cellsTable }): Projection =>
  projection<MarkEvent>()({
    name: 'cells',
    version,
    tables,
    on: ['MarkGiven', 'MarkTaken'],
    async load(events, rows) {
      await rows.cells.load(events.map(keyOf));
    },
    apply(event, rows) {
      const row = rows.cells.get(keyOf(event));
      if (event.type === 'MarkTaken') return rows.cells.delete(keyOf(event));
      const { mark } = event.data;
      rows.cells.put({
        ...keyOf(event),
        mark,
        changes: [...(row?.changes ?? []), mark],
        last_at: event.metadata.at,
        authors: [...new Set([...(row?.authors ?? []), event.metadata.actor.accountId])],
      });
    },
    channels: (event) => [`test:${event.data.testId}`],
  });

export const sumsTable = table('sums', { key: { test_id: 'uuid' }, columns: { total: 'int8', given: 'int4' } });

let cured = false;
/** Poison is harmless from now on, or harmful again. */
export const cure = (value = true): void => {
  cured = value;
};

/** A counter, because adding twice shows where setting twice would not. */
export const sums = projection<MarkEvent>()({
  name: 'sums',
  version: 1,
  tables: { sums: sumsTable },
  on: ['MarkGiven'],
  async load(events, rows) {
    await rows.sums.load(events.map(({ metadata, data }) => ({ school_id: metadata.schoolId, test_id: data.testId })));
  },
  apply({ metadata, data }, rows) {
    if (data.mark === 13 && !cured) throw new Error('thirteen is too much');
    const key = { school_id: metadata.schoolId, test_id: data.testId };
    const row = rows.sums.get(key);
    rows.sums.put({ ...key, total: (row?.total ?? 0n) + BigInt(data.mark), given: (row?.given ?? 0) + 1 });
  },
});

const keyOf = ({ metadata, data }: { metadata: { schoolId: string }; data: { studentId: string; testId: string } }) => ({
  school_id: metadata.schoolId,
  student_id: data.studentId,
  test_id: data.testId,
});

/** Events as the log holds them. */
export const given = (schoolId: string, testId: string, marks: readonly number[], studentId?: string): NewEvent[] =>
  marks.map((mark) => recordedAs(schoolId, 'MarkGiven', { studentId: studentId ?? randomUUID(), testId, mark }));
export const taken = (schoolId: string, testId: string, studentId: string): NewEvent =>
  recordedAs(schoolId, 'MarkTaken', { studentId, testId });
export const unrelated = (schoolId: string): NewEvent => recordedAs(schoolId, 'SchoolRenamed', {});

const recordedAs = (schoolId: string, type: string, data: object): NewEvent => ({
  id: randomUUID(),
  type,
  data: JSON.stringify(data),
  metadata: JSON.stringify({ schoolId, at: '2026-09-01T08:00:00.000Z', actor: { accountId: 'ms "Q", {x}' } }),
});

export const decode: Decode = async (events) =>
  events.map((event: RecordedEvent): DecodedEvent => ({ ...event, data: JSON.parse(event.data), metadata: JSON.parse(event.metadata) }));

export const RETRY = { firstMs: 20, longestMs: 50 };

/** An engine that has caught up and follows, with the progress that it tells. */
export const startedEngine = async ({
  url,
  store,
  projections = [cells(), sums],
  retry = RETRY,
  ...options
}: {
  url: string;
  store: EventStore;
  projections?: readonly Projection[];
  recognise?: Recognise;
  retry?: Backoff;
  decode?: Decode;
  tell?: (line: string) => void;
}): Promise<{ engine: Engine; progress: Progress; stop: () => Promise<void> }> => {
  const progress = new Progress({ databaseUrl: url });
  const engine = new Engine({ databaseUrl: url, store, decode, projections, progress, retry, ...options });
  await engine.catchUp();
  await progress.start();
  engine.start();
  return {
    engine,
    progress,
    stop: async () => {
      await engine.stop();
      await progress.stop();
    },
  };
};
