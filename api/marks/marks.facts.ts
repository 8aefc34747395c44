import type { Cell, Value } from '../../events/marks/cell.ts';
import { emptyCell, withChange } from '../../events/marks/cell.ts';
import type { StoredCell } from '../../events/marks/cell-text.ts';
import { decodeCell } from '../../events/marks/cell-text.ts';
import type { MarkCell } from '../../events/codec/columnar.ts';
import type { MarksFile, TotalsFile, UploadMarks, UploadTotals } from './upload/uploads.contract.ts';
import { admissionKey } from '../students/students.facts.ts';
import type { Facts, RunSql } from '../common/facts.ts';

/** What a decision about marks depends on: who is in which set, the maxima, and the present value of every cell. */
export type MarkFacts = {
  readonly subjectId: string;
  readonly sets: ReadonlyMap<string, SetFact>;
  readonly tests: ReadonlyMap<string, TestFact>;
  /** Those on roll in a set of the subject, by id. */
  readonly students: ReadonlyMap<string, StudentFact>;
  /** The same students, by the school's StudentID, normalised. */
  readonly byAdmissionKey: ReadonlyMap<string, StudentFact>;
  /** StudentIDs, normalised, of those whom the subject has off roll. */
  readonly offRoll: ReadonlySet<string>;
  readonly cell: (cell: MarkCell, studentId: string) => Cell;
  /** The actor's own uploads to these tests, the latest last. */
  readonly uploads: readonly PastUpload[];
};
export type PastUpload = {
  readonly commandId: string;
  /** of its cells and values (events/marks/mark-digest.ts) */
  readonly digest: string;
  /** null: it does not say */
  readonly satOn: string | null;
  /** how many of the values stood there already */
  readonly confirmed: number;
  readonly undone: boolean;
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

const models = ['structure', 'roster', 'assessments', 'results'] as const;

export const totalsFacts: Facts<UploadTotals | TotalsFile, MarkFacts> = {
  models,
  waits: true,
  load: (query, { subjectId, rows, classes }, { accountId }) =>
    marksOf(query, {
      subjectId,
      accountId,
      admissionKeys: rows.map(({ admissionNo }) => admissionKey(admissionNo)),
      testIds: classes.flatMap(({ testIds }) => testIds),
    }),
};

export const marksFacts: Facts<UploadMarks | MarksFile, MarkFacts> = {
  models,
  waits: true,
  load: (query, { subjectId, rows, testId }, { accountId }) =>
    marksOf(query, {
      subjectId,
      accountId,
      admissionKeys: rows.map(({ admissionNo }) => admissionKey(admissionNo)),
      testIds: [testId],
    }),
};

type Wanted = {
  readonly subjectId: string;
  /** the author of the file */
  readonly accountId: string;
  readonly admissionKeys: readonly string[];
  readonly testIds: readonly string[];
};

export type ReadTest = Omit<TestFact, 'questions'> & { readonly questions: readonly QuestionFact[] | null };
type Read = {
  readonly sets: readonly SetFact[] | null;
  readonly tests: readonly ReadTest[] | null;
  readonly students: readonly StudentFact[] | null;
  /** admission keys */
  readonly offRoll: readonly string[] | null;
  readonly uploads: readonly PastUpload[] | null;
  /** ids of the students whom the file names, by their place */
  readonly places: readonly string[] | null;
  /**
   * Per test, item and kind the cells of these students. In columns, because a list that names each cell's ids would be ten times as long.
   */
  readonly columns:
    | readonly (readonly [testId: string, itemId: string, kind: string, cells: readonly (readonly [place: number, ...StoredCellFact])[]])[]
    | null;
};

/** The facts for a file: its students, its tests with all their questions, and all sets of the subject. */
export const marksOf = async (query: RunSql, { subjectId, accountId, admissionKeys, testIds }: Wanted): Promise<MarkFacts> => {
  const [read] = await query<Read>(UPLOADED, [subjectId, unique(admissionKeys), unique(testIds), accountId]);
  return factsOf(subjectId, read);
};

const factsOf = (subjectId: string, read: Read | undefined): MarkFacts => {
  const students = read?.students ?? [];
  return {
    subjectId,
    sets: new Map((read?.sets ?? []).map((set) => [set.setId, set])),
    tests: new Map((read?.tests ?? []).map((test) => [test.testId, { ...test, questions: test.questions ?? [] }])),
    students: new Map(students.map((student) => [student.studentId, student])),
    byAdmissionKey: new Map(students.map((student) => [admissionKey(student.admissionNo), student])),
    offRoll: new Set(read?.offRoll),
    cell: cellsOf(read),
    uploads: read?.uploads ?? [],
  };
};

const cellsOf = (read: Read | undefined): MarkFacts['cell'] => {
  const cells = new StoredCells();
  for (const [testId, itemId, kind, column] of read?.columns ?? [])
    for (const [place, ...stored] of column) cells.put({ testId, itemId, kind, studentId: read?.places?.[place - 1] ?? '' }, stored);
  return cells.at;
};

/**
 * The value of a cell that counts, and its history, only of a contested cell and of one that was emptied (by a clearing, or by an undo):
 * other decisions only need the value, and the histories of a year group's cells grow with every upload.
 */
export type StoredCellFact = readonly [value: Value | null, history: StoredCell | null];

type StoredCellKey = { readonly testId: string; readonly itemId: string; readonly kind: string; readonly studentId: string };

/** Looks up cells; a history is decoded on demand. */
export class StoredCells {
  readonly #columns = new Map<string, Map<string, StoredCellFact>>();

  put({ testId, itemId, kind, studentId }: StoredCellKey, stored: StoredCellFact): void {
    const key = kind + testId + itemId;
    const column = this.#columns.get(key) ?? new Map<string, StoredCellFact>();
    this.#columns.set(key, column);
    column.set(studentId, stored);
  }

  readonly at: MarkFacts['cell'] = ({ kind, testId, questionId }, studentId) => {
    const [value = null, history = null] = this.#columns.get((kind[0] ?? '') + testId + (questionId ?? testId))?.get(studentId) ?? [];
    if (history) return decodeCell(history);
    return value === null ? emptyCell : this.#holding(value);
  };

  /** Shared by all cells with this value: cells never change, and a file has a hundred thousand of them with ten values. */
  #holding(value: Value): Cell {
    const cell = this.#shared.get(value) ?? withChange(emptyCell, { event: '', command: '', entry: '', is: value, was: [] });
    this.#shared.set(value, cell);
    return cell;
  }
  readonly #shared = new Map<Value, Cell>();
}

