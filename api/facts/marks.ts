import type { Cell, Value } from '../../events/cell.ts';
import { changed, emptyCell } from '../../events/cell.ts';
import type { StoredCell } from '../../events/cell-text.ts';
import { decodeCell } from '../../events/cell-text.ts';
import type { MarkCell } from '../../events/codec/columnar.ts';
import { normalised } from '../../events/codec/tags.ts';
import type { MarksFile, TotalsFile, UploadMarks, UploadTotals } from '../contract/marks.ts';
import type { Facts, Query } from './facts.ts';

/** What a decision about marks depends on: who is in which set, the maxima, and the present value of every cell. */
export type MarkFacts = {
  readonly subjectId: string;
  /** Whether there is such a subject. */
  readonly subject: boolean;
  readonly sets: ReadonlyMap<string, SetFact>;
  readonly tests: ReadonlyMap<string, TestFact>;
  /** Those on roll in a set of the subject, by id. */
  readonly students: ReadonlyMap<string, StudentFact>;
  /** The same students, by the school's StudentID, normalised. */
  readonly byAdmissionKey: ReadonlyMap<string, StudentFact>;
  readonly cell: (cell: MarkCell, studentId: string) => Cell;
};
export type SetFact = {
  readonly setId: string;
  readonly name: string;
  readonly yearGroupId: string;
  readonly year: number;
  readonly testIds: readonly string[];
};
export type QuestionFact = { readonly questionId: string; readonly number: number; readonly marksAvailable: number };
export type TestFact = {
  readonly testId: string;
  readonly name: string;
  readonly max: number | null;
  readonly questions: readonly QuestionFact[];
};
export type StudentFact = { readonly studentId: string; readonly admissionNo: string; readonly name: string; readonly setId: string };

export const admissionKey = normalised;

const models = ['structure', 'roster', 'assessments', 'results'];

export const totalsFacts: Facts<UploadTotals | TotalsFile, MarkFacts> = {
  models,
  waits: true,
  load: (query, { subjectId, rows, classes }) =>
    marksOf(query, {
      subjectId,
      admissionKeys: rows.map(({ admissionNo }) => admissionKey(admissionNo)),
      testIds: classes.flatMap(({ testIds }) => testIds),
    }),
};

export const marksFacts: Facts<UploadMarks | MarksFile, MarkFacts> = {
  models,
  waits: true,
  load: (query, { subjectId, rows, testId }) =>
    marksOf(query, {
      subjectId,
      admissionKeys: rows.map(({ admissionNo }) => admissionKey(admissionNo)),
      testIds: [testId],
    }),
};

type Wanted = {
  readonly subjectId: string;
  readonly admissionKeys: readonly string[];
  readonly testIds: readonly string[];
};

export type ReadTest = Omit<TestFact, 'questions'> & { readonly questions: readonly QuestionFact[] | null };
type Read = {
  readonly subject: boolean;
  readonly sets: readonly SetFact[] | null;
  readonly tests: readonly ReadTest[] | null;
  readonly students: readonly StudentFact[] | null;
  readonly cells: readonly StoredCellFact[] | null;
};

/** The facts for a file: its students, its tests with all their questions, and all sets of the subject. */
export const marksOf = async (query: Query, { subjectId, admissionKeys, testIds }: Wanted): Promise<MarkFacts> => {
  const [read] = await query<Read>(UPLOADED, [subjectId, unique(admissionKeys), unique(testIds)], 'mark-facts');
  return factsOf(subjectId, read);
};

const factsOf = (subjectId: string, read: Read | undefined): MarkFacts => {
  const students = read?.students ?? [];
  return {
    subjectId,
    subject: read?.subject ?? false,
    sets: new Map((read?.sets ?? []).map((set) => [set.setId, set])),
    tests: new Map((read?.tests ?? []).map((test) => [test.testId, { ...test, questions: test.questions ?? [] }])),
    students: new Map(students.map((student) => [student.studentId, student])),
    byAdmissionKey: new Map(students.map((student) => [admissionKey(student.admissionNo), student])),
    cell: cellsIn(read?.cells ?? []),
  };
};

/**
 * A stored cell with its key: test, item, kind, student. `v`: the value that counts; `c`: the history, only of a contested cell. Other
 * decisions only need the value, and the histories of a year group's cells grow with every upload.
 */
export type StoredCellFact = {
  readonly t: string;
  readonly i: string;
  readonly k: string;
  readonly s: string;
  readonly v: Value | null;
  readonly c: StoredCell | null;
};

/** Looks up cells; a history is decoded on demand. */
export const cellsIn = (rows: readonly StoredCellFact[]): MarkFacts['cell'] => {
  const cells = new Map(rows.map((row) => [`${row.t}${row.i}${row.k}${row.s}`, row]));
  return ({ kind, testId, questionId }, studentId) => {
    const stored = cells.get(`${testId}${questionId ?? testId}${kind[0] ?? ''}${studentId}`);
    if (stored?.c) return decodeCell(stored.c);
    if (!stored || stored.v === null) return emptyCell;
    return changed(emptyCell, { event: '', command: '', entry: '', is: stored.v, was: [] });
  };
};

const UPLOADED = `
  with student as materialized (
    select e.student_id, e.set_id, coalesce(s.admission_no, '') as admission_no, coalesce(s.name, 'A forgotten student') as name
    from students s
    join enrolments e on e.school_id = s.school_id and e.student_id = s.student_id and e.subject_id = $2
    where s.school_id = $1 and s.admission_key = any($3::text[]) and e.set_id is not null
  ),
  sets as materialized (
    select t.set_id, t.name, t.year_group_id, y.year, t.test_ids
    from sets t
    join year_groups y on y.school_id = t.school_id and y.year_group_id = t.year_group_id
    where t.school_id = $1 and t.subject_id = $2 and not t.deleted
  )
  select
    exists (select from subjects where school_id = $1 and subject_id = $2 and not removed) as subject,
    (select json_agg(json_build_object('setId', set_id, 'name', name, 'yearGroupId', year_group_id, 'year', year, 'testIds', test_ids))
       from sets) as sets,
    (select json_agg(json_build_object('testId', t.test_id, 'name', t.name, 'max', t.max, 'questions',
              (select json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'marksAvailable', q.marks_available) order by q.number)
                 from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden)))
       from tests t where t.school_id = $1 and t.subject_id = $2 and t.test_id = any($4::uuid[])) as tests,
    (select json_agg(json_build_object('studentId', student_id, 'admissionNo', admission_no, 'name', name, 'setId', set_id))
       from student where set_id in (select set_id from sets)) as students,
    (select json_agg(json_build_object('t', r.test_id, 'i', r.item_id, 'k', r.kind, 's', r.student_id,
              'v', coalesce(to_json(r.mark), to_json(r.attendance)), 'c', case when r.contested then r.cell end))
       from results r
       where r.school_id = $1 and r.test_id = any($4::uuid[]) and r.student_id in (select student_id from student)) as cells`;

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];
