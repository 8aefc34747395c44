import type { RunSql } from './facts.ts';
import { inOrder } from './in-order.ts';
import type { ListQuery } from './list-query.ts';
import { plainText } from './plain-text.ts';
import type { Kind, Resource, Values } from './resource.ts';

export type RecordPage = { readonly records: readonly Values[]; readonly total: number };

/**
 * `subjects`: those whose records the user may see; undefined: all of the school. The records of a removed subject are hidden with it; only the
 * subject itself is listed among what can be restored.
 */
export const readPage = async (
  query: RunSql,
  resource: Resource,
  listQuery: ListQuery,
  subjects?: readonly string[],
): Promise<RecordPage> => {
  const values: unknown[] = [];
  const parameter = (value: unknown, type: string): string => `$${values.push(value) + 1}::${type}`;
  const conditions = [
    ...listQuery.filter.map(({ field, kind, values: wanted }) => oneOf(field, kind, wanted, parameter)),
    ...listQuery.words.map(
      (word) =>
        `strpos(${plainText(`concat_ws(' ', ${(resource.search ?? []).map(quoted).join(', ')})`)}, ${plainText(parameter(word, 'text'))}) > 0`,
    ),
    ...(resource.subject === undefined
      ? []
      : [`(${quoted(resource.subject)} = id or ${quoted(resource.subject)} in (select subject_id from subjects where school_id = $1))`]),
    ...(subjects === undefined ? [] : [`${quoted(resource.subject ?? 'id')} = any(${parameter(subjects, 'uuid[]')})`]),
  ];
  const [answer] = await query<RecordPage>(
    `with found as (select * from (${resource.from}) every where ${conditions.join(' and ') || 'true'})
     select (select count(*)::int4 from found) as total,
            (select coalesce(json_agg(page), '[]') from (
               select *, ${version(resource)} as version from found
               order by ${order(resource, listQuery)} limit ${parameter(listQuery.limit, 'int4')} offset ${parameter(listQuery.offset, 'int4')}) page) as records`,
    values,
    '',
  );
  return answer ?? { records: [], total: 0 };
};

/** Undefined: there is no such record, or the user may not see it. */
export const readRecord = async (
  query: RunSql,
  resource: Resource,
  id: string,
  subjects?: readonly string[],
): Promise<Values | undefined> => {
  const one: ListQuery = {
    filter: [{ field: 'id', kind: 'uuid', values: [id] }],
    words: [],
    sort: { field: 'id', descending: false },
    offset: 0,
    limit: 1,
  };
  return (await readPage(query, resource, one, subjects)).records[0];
};

const oneOf = (field: string, kind: Kind, wanted: readonly unknown[], parameter: (value: unknown, type: string) => string): string => {
  const column = quoted(field);
  const values = wanted.filter((value) => value !== null);
  if (kind === 'uuid[]') return `${column} && ${parameter(values, kind)}`;
  const among = `${column} = any(${parameter(values, `${kind}[]`)})`;
  return values.length < wanted.length ? `(${among} or ${column} is null)` : among;
};

/** Includes the id, so that equal records always have the same order. */
const order = ({ columns }: Resource, { sort: { field, descending } }: ListQuery): string => {
  const column = columns[field] === 'text' ? inOrder(quoted(field)) : quoted(field);
  return `${column} ${descending ? 'desc' : 'asc'} nulls last, id`;
};

/** Only of the fields that a form changes: a set that gets another student has not changed for somebody who renames it. */
const version = ({ edited = [] }: Resource): string => `left(md5(jsonb_build_array(${edited.map(quoted).join(', ')})::text), 16)`;

/** Only for fields that the resource declares, never for text from a request. */
const quoted = (field: string): string => `"${field}"`;
