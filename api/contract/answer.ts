/** What queries, records and commands answer. Pages take the types of it only: no schema of an answer is in a bundle. */
import { z } from 'zod';
import { id } from './fields.ts';

/** The JSON of an answer, as its schema describes it. */
export type Answer<Schema extends z.ZodType> = Unchanging<z.output<Schema>>;
type Unchanging<Value> = Value extends object ? { readonly [Part in keyof Value]: Unchanging<Value[Part]> } : Value;

/** A query: its parameters and its answer. */
export type QueryCall = { readonly input: z.ZodType; readonly answer: z.ZodType };
/** A command: its input and its result. */
export type CommandCall = { readonly input: z.ZodType; readonly result: z.ZodType };

/** Whoever asked learns only that it is done. */
export const nothing = z.object({});

/**
 * The parts that are left out (0, or empty) of the answer to a command that is sent again under its key: they came from what stood elsewhere at
 * the time, and can no longer be known.
 */
export const leftOut = <const Parts extends readonly [string, ...string[]]>(...parts: Parts) =>
  z
    .array(z.enum(parts))
    .exactOptional()
    .describe('Only of a command that is sent again: what is left out (0, or empty), because it can no longer be known.');

/** ISO instant */
export const instant = z.iso.datetime({ offset: true });

/** A student in an answer for staff. */
export const namedStudent = {
  studentId: id,
  name: z.string().nullable().describe('null: forgotten'),
  admissionNo: z.string().nullable().describe('The StudentID, which tells apart who has the same name. null: forgotten'),
};

/** Has the form of a uuid but not always a version: some ids are derived from two uuids. */
export const recordId = z.string().regex(/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i);

/** A record of /api/rest. */
export const record = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.object({ id: recordId, version: z.string().describe('For If-Match'), ...fields });
