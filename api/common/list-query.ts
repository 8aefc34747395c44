import { z } from 'zod';
import { isInCalendar } from '../contract/fields.ts';
import { oneLine } from '../contract/rules.ts';
import { namedValues } from './named-values.ts';
import { ProblemError } from './problems.ts';
import type { Kind, Resource } from './resource.ts';

/** The query of a list: `?filter={"subjectId":"..","q":"al"}&range=[0,24]&sort=["name","ASC"]`. */
export type ListQuery = {
  readonly filter: readonly Condition[];
  readonly words: readonly string[];
  readonly sort: { readonly field: string; readonly descending: boolean };
  readonly offset: number;
  readonly limit: number;
};
/** A field that has one of the values; null is a value too. */
type Condition = { readonly field: string; readonly kind: Kind; readonly values: readonly unknown[] };

/** Records in one response. */
export const MOST_RECORDS = 5_000;

const range = z.tuple([z.int32().min(0), z.int32().min(0)]);
const sort = z.tuple([z.string(), z.enum(['ASC', 'DESC'])]);
const filter = namedValues(z.unknown(), (name) => refused(`filter.${name}`, `Filtering by ${name} is not possible.`));

/** @throws ProblemError `invalid-input`: not JSON, not of this shape, or a field that cannot be used here */
export const parseListQuery = (resource: Resource, query: Readonly<Record<string, string>>): ListQuery => {
  const unknown = Object.keys(query).find((name) => !['filter', 'range', 'sort', 'embed'].includes(name));
  if (unknown !== undefined) throw refused(unknown, 'There is no such parameter.');
  const [from, to] = parsed('range', range, query) ?? [0, MOST_RECORDS - 1];
  if (to - from >= MOST_RECORDS || to < from) throw refused('range', `A range holds 1 to ${MOST_RECORDS} records.`);
  const [field, order] = parsed('sort', sort, query) ?? [resource.sort, 'ASC'];
  if (kindOf(resource, field) === undefined) throw refused('sort', `This list cannot be sorted by ${field}.`);
  const { q, ...fields } = parsed('filter', filter, query) ?? {};
  if (q !== undefined && (!shapes.text.safeParse(q).success || resource.search === undefined))
    throw refused('filter.q', 'This list cannot be searched.');
  return {
    filter: Object.entries(fields).map(([name, value]) => condition(resource, name, value)),
    words: typeof q === 'string' ? oneLine(q).split(/\s+/u).filter(Boolean).slice(0, 10) : [],
    sort: { field, descending: order === 'DESC' },
    offset: from,
    limit: to - from + 1,
  };
};

const kindOf = ({ columns }: Resource, field: string): Kind | undefined =>
  field === 'id' ? 'uuid' : Object.hasOwn(columns, field) ? columns[field] : undefined;

const condition = (resource: Resource, field: string, value: unknown): Condition => {
  const kind = kindOf(resource, field);
  if (kind === undefined) throw refused(`filter.${field}`, `Filtering by ${field} is not possible.`);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.length > MOST_RECORDS || !values.every((one) => one === null || shapes[kind].safeParse(one).success)) {
    throw refused(`filter.${field}`, `This value is not valid for ${field}.`);
  }
  return { field, kind, values };
};

const shapes: Readonly<Record<Kind, z.ZodType>> = {
  // Not z.uuid(): the id of a student in a subject is derived from two uuids and has no version.
  uuid: z.guid(),
  'uuid[]': z.guid(),
  text: z
    .string()
    .max(1_000)
    .refine((text) => !text.includes('\0') && text.isWellFormed()),
  int4: z.int32(),
  bool: z.boolean(),
  date: z.iso.date().refine(isInCalendar),
  timestamptz: z.iso.datetime().refine(isInCalendar),
};

const parsed = <Shape>(name: string, shape: z.ZodType<Shape>, query: Readonly<Record<string, string>>): Shape | undefined => {
  const text = query[name];
  if (text === undefined || text === '') return undefined;
  const value = shape.safeParse(json(text));
  if (!value.success) throw refused(name, 'This value cannot be read.');
  return value.data;
};

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const refused = (path: string, message: string): ProblemError =>
  new ProblemError('invalid-input', message, { errors: [{ path, message }] });
