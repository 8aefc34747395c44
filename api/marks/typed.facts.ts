import { arrayLiteral } from '../../events/array-literal.ts';
import type { DecideMark, EnterMarks } from './marks.contract.ts';
import type { Facts, OneQuery } from '../common/facts.ts';
import type { MarkFacts, QuestionFact, StoredCellFact, StudentFact, TestFact } from './marks.facts.ts';
import { StoredCells } from './marks.facts.ts';

/** What a decision about typed cells depends on: only what they name; of a paper, only the questions typed into. */
export type TypedFacts = Pick<MarkFacts, 'subjectId' | 'tests' | 'cell'> & {
  /** Left out: it is there. Only of what is read for many commands at once this is asked here. */
  readonly subject?: boolean;
  readonly students: ReadonlyMap<string, Pick<StudentFact, 'studentId' | 'setId'> & { readonly name?: string | null }>;
};

type Typed = EnterMarks | DecideMark;

/** All lookups are by key, with a row for each cell, because saving one cell is the most frequent command. */
const oneQuery: OneQuery<Typed, TypedFacts> = {
  /** `offset 0` keeps each lookup by key: planned freely on tables without statistics, the query would read all marks of the school. */
  sql: `
    select json_build_array(typed.place, t.name, t.max, q.number, q.marks_available, s.set_id,
             coalesce(to_json(r.mark), to_json(r.attendance)),
             case when r.contested or coalesce(r.mark::text, r.attendance) is null then r.cell end,
             exists (select from subjects b where b.school_id = $1 and b.subject_id = typed.subject_id), n.name) as known
      from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[]) with ordinality
           as typed (subject_id, test_id, item_id, kind, student_id, place)
      left join lateral (select * from tests t where t.school_id = $1 and t.test_id = typed.test_id offset 0) as t
             on t.subject_id = typed.subject_id
      left join lateral (select * from questions q where q.school_id = $1 and q.question_id = typed.item_id offset 0) as q
             on q.test_id = t.test_id and not q.hidden
      left join lateral (select * from enrolments e
                          where e.school_id = $1 and e.subject_id = typed.subject_id and e.student_id = typed.student_id offset 0) as e
             on true
      left join lateral (select * from sets s where s.school_id = $1 and s.set_id = e.set_id offset 0) as s
             on s.subject_id = typed.subject_id and not s.deleted
      left join lateral (select * from results r where r.school_id = $1 and r.test_id = typed.test_id and r.item_id = typed.item_id
                            and r.kind = typed.kind and r.student_id = typed.student_id offset 0) as r
             on true
      left join lateral (select * from students n where n.school_id = $1 and n.student_id = typed.student_id offset 0) as n
             on true`,
  values(inputs) {
    const cells = inputs.flatMap(cellsOf);
    // Ids and letters, as the schema of the input says: nothing to quote.
    return (['subjectId', 'testId', 'itemId', 'kind', 'studentId'] as const).map((field) =>
      arrayLiteral(
        cells.map((cell) => cell[field]),
        false,
      ),
    );
  },
  isLarge: (input) => 'cells' in input && input.cells.length > MANY_CELLS,
  answers(known, inputs) {
    const rows = new Array<Row | undefined>();
    for (const row of known as readonly Row[]) rows[row[0] - 1] = row;
    let place = 0;
    return inputs.map((input) =>
      factsOf(
        input.subjectId,
        cellsOf(input).map((cell) => ({ ...cell, row: rows[place++] })),
      ),
    );
  },
};

/** They take PostgreSQL some 5 ms. */
const MANY_CELLS = 200;

/** Typing does not wait for the head of the log, because each cell carries what its author saw. */
export const typedFacts: Facts<EnterMarks | DecideMark, TypedFacts> = {
  models: ['structure', 'roster', 'assessments', 'results'],
  waits: false,
  async load(query, input) {
    const rows = await query<{ known: unknown }>(oneQuery.sql, oneQuery.values([input]));
    return oneQuery.answers(
      rows.map(({ known }) => known),
      [input],
    )[0]!;
  },
  inOne: oneQuery,
};

/** What is known of one cell, in the order of the columns above. */
type Row = readonly [
  place: number,
  testName: string | null,
  max: number | null,
  questionNumber: number | null,
  marksAvailable: number | null,
  setId: string | null,
  value: StoredCellFact[0],
  history: StoredCellFact[1],
  subject: boolean,
  studentName: string | null,
];

const factsOf = (subjectId: string, cells: readonly (CellKey & { readonly row: Row | undefined })[]): TypedFacts => {
  const tests = new Map<string, TestFact & { readonly questions: QuestionFact[] }>();
  const students = new Map<string, Pick<StudentFact, 'studentId' | 'setId'> & { readonly name: string | null }>();
  const stored = new StoredCells();
  const subject = cells.some(({ row }) => row?.[8]);
  for (const { testId, itemId, kind, studentId, row } of cells) {
    if (!row) continue;
    const [, name, max, number, marksAvailable, setId, v, c, , studentName] = row;
    if (setId !== null) students.set(studentId, { studentId, setId, name: studentName });
    stored.put({ testId, itemId, kind, studentId }, [v, c]);
    if (name === null) continue;
    const test = tests.get(testId) ?? { testId, name, max, questions: [] };
    tests.set(testId, test);
    if (number !== null && marksAvailable !== null && !test.questions.some(({ questionId }) => questionId === itemId))
      test.questions.push({ questionId: itemId, number, marksAvailable });
  }
  return { subjectId, subject, tests, students, cell: stored.at };
};

type CellKey = ReturnType<typeof cellsOf>[number];

const cellsOf = (input: Typed) =>
  ('cells' in input ? input.cells : [input]).map(({ studentId, testId, questionId, attendance }) => ({
    subjectId: input.subjectId,
    studentId,
    testId,
    itemId: questionId ?? testId,
    kind: attendance ? 'a' : questionId === undefined ? 't' : 'm',
  }));
