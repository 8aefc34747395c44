import { z } from 'zod';
import type { Largest } from '../common/body-size.ts';
import type { About } from '../common/about.ts';
import type { Model } from '../common/models.ts';
import type { Answer } from '../contract/answer.ts';
import type { CommandName } from '../commands.ts';
import type { QueryName } from '../queries.ts';
import type { ResourceName } from '../resources.ts';
import type { Caller } from './caller.ts';
import type { Derived } from './derived.ts';

/**
 * The documented calls (docs/calls.md): an adapter and nothing more. Each is a row of one table, from the documented names to fields of an
 * answer:
 *
 *     'GET /admin/8': list('yearGroups', {
 *       purpose: 'Year groups of a subject.',
 *       asks: z.strictObject({ SubjectId: id }),                  // the query parameters, by their documented names
 *       answers: z.array(z.object({ YeargroupID: id, ... })),
 *       make: (years, { asks: { SubjectId } }) => years.map(...),
 *     }),
 *
 * `list` and `read` (read.ts) ask one list or query about what the parameters name. Where several are asked, or none answers what a call does,
 * it is a `call`: its `caller` asks the query bus and the lists, gives commands, and reads the read models, named in `models`, as whoever sent
 * the request and with their rights. What its parameters are about (`of` in api/access.ts) has been found, and refused to whoever may not see
 * it, before that. The generic writes ({table, data}, {table, values, key}, {table, altKey}) are one row per method and area, made from the
 * tables of the area (tables.ts): each says which commands a row of it becomes.
 *
 * What else a call needs: its line in api/access.ts, its case in tests/calls/<area>.ts (who may, a legal request, the right answer), and
 * docs/calls.md written anew by `npm run check -- --calls`. Nothing compiles, or a test names it, until it has them.
 */
export type Call = {
  /** What it is for, in a sentence. */
  readonly purpose: string;
  /** The query parameters. Undefined: it has none. */
  readonly asks?: z.ZodObject;
  /** The body. Undefined: it is not read. */
  readonly takes?: z.ZodType;
  /** How much staff may send: `upload` where it takes a row for each student or mark. */
  readonly largest?: Largest;
  readonly answers: z.ZodType;
  /** The tables of a generic write. */
  readonly tables?: readonly string[];
  readonly behind: readonly (QueryName | ResourceName | CommandName)[];
  /** What its own SQL reads. */
  readonly models?: readonly Model[];
  /** Where it is safer than documented, or how something is meant that the documents leave open: for docs/calls.md. */
  readonly differs?: string;
  /** Of a call about one student: the id in `asks`. Staff who ask it look at the student: they must be allowed to, and it is recorded. */
  readonly viewed?: (asks: never) => string;
  /** A read that changes something: it has to come from our own page, or with a token. */
  readonly changes?: true;
  readonly adapt?: (caller: Caller, given: never) => Promise<unknown>;
  /** In its place where whoever sends it is not signed in, or it is about their session (visit.ts). */
  readonly answer?: (visit: never) => Promise<unknown>;
};

/** What was sent: the parameters and the body as their schemas have them, and the id in the path; and what the parameters are about. */
export type Given<Asks, Takes> = { readonly asks: Asks; readonly takes: Takes; readonly id: string; readonly about: About };

export const noParameters = z.strictObject({});

/** Makes a row of the table; the types of what is sent are inferred from its schemas. */
export const call = <Shape extends z.ZodType, Asks extends z.ZodObject = typeof noParameters, Takes extends z.ZodType = z.ZodUndefined>(
  row: Omit<Call, 'asks' | 'takes' | 'answers' | 'viewed' | 'adapt' | 'answer'> & {
    readonly asks?: Asks;
    readonly takes?: Takes;
    readonly answers: Shape;
    readonly viewed?: (asks: z.output<Asks>) => string;
    readonly adapt: (caller: Caller, given: Given<z.output<Asks>, z.output<Takes>>) => Promise<Answer<Shape> | Derived<Answer<Shape>>>;
  },
): Call => row;
