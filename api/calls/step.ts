import type { z } from 'zod';
import type { ProblemError } from '../common/problems.ts';
import type { Answer } from '../contract/answer.ts';
import type { CommandCalls } from '../contracts.ts';

/** A command that a call gives. */
export type Step = {
  /** Undefined: the rows are as they should be, and only have their ids told. */
  readonly command: keyof CommandCalls | undefined;
  readonly body: object;
  /** The row of the request that it stores, the first of them if several. */
  readonly row: number;
  /** Those of its rows that are entries in lists of its body: see `together`. */
  readonly entries?: readonly Entry[];
  /** The id of each row that it stores, by the row's place. */
  readonly ids: (result: unknown) => readonly (readonly [row: number, id: string])[];
  /** Of a command that is answered with what it refused. */
  readonly refusal?: (result: unknown) => ProblemError | undefined;
};

/** A row as an entry in a list of a command. */
type Entry = {
  readonly row: number;
  /** The rest of the body, with its lists empty. */
  readonly of: object;
  readonly list: string;
  readonly is: unknown;
  /** The id of the row, by the result and its place in the list. */
  readonly id: (result: unknown, index: number) => string | undefined;
};

type Input<Name extends keyof CommandCalls> = z.input<CommandCalls[Name]['input']>;
type Result<Name extends keyof CommandCalls> = Answer<CommandCalls[Name]['result']>;

/** The command for one row. `id`: of the row, or from the command's result. */
export const step = <Name extends keyof CommandCalls>(
  row: number,
  command: Name,
  body: Input<Name>,
  id: string | ((result: Result<Name>) => string),
): Step => ({
  command,
  body,
  row,
  // Safe: the answer is held to the command's schema.
  ids: (result) => [[row, typeof id === 'string' ? id : id(result as Result<Name>)]],
});

/**
 * The command for a row that is an entry in one of its lists. `of`: the rest of its body, with its lists empty. `id`: of the row, or from the
 * command's result, by its place in the list.
 */
export const entry = <Name extends keyof CommandCalls, List extends keyof Input<Name> & string>(
  row: number,
  command: Name,
  of: Input<Name>,
  [list, is]: readonly [list: List, is: NonNullable<Input<Name>[List]> extends readonly (infer One)[] ? One : never],
  id: string | ((result: Result<Name>, index: number) => string | undefined),
): Step =>
  // Safe: the answer is held to the command's schema.
  ofEntries(command, [{ row, of, list, is, id: (result, index) => (typeof id === 'string' ? id : id(result as Result<Name>, index)) }]);

/** The commands for rows of a table: those that differ in their entries only are given as one, which stores all of them or none. */
export const together = (steps: readonly Step[]): readonly Step[] =>
  [...Map.groupBy(steps, (one) => (one.entries ? JSON.stringify([one.command, one.entries[0]?.of]) : one)).values()].flatMap((alike) => {
    const [first] = alike;
    const entries = alike.flatMap((one) => one.entries ?? []).toSorted((one, other) => one.row - other.row);
    return entries.length > 1 ? ofEntries(first?.command, entries) : alike;
  });

const ofEntries = (command: Step['command'], entries: readonly Entry[]): Step => {
  const lists = Map.groupBy(entries, ({ list }) => list);
  return {
    command,
    body: { ...entries[0]?.of, ...Object.fromEntries([...lists].map(([list, ofList]) => [list, ofList.map(({ is }) => is)])) },
    row: entries[0]?.row ?? 0,
    ids: (result) =>
      [...lists.values()].flatMap((ofList) =>
        ofList.flatMap(({ row, id }, index) => {
          const of = id(result, index);
          return of === undefined ? [] : [[row, of] as const];
        }),
      ),
    entries,
  };
};

/** Where the request has what is at a path of a command's body. */
export const pathInRequest = ({ row, entries = [] }: Step, path: string): string => {
  const [list, index, ...rest] = path.split('.');
  const found = entries.filter((one) => one.list === list)[Number(index)];
  return ['data', found?.row ?? row, ...(found ? rest : [path])].filter((part) => part !== '').join('.');
};

/** The command for several rows, each with its id. */
export const stepOfRows = <Name extends keyof CommandCalls>(
  rows: readonly (readonly [row: number, id: string])[],
  command: Name,
  body: Input<Name>,
  refusal?: (result: Result<Name>) => ProblemError | undefined,
): Step => ({
  command,
  body,
  row: rows[0]?.[0] ?? 0,
  ids: () => rows,
  ...(refusal === undefined ? {} : { refusal: (result: unknown) => refusal(result as Result<Name>) }),
});

/** Rows that are there already. */
export const nothingToDo = (rows: readonly (readonly [row: number, id: string])[]): Step => ({
  command: undefined,
  body: {},
  row: rows[0]?.[0] ?? 0,
  ids: () => rows,
});
