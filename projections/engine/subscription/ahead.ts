import type { ClientBase } from 'pg';
import { schoolOf } from '../../../events/store/port.ts';
import { eachInTurn } from '../../../events/async/in-turn.ts';
import type { Ready } from '../tables/table-sql.ts';
import { type ChunkRows, foldRaw, type Placed, statementsOf, type Work, workingRows } from './fold.ts';
import { allOf, Storing } from './storing.ts';

/** Events that were folded before their transaction has begun: the rows that they changed, and what stores these. */
export type Folded = {
  readonly rows: ReadonlyMap<Placed, ChunkRows>;
  readonly statements: readonly Ready[];
  /** it was stored, together with the checkpoints */
  isStored: boolean;
};

/**
 * Loads and folds these events while another connection stores those before them, so that neither this process nor PostgreSQL waits for the
 * other. What was read only counts if nobody else has written before the transaction begins: `advance` checks the checkpoints.
 *
 * @param client can pipeline
 * @param before the events before them, if these are not committed yet: rows that they changed are taken from there
 * @returns undefined if this would be too much to be in memory at once; when it rejects, nothing is being loaded any more
 */
export const foldAhead = async (client: ClientBase, works: readonly Work[], before?: Folded): Promise<Folded | undefined> => {
  const begun = works.map((work) => begin(client, work, before?.rows.get(work.model)));
  // Checked before anything is loaded in vain.
  if ((await allOf(begun.map((one) => one.isTooMuch()))).includes(true)) return undefined;
  await allOf(begun.map((one) => one.load()));
  const rows = new Map<Placed, ChunkRows>();
  const statements: Ready[] = [];
  for (const one of begun) {
    await one.apply();
    for (const table of Object.values(one.rows)) table.loaded();
    for (const statement of await statementsOf(one.rows)) statements.push(statement);
    rows.set(one.model, one.rows);
  }
  return { rows, statements, isStored: false };
};

/** Stores them in the client's transaction. `commit`: as for `fold`. When it rejects, nothing is being stored any more. */
export const store = async (client: ClientBase, folded: Folded, commit: Ready): Promise<void> => {
  const storing = new Storing(client, false);
  storing.give([...folded.statements, commit]);
  await storing.stored();
  folded.isStored = true;
};

/** The steps for one projection, in this order. */
type Begun = {
  readonly model: Placed;
  readonly rows: ChunkRows;
  readonly isTooMuch: () => Promise<boolean>;
  readonly load: () => Promise<void>;
  readonly apply: () => Promise<void>;
};

const begin = (client: ClientBase, { model, recorded, decoded }: Work, before: ChunkRows | undefined): Begun => {
  const { projection, types } = model;
  if (projection.raw) {
    const schools = recorded.map(({ stream }) => schoolOf(stream));
    const rows = workingRows(client, model, schools, before);
    const load = async (): Promise<void> => foldRaw(client, { ...model, projection }, recorded, rows);
    return { model, rows, isTooMuch: () => Promise.resolve(false), load, apply: () => Promise.resolve() };
  }
  const events = decoded.filter(({ type }) => types.has(type));
  const schools = events.map(({ metadata }) => metadata.schoolId);
  const rows = workingRows(client, model, schools, before);
  return {
    model,
    rows,
    isTooMuch: async () => events.length > 0 && ((await projection.chunks?.(events, rows)) ?? []).length > 1,
    load: async () => (events.length > 0 ? projection.load(events, rows) : undefined),
    apply: () => eachInTurn(events, (event) => projection.apply(event, rows)),
  };
};
