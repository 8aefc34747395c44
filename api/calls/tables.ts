import { z } from 'zod';
import { uuidv5 } from '../../events/codec/ids.ts';
import type { Model } from '../common/models.ts';
import { invalidInput, validated } from '../common/problems.ts';
import type { CommandName } from '../commands.ts';
import { MAX_UPLOAD_ROWS } from '../contract/limits.ts';
import { repeated } from '../contract/names.ts';
import type { Call } from './call.ts';
import { call } from './call.ts';
import type { Caller } from './caller.ts';
import { at, listed, namedTwice, valuesBy, withListedNames } from './named.ts';
import type { Step } from './step.ts';
import { together } from './step.ts';

/**
 * A table of the generic writes, as far as an area writes it:
 *
 *     subject: table({
 *       behind: ['AddSubject', 'RenameSubject', 'RemoveSubject'],
 *       models: ['structure'],
 *       key: 'subjectid',
 *       columns: z.strictObject({ subject_name: z.string(), SchoolID: id.optional() }),
 *       add: byRow(({ place, values }) => step(place, 'AddSubject', ..., ({ subjectId }) => subjectId)),
 *       change: { subjectid: byRow(...) },
 *       remove: { subjectid: byRow(...) },
 *     }),
 *
 * Each becomes the commands of its rows; what it must look up for them it reads with the caller's rights, or leaves to the command, which
 * checks the right itself. A row that needs no command has none. POST adds the rows without a key, and changes those with one.
 * Rows that are entries of one command (`entry` in step.ts) are given together.
 */
export type Table = {
  /** The commands behind it. */
  readonly behind: readonly CommandName[];
  /** The read models that show what was written. */
  readonly models: readonly Model[];
  /** The column that is the id of a row. */
  readonly key: string;
  /** What a new row has. A change may name some of them. */
  readonly columns: z.ZodObject;
  /** Columns in which no two rows of a request are alike, as names are compared. */
  readonly unique?: readonly string[];
  readonly add?: (caller: Caller, rows: readonly never[]) => Promise<readonly Step[]>;
  /** By the key in whose terms the id is given: the table's own, or the `key` of a PUT. */
  readonly change?: Readonly<Record<string, (caller: Caller, rows: readonly never[]) => Promise<readonly Step[]>>>;
  /** By the table's own key, or the `altKey` of a DELETE. */
  readonly remove?: Readonly<Record<string, (caller: Caller, rows: readonly Removed[]) => Promise<readonly Step[]>>>;
  /** For docs/calls.md. */
  readonly differs?: string;
};

/** A row of a request, and its place in it. `key`: its id; null: it is new. Where a table has no `change` by its own key, rows with a key are added too. */
export type Added<Values> = { readonly place: number; readonly key: string | null; readonly values: Values };
export type Changed<Values> = { readonly place: number; readonly key: string; readonly values: Partial<Values> };
export type Removed = { readonly place: number; readonly key: string };

export const table = <Columns extends z.ZodObject>(
  definition: Omit<Table, 'columns' | 'add' | 'change'> & {
    readonly columns: Columns;
    readonly add?: (caller: Caller, rows: readonly Added<z.output<Columns>>[]) => Promise<readonly Step[]>;
    readonly change?: Readonly<Record<string, (caller: Caller, rows: readonly Changed<z.output<Columns>>[]) => Promise<readonly Step[]>>>;
  },
): Table => definition;

/** The steps of rows, each for itself. */
export const byRow =
  <Row>(stepsOf: (row: Row, caller: Caller) => Step | readonly Step[]) =>
  async (caller: Caller, rows: readonly Row[]): Promise<readonly Step[]> =>
    rows.flatMap((row) => stepsOf(row, caller));

export type Tables = Readonly<Record<string, Table>>;

/** The id of a link: the same for the same pair. */
export const linkId = (of: string, one: string, other: string): string => uuidv5(`${of} ${one} ${other}`, one);

/** An id in a path or key: opaque to whoever sends it back, and a uuid of any version. */
const anyId = z.guid('There is no such row.').toLowerCase();
const key = z.union([anyId, z.null()]);
const values = valuesBy('column', z.unknown());
const isNaming = (sent: object): boolean => Object.keys(sent).length > 0;

const posted = z.strictObject({
  table: z.string(),
  data: z
    .array(z.strictObject({ keyval: valuesBy('key', key), values }))
    .min(1)
    .max(MAX_UPLOAD_ROWS),
});
const put = z.strictObject({
  table: z.string(),
  key: z.string().optional(),
  values: values.refine(isNaming, 'Required.'),
});
const deleted = z.strictObject({
  table: z.string(),
  altKey: z.string().optional(),
  values: z.array(valuesBy('key', anyId).refine(isNaming, 'Required.')).min(1).max(MAX_UPLOAD_ROWS).optional(),
});

const writtenRows = z.object({
  insertids: z.array(z.string()).describe('The id of each row, in the order of the request.'),
  lastid: z.string().nullable().describe('The last of them; null: nothing was there to write.'),
});

