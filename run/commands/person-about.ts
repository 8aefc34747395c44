import type { MarkColumns } from '../../events/codec/columnar.ts';
import { isForgotten } from '../../events/codec/event.ts';
import { projections } from '../../projections/all.ts';
import { personalRows, personalTables } from '../../projections/engine/tables/personal.ts';
import type { RunSql } from '../../api/common/facts.ts';
import type { Backend } from '../backend.ts';
import type { Person } from './person-find.ts';

/**
 * Everything that is kept about a person, as one JSON value: the present rows of the read models, the events about the person (of events
 * about many, only the person's part), and the person's commands.
 */
export const aboutPerson = async (backend: Backend, schoolId: string, person: Person): Promise<object> => {
  const ids = person.kind === 'student' ? [person.studentId, ...person.accountIds] : [person.accountId, ...person.teacherIds];
  const authors = new Set(person.kind === 'student' ? person.accountIds : [person.accountId]);
  const now = await backend.readAs(schoolId, async (query) => ({
    ...(await personalOf(query, ids)),
    enrolments: await query(
      `select s.name as subject, t.name as set, e.state from read.enrolments e
         join (select * from read.subjects union all select * from read.deleted_subjects) s using (school_id, subject_id)
         left join read.sets t on t.school_id = e.school_id and t.set_id = e.set_id
        where e.school_id = $1 and e.student_id = any($2::uuid[])`,
      [ids],
    ),
    marks: await query(
      `select t.name as test, q.number as question, r.kind, r.mark, r.attendance from read.results r
         join (select * from read.tests union all select * from read.deleted_tests) t using (school_id, test_id)
         left join read.questions q on q.school_id = r.school_id and q.question_id = r.item_id
        where r.school_id = $1 and r.student_id = any($2::uuid[]) order by t.name, q.number nulls first`,
      [ids],
    ),
  }));
  const events: object[] = [];
  const commands: object[] = [];
  for await (const { id, type, stream, data, metadata } of backend.eventsOf(schoolId)) {
    const part = partOf(data, ids);
    if (part !== undefined || ids.some((one) => stream.endsWith(one))) events.push({ id, type, at: metadata.at, data: part ?? {} });
    if (authors.has(metadata.actor.accountId)) commands.push({ commandId: metadata.commandId, type, at: metadata.at });
  }
  return { schoolId, ids, now, events, commands };
};

/** The rows of every table with personal data, under the names that the file gives them. */
const personalOf = async (query: RunSql, ids: readonly string[]): Promise<Record<string, object[]>> => {
  const found: Record<string, object[]> = {};
  for (const table of personalTables(projections.flatMap(({ tables }) => Object.values(tables)))) {
    const rows = await query<object>(personalRows(table, MORE[table.name]), [ids]);
    const named = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [COLUMNS[column] ?? camelCase(column), value])),
    );
    (found[TABLES[table.name] ?? table.name] ??= []).push(...named);
  }
  return found;
};

const SUBJECT_NAME = `
  (select s.name from (select * from read.subjects union all select * from read.deleted_subjects) s
    where s.school_id = one.school_id and s.subject_id = one.subject_id) as subject`;
/** What is not personal, but exported with it. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  accounts: ['role', 'closed'],
  teachers: [SUBJECT_NAME],
  deleted_teachers: [SUBJECT_NAME],
  saves: ['at'],
};
/** What the file names otherwise. */
const TABLES: Readonly<Record<string, string>> = { teachers: 'teacherRecords', deleted_teachers: 'teacherRecords', saves: 'uploads' };
const COLUMNS: Readonly<Record<string, string>> = { admission_no: 'StudentID' };
const camelCase = (column: string): string => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The part of a value that is about one of the ids: of lists only the entries that name one, of mark columns only the rows. Undefined:
 * nothing.
 */
const partOf = (value: unknown, ids: readonly string[]): unknown => {
  if (typeof value === 'string') return ids.includes(value) ? value : undefined;
  if (typeof value !== 'object' || value === null || isForgotten(value)) return undefined;
  if (Array.isArray(value)) {
    const ofPerson = value.filter((item) => partOf(item, ids) !== undefined);
    return ofPerson.length === 0 ? undefined : ofPerson;
  }
  if (isMarks(value)) return rowsOf(value, ids);
  const entries = Object.entries(value).map(([key, field]): [string, unknown] => [key, partOf(field, ids)]);
  if (entries.every(([, part]) => part === undefined)) return undefined;
  const named = entries.some(([key, part]) => typeof part === 'string' && Object.hasOwn(value, key));
  // An object that names the person is included whole; one that contains such an object keeps its plain fields as context.
  return named
    ? value
    : Object.fromEntries(
        entries
          .map(([key, part]) => [key, part ?? plain((value as Record<string, unknown>)[key])])
          .filter(([, part]) => part !== undefined),
      );
};

const plain = (value: unknown): unknown => (typeof value === 'object' ? undefined : value);

const isMarks = (value: object): value is MarkColumns => 'columns' in value && 'students' in value && 'is' in value;

const rowsOf = ({ columns, students, is, was }: MarkColumns, ids: readonly string[]): unknown => {
  const rows = students.flatMap((studentId, row) => (ids.includes(studentId) ? [row] : []));
  if (rows.length === 0) return undefined;
  const pick = <Item>(list: readonly Item[]): Item[] => rows.flatMap((row) => list.slice(row, row + 1));
  return { columns, students: pick(students), is: pick(is), ...(was ? { was: pick(was) } : {}) };
};
