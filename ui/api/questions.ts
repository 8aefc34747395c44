/** Request and answer types of every query and command of the contract, by name. */
import type { Answer } from '#api/contract/answer';
import type { CommandCalls, QueryCalls } from '#api/contracts';
import type { z } from 'zod';

type Queries = {
  readonly [Name in keyof QueryCalls]: {
    readonly ask: z.input<QueryCalls[Name]['input']>;
    readonly answer: Answer<QueryCalls[Name]['answer']>;
  };
};
type InAddress = {
  [Name in keyof Queries]: Queries[Name]['ask'] extends Readonly<Record<string, string | undefined>> ? Name : never;
}[keyof Queries];

/** GET /api/queries/{name}?... */
export type Questions = Pick<Queries, InAddress>;

/** POST /api/queries/{name}, for questions that do not fit into an address. */
export type LongQuestions = Omit<Queries, InAddress>;

/** POST /api/commands/{name} */
export type Commands = {
  readonly [Name in keyof CommandCalls]: {
    readonly input: z.input<CommandCalls[Name]['input']>;
    readonly result: Answer<CommandCalls[Name]['result']>;
  };
};