/** The calls by which an area writes its tables. */
export const writesOf = (tables: Tables) => {
  const doing = (verb: 'add' | 'change' | 'remove') => Object.entries(tables).filter(([, one]) => one[verb] !== undefined);
  const named = (verb: 'add' | 'change' | 'remove', name: string): Table => {
    const offered = Object.fromEntries(doing(verb));
    return offered[listed('table', name, Object.keys(offered))]!;
  };
  const row = (
    verb: 'add' | 'change' | 'remove',
    purpose: string,
  ): Pick<Call, 'purpose' | 'behind'> & { readonly largest: 'upload'; readonly tables: readonly string[]; readonly differs: string } => ({
    purpose: `${purpose}: ${doing(verb)
      .map(([name]) => name)
      .join(', ')}.`,
    behind: [...new Set(doing(verb).flatMap(([, { behind }]) => behind))],
    largest: 'upload',
    tables: doing(verb).map(([name]) => name),
    differs: doing(verb)
      .flatMap(([name, { differs }]) => (differs === undefined ? [] : [`${name}: ${differs}`]))
      .join(' '),
  });
  const write = async (caller: Caller, { models }: Table, steps: readonly Step[]) => {
    const { ids } = await caller.write(together(steps), models);
    return { insertids: [...ids], lastid: ids.at(-1) ?? null };
  };
  return {
    post: call({
      ...row('add', 'Adds rows, and changes those whose key is given, of'),
      takes: posted,
      answers: writtenRows,
      adapt: async (caller, { takes }) => {
        const into = named('add', takes.table);
        const rows = takes.data.map(({ keyval, values: sent }, place) => {
          for (const name of Object.keys(keyval)) listed('key', name, [into.key]);
          const [id = null, ...others] = Object.values(keyval);
          if (others.length > 0) throw namedTwice('key', into.key);
          return { place, key: id, values: columnsOf(into, sent, id !== null, `data.${place}.values`) };
        });
        requireUnique(into.unique ?? [], rows);
        const changes = into.change?.[into.key];
        const added = rows.filter((one) => one.key === null || changes === undefined);
        const changed = rows.filter((one) => one.key !== null && changes !== undefined);
        return write(caller, into, [
          ...(added.length === 0 ? [] : ((await into.add?.(caller, added as never)) ?? [])),
          ...(changed.length === 0 ? [] : ((await changes?.(caller, changed as never)) ?? [])),
        ]);
      },
    }),
    put: call({
      ...row('change', 'Changes rows, by their own key or by the one that `key` names, of'),
      takes: put,
      answers: writtenRows,
      adapt: async (caller, { takes, id }) => {
        const into = named('change', takes.table);
        const by = listed('key', takes.key ?? into.key, Object.keys(into.change ?? {}));
        const row = { place: 0, key: validated(anyId, id), values: columnsOf(into, takes.values, true, 'values') };
        return write(caller, into, (await into.change?.[by]?.(caller, [row] as never)) ?? []);
      },
    }),
    delete: call({
      ...row(
        'remove',
        'Removes rows, by their own key, by the one that `altKey` names, or (`null` and `1` as the id) all that `values` list, of',
      ),
      takes: deleted,
      answers: writtenRows,
      adapt: async (caller, { takes, id }) => {
        const from = named('remove', takes.table);
        const by = listed('key', takes.altKey ?? from.key, Object.keys(from.remove ?? {}));
        const isList = id === 'null' || id === '1';
        if (isList && takes.values === undefined) throw invalidInput('values', 'Required.');
        const keys = isList ? keysIn(by, takes.values ?? []) : [validated(anyId, id)];
        return write(
          caller,
          from,
          (await from.remove?.[by]?.(
            caller,
            keys.map((one, place) => ({ key: one, place })),
          )) ?? [],
        );
      },
    }),
  };
};

/** @throws ProblemError `not-listed`, `invalid-input` */
const columnsOf = ({ columns }: Table, sent: Readonly<Record<string, unknown>>, isChange: boolean, path: string): object => {
  const named = withListedNames('column', columns, Object.entries(sent));
  return at(path, () => validated(isChange ? partOf(columns) : columns, named));
};

/** What one row of a request says, no other may say: nothing of it is written. @throws ProblemError `invalid-input`, naming the row */
export const requireUnique = (columns: readonly string[], rows: readonly { readonly place: number; readonly values: object }[]): void => {
  if (columns.length === 0) return;
  const whole = rows.flatMap(({ place, values: of }) => {
    const values: Readonly<Record<string, unknown>> = { ...of };
    return columns.every((column) => values[column] !== undefined) ? [{ place, is: columns.map((column) => String(values[column])) }] : [];
  });
  const twice = whole[repeated(whole.map(({ is }) => JSON.stringify(is.map((one) => one.trim()))))];
  if (!twice) return;
  const wrong = `Two rows have the same ${columns.join(' and ')}: ${twice.is[0]}. Nothing was stored.`;
  throw invalidInput(`data.${twice.place}.values.${columns[0]}`, wrong);
};

/** Made once: a new schema for each of thousands of rows would take seconds. */
const partOf = (columns: z.ZodObject): z.ZodObject => {
  const part = parts.get(columns) ?? columns.partial();
  parts.set(columns, part);
  return part;
};
const parts = new WeakMap<z.ZodObject, z.ZodObject>();

/** Of `values: [{subjectid: ..}, ..]`, all by the same key. */
const keysIn = (key: string, all: readonly Readonly<Record<string, string>>[]): string[] =>
  all.flatMap((one) =>
    Object.entries(one).map(([name, id]) => {
      listed('key', name, [key]);
      return id;
    }),
  );
