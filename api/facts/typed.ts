import type { DecideMark, EnterMarks } from '../contract/marks.ts';
import type { Facts, Query } from './facts.ts';
import type { MarkFacts, ReadTest, StoredCellFact, StudentFact } from './marks.ts';
import { cellsIn } from './marks.ts';

/** What a decision about typed cells stands on: nothing but what they name. Of a paper only the questions that were typed. */
export type TypedFacts = Pick<MarkFacts, 'subjectId' | 'tests' | 'cell'> & {
  readonly students: ReadonlyMap<string, Pick<StudentFact, 'studentId' | 'setId'>>;
};

/** Typing does not wait for the head of the log: what its author saw travels with each cell. */
export const typedFacts: Facts<EnterMarks | DecideMark, TypedFacts> = {
  models: ['structure', 'roster', 'assessments', 'results'],
  waits: false,
  async load(query, input) {
    const [known] = await loadAll(query, [input]);
    return known!;
  },
  loadAll,
};

type Typed = EnterMarks | DecideMark;

/** By key, all of it: a save of one cell is what the product is asked for most of all, and this is most of what it costs. */
async function loadAll(query: Query, inputs: readonly Typed[]): Promise<TypedFacts[]> {
  const cells = inputs.flatMap(cellsOf);
  const tests = distinct(cells, ({ subjectId, testId }) => `${subjectId} ${testId}`);
  const students = distinct(cells, ({ subjectId, studentId }) => `${subjectId} ${studentId}`);
  const [read] = await query<Read>(
    TYPED,
    [
      tests.map(({ subjectId }) => subjectId),
      tests.map(({ testId }) => testId),
      [...new Set(cells.map(({ itemId }) => itemId))],
      students.map(({ subjectId }) => subjectId),
      students.map(({ studentId }) => studentId),
      cells.map(({ testId }) => testId),
      cells.map(({ itemId }) => itemId),
      cells.map(({ kind }) => kind),
      cells.map(({ studentId }) => studentId),
    ],
    'typed-facts',
  );
  const cell = cellsIn(read?.cells ?? []);
  const ofSubject = new Map(
    distinct(inputs, ({ subjectId }) => subjectId).map(({ subjectId }): [string, TypedFacts] => {
      const inSubject = (one: { readonly subjectId: string }): boolean => one.subjectId === subjectId;
      const tests = (read?.tests ?? []).filter(inSubject).map((test) => ({ ...test, questions: test.questions ?? [] }));
      const students = (read?.students ?? []).filter(inSubject);
      return [
        subjectId,
        {
          subjectId,
          cell,
          tests: new Map(tests.map((test) => [test.testId, test])),
          students: new Map(students.map((student) => [student.studentId, student])),
        },
      ];
    }),
  );
  return inputs.map(({ subjectId }) => ofSubject.get(subjectId)!);
}

const cellsOf = (input: Typed) =>
  ('cells' in input ? input.cells : [input]).map(({ studentId, testId, questionId, attendance }) => ({
    subjectId: input.subjectId,
    studentId,
    testId,
    itemId: questionId ?? testId,
    kind: attendance ? 'a' : questionId === undefined ? 't' : 'm',
  }));

const distinct = <Item>(items: readonly Item[], key: (item: Item) => string): Item[] => [
  ...new Map(items.map((item) => [key(item), item])).values(),
];

type Read = {
  readonly tests: readonly (ReadTest & { readonly subjectId: string })[] | null;
  readonly students: readonly { readonly subjectId: string; readonly studentId: string; readonly setId: string }[] | null;
  readonly cells: readonly StoredCellFact[] | null;
};

/** `offset 0` keeps each lookup one by its key: freely planned on tables that nobody has counted yet, it reads all marks of the school. */
const TYPED = `
  select
    (select json_agg(json_build_object('subjectId', typed.subject_id, 'testId', t.test_id, 'name', t.name, 'max', t.max, 'questions',
              (select json_agg(json_build_object('questionId', q.question_id, 'number', q.number, 'marksAvailable', q.marks_available))
                 from unnest($4::uuid[]) as item (item_id),
                      lateral (select * from questions q where q.school_id = $1 and q.question_id = item.item_id offset 0) as q
                where q.test_id = t.test_id and not q.hidden)))
       from unnest($2::uuid[], $3::uuid[]) as typed (subject_id, test_id),
            lateral (select * from tests t where t.school_id = $1 and t.test_id = typed.test_id offset 0) as t
      where t.subject_id = typed.subject_id) as tests,
    (select json_agg(json_build_object('subjectId', e.subject_id, 'studentId', e.student_id, 'setId', e.set_id))
       from unnest($5::uuid[], $6::uuid[]) as typed (subject_id, student_id),
            lateral (select * from enrolments e
                      where e.school_id = $1 and e.subject_id = typed.subject_id and e.student_id = typed.student_id offset 0) as e,
            lateral (select * from sets t where t.school_id = $1 and t.set_id = e.set_id offset 0) as t
      where t.subject_id = e.subject_id and not t.deleted) as students,
    (select json_agg(json_build_object('t', r.test_id, 'i', r.item_id, 'k', r.kind, 's', r.student_id,
              'v', coalesce(to_json(r.mark), to_json(r.attendance)), 'c', case when r.contested then r.cell end))
       from unnest($7::uuid[], $8::uuid[], $9::text[], $10::uuid[]) as typed (test_id, item_id, kind, student_id),
            lateral (select * from results r where r.school_id = $1 and r.test_id = typed.test_id and r.item_id = typed.item_id
                        and r.kind = typed.kind and r.student_id = typed.student_id offset 0) as r) as cells`;
