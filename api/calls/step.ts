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
  /** The id of each row that it stores, by the row's place. */
  readonly ids: (result: unknown) => readonly (readonly [row: number, id: string])[];
  /** Of a command that is answered with what it refused. */
  readonly refusal?: (result: unknown) => ProblemError | undefined;
};

type Result<Name extends keyof CommandCalls> = Answer<CommandCalls[Name]['result']>;

/** The command for one row. `id`: of the row, or from the command's result. */
export const step = <Name extends keyof CommandCalls>(
  row: number,
  command: Name,
  body: z.input<CommandCalls[Name]['input']>,
  id: string | ((result: Result<Name>) => string),
): Step => ({
  command,
  body,
  row,
  // Safe: the answer is held to the command's schema.
  ids: (result) => [[row, typeof id === 'string' ? id : id(result as Result<Name>)]],
});

/** The command for several rows, each with its id. */
export const stepOfRows = <Name extends keyof CommandCalls>(
  rows: readonly (readonly [row: number, id: string])[],
  command: Name,
  body: z.input<CommandCalls[Name]['input']>,
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
