import type pg from 'pg';
import { type Cell, emptyCell, reading, withChange, withRedone, withUndone } from '../../events/marks/cell.ts';
import { decodeCell, encodeCell, type StoredCell } from '../../events/marks/cell-text.ts';
import { submissionIn } from '../../events/marks/submission.ts';
import { codec, type Codec } from '../../events/codec/codec.ts';
import { fromColumns } from '../../events/codec/columnar.ts';
import { keyRing } from '../../events/codec/keys.ts';
import { openMasterKey } from '../../events/codec/master-key.ts';
import { eventTypes, type RecordedEvent } from '../../events/registry.ts';
import { type EventStore, NO_SCHOOL, schoolOf } from '../../events/store/port.ts';
import { postgresStore } from '../../events/store/postgres.ts';
import { steadyPool } from '../../events/store/postgres/pool.ts';

/**
 * Computes the marks from the log alone: decodes every event, folds every cell with events/marks/cell.ts and adds them up here, without the
 * projection. `differences` compares the result with the read model of the same database.
 *
 * The folded state is kept, so that asking again only reads new events.
 */
export class MarksByFold {
  readonly #pool: pg.Pool;
  readonly #store: EventStore;
  readonly #codec: Codec<typeof eventTypes>;
  readonly #cells = new Map<string, Cell>();
  readonly #saves = new Map<string, Save>();
  readonly #papers = new Map<string, ReadonlyMap<string, number>>();
  /** What each student has confirmed last, by test and student. */
  readonly #own = new Map<string, ReadonlyMap<string, number>>();
  #position = 0n;

  /** Omitted `masterKey`: the one in `dataDir`; omitted `store`: the log is in the database. Close it before the database. */
  static async open({ databaseUrl, dataDir, masterKey, store }: Where): Promise<MarksByFold> {
    const pool = steadyPool({ connectionString: databaseUrl, max: 2 });
    pool.on('error', () => undefined);
    const keys = keyRing({ pool, masterKey: await openMasterKey({ pool, dataDir, masterKey }) });
    return new MarksByFold(pool, store ?? postgresStore({ connectionString: databaseUrl }), codec({ registry: eventTypes, keys }));
  }

  private constructor(pool: pg.Pool, store: EventStore, events: Codec<typeof eventTypes>) {
    this.#pool = pool;
    this.#store = store;
    this.#codec = events;
  }

  async close(): Promise<void> {
    await this.#store.close();
    await this.#pool.end();
  }

  /** The cells that each save of marks wrote, by command id. */
  async saves(): Promise<ReadonlyMap<string, Save>> {
    await this.#advance();
    return this.#saves;
  }

