import type { ClientBase } from 'pg';
import { type RecordedEvent, schoolOf } from '../../../events/store/port.ts';
import type { DecodedEvent, DecodedProjection, RawProjection } from '../projection.ts';
import { eachInTurn } from '../tables/in-turn.ts';
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
 * Loads and folds these events while another connection stores those before them. So neither this process nor PostgreSQL waits for the
 * other. What was read counts only if nobody else has written until the transaction begins: `advance` looks at the checkpoints.
 *
 * @param client can pipeline
 * @param before the events before them, if these are not committed yet: rows that they changed are taken from there
 * @returns undefined if this would be too much to be in memory at once; when it rejects, nothing is being loaded any more
 */
export const foldAhead = async (client: ClientBase, works: readonly Work[], before?: Folded): Promise<Folded | undefined> => {
  const loaded = await allOf(works.map((work) => load(client, work, before?.rows.get(work.model))));
  const rows = new Map<Placed, ChunkRows>();
  const statements: Ready[] = [];
  for (const [n, { model }] of works.entries()) {
    const one = loaded[n];
    if (!one) return undefined;
    await one.apply();
    for (const table of Object.values(one.rows)) table.loaded();
    for (const statement of await statementsOf(one.rows)) statements.push(statement);
    rows.set(model, one.rows);
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

type Loaded = { readonly rows: ChunkRows; readonly apply: () => Promise<void> };

const load = (
  client: ClientBase,
  { model: { projection, ...model }, recorded, decoded }: Work,
  before: ChunkRows | undefined,
): Promise<Loaded | undefined> =>
  projection.raw
    ? loadRaw(client, { projection, ...model }, recorded, before)
    : loadDecoded(client, { projection, ...model }, decoded, before);

const loadDecoded = async (
  client: ClientBase,
  model: Placed<DecodedProjection>,
  all: readonly DecodedEvent[],
  before: ChunkRows | undefined,
): Promise<Loaded | undefined> => {
  const { projection, types } = model;
  const events = all.filter(({ type }) => types.has(type));
  const schools = events.map(({ metadata }) => metadata.schoolId);
  const rows = workingRows(client, model, schools, before);
  if (events.length > 0) {
    const chunks = (await projection.chunks?.(events, rows)) ?? [events];
    if (chunks.length > 1) return undefined;
    await projection.load(events, rows);
  }
  return { rows, apply: () => eachInTurn(events, (event) => projection.apply(event, rows)) };
};

const loadRaw = async (
  client: ClientBase,
  model: Placed<RawProjection>,
  events: readonly RecordedEvent[],
  before: ChunkRows | undefined,
): Promise<Loaded> => {
  const schools = events.map(({ stream }) => schoolOf(stream));
  const rows = workingRows(client, model, schools, before);
  await foldRaw(client, model, events, rows);
  return { rows, apply: () => Promise.resolve() };
};
