import { readFile } from 'node:fs/promises';
import type { Actor } from '../../api/actor.ts';
import type { CommandName } from '../../api/commands.ts';
import type { ChosenFile, CsvRefusal } from '../../api/contract/csv/file.ts';
import { uuidv5 } from '../../events/codec/ids.ts';
import type { Backend } from '../backend.ts';
import { commandClient } from '../command-client.ts';
import type { Calendar } from './calendar.ts';

/** Always the same, so that an interrupted build is finished at the next start. */
export const SCHOOL = '5c0015c0-0000-4000-8000-000000000001';

/** Executes the commands of the build one after the other, each at its own time. */
export class Builder {
  readonly calendar: Calendar;
  readonly #backend: Backend;

  constructor(backend: Backend, calendar: Calendar) {
    this.#backend = backend;
    this.calendar = calendar;
  }

  /**
   * See `commandClient`: the same act is never done twice. The passwords are public, so the rules for passwords do not apply.
   *
   * @throws Error if anything was refused, even if the rest was stored: a mistake in the code
   */
  readonly done = async (actor: Actor, act: string, name: CommandName, body: unknown): Promise<Record<string, string>> => {
    const answer = await commandClient(this.#backend.bus, actor, { anyPassword: true, at: this.calendar.next() })(act, name, body);
    const refused: unknown = answer['refused'];
    if (Array.isArray(refused) && refused.length > 0)
      throw new Error(`Of ${name} "${act}" was refused: ${JSON.stringify(refused.slice(0, 3))}`);
    return answer;
  };

  /** An id that an act chooses itself, such as that of a grid that is saved. */
  readonly idOf = (act: string): string => uuidv5(act, SCHOOL);

  /** Waits until the read models show everything done so far: what somebody sees before an upload goes into its event. */
  async settled(): Promise<void> {
    const { store, progress } = this.#backend;
    await progress.waitFor(READ_MODELS, await store.head(), 60_000);
  }

  /** Rows of the read models as they are after everything done so far. `$1` is the school. */
  async rows<Row extends object>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    await this.settled();
    return this.#backend.readAs(SCHOOL, (query) => query<Row>(sql, [...values]));
  }

  /** The students' own ids, by StudentID. */
  async studentIds(admissionNos: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.rows<{ no: string; id: string }>(
      `select admission_no as no, student_id as id from students where school_id = $1 and admission_no = any($2::text[])`,
      [admissionNos],
    );
    return new Map(found.map(({ no, id }) => [no, id]));
  }
}

const READ_MODELS = ['structure', 'roster', 'assessments', 'results', 'mappings', 'revision_lists', 'prior', 'tasks'];

/** A file of the demo's data, in `mathexam` or `history`. */
export const file = async (path: string): Promise<ChosenFile> => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  type: 'text/csv',
  bytes: await readFile(new URL(path, import.meta.url)),
});

export const accepted = <T extends { readonly ok: true }>(parsed: T | CsvRefusal): T => {
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
};

/** @throws Error if it is missing: a mistake in the code */
export const there = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new Error(`The demo school has no ${what}`);
  return value;
};