  /** One line per row that is wrong, missing or surplus in read.results, read.markbook, read.tallies or read.saves. Empty: they agree. */
  async differences(): Promise<string[]> {
    await this.#advance();
    const ofMarks = [...(await this.#cellDifferences()), ...(await this.#sheetDifferences()), ...(await this.#tallyDifferences())];
    return [...ofMarks, ...(await this.#saveDifferences())];
  }

  /** How much was compared. */
  get figures(): string {
    const changes = [...this.#cells.values()].reduce((sum, cell) => sum + cell.length, 0);
    return `${this.#cells.size} cells with ${changes} changes by ${this.#saves.size} saves, up to position ${this.#position}`;
  }

  async #advance(): Promise<void> {
    for await (const recorded of this.#store.readAll(this.#position === 0n ? 'start' : this.#position)) {
      // The identity of the log is no event of a school.
      if (schoolOf(recorded.stream) !== NO_SCHOOL) {
        const [event] = await this.#codec.decode([recorded], (stream, from) => this.#store.read(stream, from));
        if (event) this.#fold(event);
      }
      this.#position = recorded.position;
    }
  }

  #fold(event: RecordedEvent): void {
    switch (event.type) {
      case 'QuestionsUploaded':
      case 'QuestionsEdited':
        this.#papers.set(
          idIn(event.stream),
          new Map(event.data.questions.map(({ questionId, marksAvailable }) => [questionId, marksAvailable])),
        );
        break;
      case 'TotalsUploaded':
      case 'MarksUploaded':
      case 'MarksEntered':
      case 'MarkDecided': {
        const { commandId: command } = event.metadata;
        const entry = idIn(event.stream);
        const changes = fromColumns(event.data.marks);
        const keys = changes.map(({ cell, studentId }) =>
          keyOf(cell.testId, cell.questionId ?? cell.testId, cell.kind[0] ?? '', studentId),
        );
        changes.forEach(({ is, was }, index) => {
          this.#change(keys[index] ?? '', (cell) => withChange(cell, { event: event.id, command, entry, is, was }));
        });
        if (this.#saves.has(command)) throw new Error(`the log holds two events of the command ${command}`);
        this.#saves.set(command, { keys, undone: false, uploaded: event.type === 'TotalsUploaded' || event.type === 'MarksUploaded' });
        break;
      }
      case 'SubmissionSaved':
      case 'SubmissionReopened':
      case 'SubmissionConfirmed': {
        const { testId, studentId } = submissionIn(event.stream);
        const at = `${testId} ${studentId}`;
        const marks = event.type === 'SubmissionConfirmed' ? event.data.ownMarks : undefined;
        this.#own.set(at, marks ? new Map(marks.map(({ questionId, mark }) => [questionId, mark])) : (this.#own.get(at) ?? new Map()));
        break;
      }
      case 'CommandUndone':
      case 'CommandRedone': {
        const { commandId } = event.data;
        const save = this.#saves.get(commandId);
        if (!save) break;
        const isUndone = event.type === 'CommandUndone';
        for (const key of save.keys) this.#change(key, (cell) => (isUndone ? withUndone : withRedone)(cell, commandId));
        this.#saves.set(commandId, { ...save, undone: isUndone });
        break;
      }
    }
  }

  #change(key: string, change: (cell: Cell) => Cell): void {
    this.#cells.set(key, change(this.#cells.get(key) ?? emptyCell));
  }

  async #cellDifferences(): Promise<string[]> {
    const rows = await this.#rows<ResultRow>(
      'select test_id, item_id, kind, student_id, mark, attendance, contested, uploaded, cell from read.results',
    );
    const stored = new Map(rows.map((row) => [keyOf(row.test_id, row.item_id, row.kind, row.student_id), row]));
    const expected = new Map([...this.#cells].map(([key, cell]) => [key, this.#cellText(cell, key.split(' ')[2] === 'a')]));
    return differing('read.results', expected, new Map([...stored].map(([key, row]) => [key, rowText(row)])));
  }

  async #sheetDifferences(): Promise<string[]> {
    const rows = await this.#rows<Sheet & { test_id: string; student_id: string }>(
      'select test_id, student_id, total, marks_sum, marks_count, marks_above, effective_sum, effective_count, total_contested, marks_contested, attendance, attendance_contested from read.markbook',
    );
    const stored = new Map(rows.map(({ test_id, student_id, ...sheet }) => [`${test_id} ${student_id}`, sheetText(sheet)]));
    return differing('read.markbook', new Map([...this.#sheets()].map(([key, sheet]) => [key, sheetText(sheet)])), stored);
  }

  /** The sum of a student's cells on a test; only marks of questions on its paper. */
  #sheets(): Map<string, Sheet> {
    const sheets = new Map<string, Sheet>();
    for (const [key, cell] of this.#cells) {
      const [test = '', item = '', kind, student = ''] = key.split(' ');
      const at = `${test} ${student}`;
      const sheet = sheets.get(at) ?? { ...NO_MARKS };
      sheets.set(at, sheet);
      const max = this.#papers.get(test)?.get(item);
      if (kind === 'm' && max === undefined) continue;
      const { mark, attendance, contested } = this.#standing(cell, kind === 'a');
      if (kind === 't') [sheet.total, sheet.total_contested] = [mark, contested];
      if (kind === 'a') [sheet.attendance, sheet.attendance_contested] = [attendance, contested];
      if (kind === 'm' && mark !== null) {
        sheet.marks_sum += mark;
        sheet.marks_count += 1;
        if (max !== undefined && mark > max) sheet.marks_above += 1;
        sheet.effective_sum += mark;
        sheet.effective_count += 1;
      }
      if (kind === 'm' && contested) sheet.marks_contested += 1;
    }
    for (const [at, own] of this.#own) {
      const [test = '', student = ''] = at.split(' ');
      const sheet = sheets.get(at) ?? { ...NO_MARKS };
      sheets.set(at, sheet);
      for (const [question, mark] of own) {
        const byStaff = this.#cells.get(keyOf(test, question, 'm', student));
        if (!this.#papers.get(test)?.has(question) || (byStaff && this.#standing(byStaff, false).mark !== null)) continue;
        sheet.effective_sum += mark;
        sheet.effective_count += 1;
      }
    }
    return sheets;
  }

  async #tallyDifferences(): Promise<string[]> {
    const rows = await this.#rows<{ test_id: string; item_id: string; marks: number[]; students: number[]; contested: number }>(
      `select test_id, item_id, marks, students, contested from read.tallies where marks <> '{}' or contested <> 0`,
    );
    const stored = new Map(rows.map(({ test_id, item_id, ...row }) => [`${test_id} ${item_id}`, tallyText(row)]));
    return differing('read.tallies', this.#tallies(), stored);
  }

  /** By question: each mark that counts with how many have it, and how many of staff's are contested. */
  #tallies(): Map<string, string> {
    const given = new Map<string, { marks: number[]; contested: number }>();
    const of = (key: string) => given.get(key) ?? given.set(key, { marks: [], contested: 0 }).get(key)!;
    for (const [key, cell] of this.#cells) {
      const [test = '', item = '', kind, student = ''] = key.split(' ');
      if (kind !== 'm') continue;
      const { mark, contested } = this.#standing(cell, false);
      const counting = mark ?? this.#own.get(`${test} ${student}`)?.get(item);
      if (counting !== undefined) of(`${test} ${item}`).marks.push(counting);
      if (contested) of(`${test} ${item}`).contested += 1;
    }
    for (const [at, own] of this.#own) {
      const [test = '', student = ''] = at.split(' ');
      for (const [item, mark] of own) if (!this.#cells.has(keyOf(test, item, 'm', student))) of(`${test} ${item}`).marks.push(mark);
    }
    return new Map(
      [...given].map(([key, { marks, contested }]) => {
        const counts = [...Map.groupBy(marks, (mark) => mark)].toSorted(([a], [b]) => a - b);
        return [key, tallyText({ marks: counts.map(([mark]) => mark), students: counts.map(([, all]) => all.length), contested })];
      }),
    );
  }

  #cellText(cell: Cell, isAttendance: boolean): string {
    return textOf(this.#standing(cell, isAttendance), cell);
  }

  #standing(cell: Cell, isAttendance: boolean): Standing {
    const now = reading(cell);
    const value = now.state === 'empty' || now.value === 'cleared' ? null : now.value;
    const change = now.state === 'contested' ? now.changes[0] : now.state === 'counts' ? now.change : undefined;
    return {
      mark: typeof value === 'number' ? value : null,
      attendance: isAttendance && typeof value === 'string' ? value : null,
      contested: now.state === 'contested',
      uploaded: change !== undefined && this.#saves.get(change.command)?.uploaded === true,
    };
  }

  async #saveDifferences(): Promise<string[]> {
    const rows = await this.#rows<{ command_id: string; cells: number; undone: boolean }>(
      'select command_id, cells, undone from read.saves',
    );
    const stored = new Map(rows.map(({ command_id, cells, undone: isUndone }) => [command_id, `${cells} cells, undone ${isUndone}`]));
    const expected = new Map([...this.#saves].map(([command, save]) => [command, `${save.keys.length} cells, undone ${save.undone}`]));
    return differing('read.saves', expected, stored);
  }

  async #rows<Row extends object>(sql: string): Promise<Row[]> {
    return (await this.#pool.query<Row>(sql)).rows;
  }
}

type Where = { readonly databaseUrl: string; readonly dataDir: string; readonly masterKey?: string; readonly store?: EventStore };

/** Cells as `test item kind student`. */
export type Save = { readonly keys: readonly string[]; readonly undone: boolean; readonly uploaded: boolean };

type Sheet = {
  total: number | null;
  marks_sum: number;
  marks_count: number;
  marks_above: number;
  effective_sum: number;
  effective_count: number;
  total_contested: boolean;
  marks_contested: number;
  attendance: string | null;
  attendance_contested: boolean;
};
const NO_MARKS: Sheet = {
  total: null,
  marks_sum: 0,
  marks_count: 0,
  marks_above: 0,
  effective_sum: 0,
  effective_count: 0,
  total_contested: false,
  marks_contested: 0,
  attendance: null,
  attendance_contested: false,
};
type Standing = {
  readonly mark: number | null;
  readonly attendance: string | null;
  readonly contested: boolean;
  readonly uploaded: boolean;
};
type ResultRow = Standing & { test_id: string; item_id: string; kind: string; student_id: string; cell: StoredCell };

const idIn = (stream: string): string => stream.slice(stream.indexOf('.') + 1);

const keyOf = (test: string, item: string, kind: string, student: string): string => `${test} ${item} ${kind} ${student}`;

const textOf = ({ mark, attendance, contested, uploaded }: Standing, cell: Cell): string =>
  `${mark} ${attendance} ${contested} ${uploaded} ${encodeCell(cell)}`;

/** Decoded and encoded again, because the database formats white space differently. */
const rowText = (row: ResultRow): string => textOf(row, decodeCell(row.cell));

const sheetText = (sheet: Sheet): string =>
  `total ${sheet.total}, marks ${sheet.marks_sum} in ${sheet.marks_count}, ${sheet.marks_above} above, ${sheet.effective_sum} in ${sheet.effective_count} count, contested ${sheet.total_contested} ${sheet.marks_contested}, ${sheet.attendance} ${sheet.attendance_contested}`;

const tallyText = ({ marks, students, contested }: { marks: number[]; students: number[]; contested: number }): string =>
  `${marks.map((mark, at) => `${students[at]} have ${mark}`).join(', ')}; contested ${contested}`;

const differing = (table: string, expected: ReadonlyMap<string, string>, stored: ReadonlyMap<string, string>): string[] => [
  ...[...expected].flatMap(([key, text]) => {
    const found = stored.get(key);
    return found === text ? [] : [`${table} ${key}: ${found ?? 'no row'}, but the log says ${text}`];
  }),
  ...[...stored.keys()].flatMap((key) => (expected.has(key) ? [] : [`${table} ${key}: the log says nothing of it`])),
];
