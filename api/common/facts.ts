import type { Actor } from '../actor.ts';
import type { About, Thing } from './about.ts';
import type { Model } from './models.ts';

/**
 * What a decision needs from outside its stream, read from the read models beforehand.
 *
 * `waits`: the models must first hold all that the school had stored by the request's arrival. Decisions about a whole roster or paper wait;
 * typing only does if it would be refused or repeats what stands.
 */
export type Facts<Input, Known> = {
  readonly models: readonly Model[];
  readonly waits: boolean;
  /** Set if the decisions change these facts themselves, such as unique names: within a school they then take turns. */
  readonly alone?: 'subjects' | 'schemes' | 'assessments';
  /** `about`: what the command names besides its own stream; undefined: nothing. */
  readonly load: (query: RunSql, input: Input, actor: Actor, about?: About & { readonly missing: Thing | undefined }) => Promise<Known>;
  /** The same as one query for several inputs of a school, so that simultaneous commands share a round trip. */
  readonly inOne?: OneQuery<Input, Known>;
};

/** SQL with one column `known` of JSON, and the meaning of its values. `$1` is the school's id, `values` begin with `$2`. */
export type OneQuery<Input, Known> = {
  readonly sql: string;
  readonly values: (inputs: readonly Input[]) => readonly unknown[];
  /** Whether its query takes long: small ones do not wait for it. */
  readonly isLarge?: (input: Input) => boolean;
  /** An answer for each input. */
  readonly answers: (rows: readonly unknown[], inputs: readonly Input[]) => readonly Known[];
};

/**
 * Runs SQL as the reader of one school. `$1` is the school's id, `values` begin with `$2`: queries restrict each table to the school
 * themselves; row-level security is the second line of defence.
 *
 * `name`: `''` for a text that is made for one request. Any other is prepared on each connection (events/store/postgres/pool.ts).
 */
export type RunSql = <Row extends object>(text: string, values?: readonly unknown[], name?: '') => Promise<Row[]>;

/** The only row of what a request is about, whose existence api/pipeline/about.ts has checked. */
export const theRow = <Row>([row]: readonly Row[]): Row => {
  if (row === undefined) throw new Error('what was found is not there');
  return row;
};

/** Runs queries of a school, all of them on the read models of one moment. */
export type ReadAs = <T>(schoolId: string, work: (query: RunSql) => Promise<T>) => Promise<T>;

/** For decisions that only depend on their own stream. */
export const noFacts: Facts<unknown, undefined> = { models: [], waits: false, load: async () => undefined };