const UPLOADED = `
  with student as materialized (
    select e.student_id, e.set_id, coalesce(s.admission_no, '') as admission_no, coalesce(s.name, 'A forgotten student') as name,
      row_number() over () as place
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
    (select json_agg(json_build_object('setId', set_id, 'name', name, 'yearGroupId', year_group_id, 'year', year, 'testIds', test_ids))
       from sets) as sets,
    (select json_agg(json_build_object('testId', t.test_id, 'name', t.name, 'max', t.max, 'questions',
              (select json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'marksAvailable', q.marks_available) order by q.number)
                 from questions q where q.school_id = $1 and q.test_id = t.test_id and not q.hidden)))
       from tests t where t.school_id = $1 and t.subject_id = $2 and t.test_id = any($4::uuid[])) as tests,
    (select json_agg(json_build_object('studentId', student_id, 'admissionNo', admission_no, 'name', name, 'setId', set_id))
       from student where set_id in (select set_id from sets)) as students,
    (select json_agg(s.admission_key)
       from students s
       join enrolments e on e.school_id = s.school_id and e.student_id = s.student_id and e.subject_id = $2
      where s.school_id = $1 and s.admission_key = any($3::text[]) and e.set_id is null and e.state <> 'removed') as "offRoll",
    (select json_agg(json_build_object('commandId', v.command_id, 'digest', v.digest, 'satOn', v.sat_on, 'confirmed', v.confirmed, 'undone', v.undone)
                     order by v.position)
       from saves v where v.school_id = $1 and v.account_id = $5 and v.digest is not null and v.test_ids && $4::uuid[]) as uploads,
    (select json_agg(student_id order by place) from student) as places,
    (select json_agg(json_build_array(c.test_id, c.item_id, c.kind, c.cells))
       from (select r.test_id, r.item_id, r.kind, json_agg(json_build_array(s.place, coalesce(to_json(r.mark), to_json(r.attendance)),
                      case when r.contested or coalesce(r.mark::text, r.attendance) is null then r.cell end)) as cells
               from student s
               -- offset 0: by key, student by student. Planned freely on tables without statistics, each mark would be compared with each student.
               cross join lateral (select * from results r
                                    where r.school_id = $1 and r.test_id = any($4::uuid[]) and r.student_id = s.student_id offset 0) r
              group by r.test_id, r.item_id, r.kind) c) as columns`;

const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];
