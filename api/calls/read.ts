import type { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import type { QueryCalls, Records } from '../contracts.ts';
import { queryCalls } from '../contracts.ts';
import type { QueryName } from '../queries.ts';
import type { ResourceName } from '../resources.ts';
import type { Call, Given, noParameters } from './call.ts';
import type { Caller } from './caller.ts';
import { idsIn } from './named.ts';

type Row<Source, Shape extends z.ZodType, Asks extends z.ZodObject> = Omit<
  Call,
  'asks' | 'takes' | 'answers' | 'behind' | 'viewed' | 'adapt' | 'answer'
> & {
  readonly asks?: Asks;
  readonly answers: Shape;
  readonly viewed?: (asks: z.output<Asks>) => string;
  readonly make: (source: Source, given: Given<z.output<Asks>, undefined>, caller: Caller) => Answer<Shape> | Promise<Answer<Shape>>;
};

/** A read that is made of the answer of one query, which is asked about what the parameters name. */
export const read = <Name extends QueryName, Shape extends z.ZodType, Asks extends z.ZodObject = typeof noParameters>(
  name: Name,
  { make, ...row }: Row<Answer<QueryCalls[Name]['answer']>, Shape, Asks>,
): Call => ({
  ...row,
  behind: [name],
  async adapt(caller: Caller, given: Given<z.output<Asks>, undefined>) {
    const ids: Readonly<Record<string, unknown>> = { ...given.about, ...idsIn(given.asks) };
    const { shape }: z.ZodObject = queryCalls[name].input;
    const input = Object.fromEntries(
      Object.keys(shape).flatMap((one) => (ids[one] === undefined || ids[one] === '' ? [] : [[one, ids[one]]])),
    );
    return make(await caller.query(name, input), given, caller);
  },
});

/** A read that is made of the records of a list, of what the parameters name. */
export const list = <Name extends ResourceName, Shape extends z.ZodType, Asks extends z.ZodObject = typeof noParameters>(
  name: Name,
  { make, ...row }: Row<readonly Answer<Records[Name]>[], Shape, Asks>,
): Call => ({
  ...row,
  behind: [name],
  adapt: async (caller: Caller, given: Given<z.output<Asks>, undefined>) => make(await caller.list(name, idsIn(given.asks)), given, caller),
});
