import type { RunSql } from '../common/facts.ts';
import { ATTENDANCE, NOT_REMOVED, paperOf, STAFF_TOTAL, TOTAL_FLAGS, totalFlags, withRemoved } from '../marks/staff-total.facts.ts';
import type { Paper } from './analysis.contract.ts';
import type { Sitting } from './group.formula.ts';
import { papersOf } from './papers.facts.ts';

/** The marks that count and the staff totals, with what is open about them: of every student and test there is a row at most. */
export type Sat = { readonly papers: ReadonlyMap<string, Paper>; readonly sittings: ReadonlyMap<string, readonly Sitting[]> };

/** Everything that these students did in the assessments of a subject, by assessment. */
export const sittingsOfStudents = async (query: RunSql, subjectId: string, studentIds: readonly string[]): Promise<Sat> =>
  placed(query, studentIds.length === 0 ? [] : await query<Row>(OF_STUDENTS, [subjectId, studentIds]));

/** What everybody of the subject did in these assessments. */
export const sittingsOfTests = async (query: RunSql, testIds: readonly string[]): Promise<Sat> =>
  placed(query, await query<Row>(OF_TESTS, [testIds]), testIds);

type Row = Omit<Sitting, 'marks' | 'contested' | 'flags'> & {
  readonly flags: number;
  /** The questions that the read model of marks has on the paper: it may be ahead of the other, or behind. Of a test's first row only. */
  readonly questionIds: readonly string[] | null;
  /** Of staff: places on the paper, from 1, negative where the mark is contested; and the marks there. */
  readonly places: readonly (number | null)[] | null;
  readonly staff: readonly (number | null)[] | null;
  /** What the student has confirmed last, by question. */
  readonly ownMarks: Readonly<Record<string, number>> | null;
};

const placed = async (query: RunSql, rows: readonly Row[], more: readonly string[] = []): Promise<Sat> => {
  const papers = await papersOf(query, [...new Set([...more, ...rows.map(({ testId }) => testId)])]);
  const orders = new Map<string, readonly (number | undefined)[]>();
  const sittings = new Map<string, Sitting[]>();
  for (const { questionIds, places, staff, ownMarks, flags, ...sitting } of rows) {
    const { testId } = sitting;
    const paper = papers.get(testId);
    if (!paper) continue;
    const order = orders.get(testId) ?? orderOf(questionIds ?? [], paper);
    orders.set(testId, order);
    const marks = new Array<number | null>(paper.questions.length).fill(null);
    const contested: number[] = [];
    if (sitting.attendance === 'sat') {
      for (const [index, place] of (places ?? []).entries()) {
        const at = place === null ? undefined : order[Math.abs(place) - 1];
        if (at === undefined) continue;
        marks[at] = staff?.[index] ?? null;
        if (place !== null && place < 0) contested.push(at);
      }
      if (ownMarks) for (const [at, { questionId }] of paper.questions.entries()) marks[at] ??= ownMarks[questionId] ?? null;
    }
    const ofTest = sittings.get(testId);
    const whole = { ...sitting, flags: totalFlags(flags), marks, contested };
    if (ofTest) ofTest.push(whole);
    else sittings.set(testId, [whole]);
  }
  return { papers, sittings };
};

/** The place of each question on the paper. */
const orderOf = (questionIds: readonly string[], { questions }: Paper): readonly (number | undefined)[] => {
  const places = new Map(questions.map(({ questionId }, place) => [questionId, place]));
  return questionIds.map((questionId) => places.get(questionId));
};

/** A student's cells are looked up by their key (offset 0 keeps it so). */
const COLUMNS = `
  m.test_id as "testId", m.student_id as "studentId", ${ATTENDANCE} as attendance,
  ${STAFF_TOTAL} as total,
  ${TOTAL_FLAGS} as flags,
  case when row_number() over (partition by m.test_id order by m.student_id) = 1 then to_json(paper.question_ids) end as "questionIds", c.places, c.staff, o.marks as "ownMarks"`;
const JOINED = `
${paperOf('m.test_id')}
left join lateral (
  select to_json(array_agg(array_position(paper.question_ids, r.item_id) * case when r.contested then -1 else 1 end)) as places,
         to_json(array_agg(r.mark)) as staff
    from (select * from results r
           where r.school_id = $1 and r.test_id = m.test_id and r.student_id = m.student_id
             and r.kind = 'm' and (r.mark is not null or r.contested) offset 0) r) c on true
left join lateral (
  select o.confirmations -> -1 -> 'marks' as marks from submissions o
   where m.submitted and o.school_id = $1 and o.test_id = m.test_id and o.student_id = m.student_id offset 0) o on true`;

/** $1 school; $2 subject; $3 students. */
const OF_STUDENTS = `
select ${COLUMNS}
from (select * from markbook m where m.school_id = $1 and m.student_id = any($3::uuid[]) offset 0) m
cross join lateral (select * from tests t where t.school_id = $1 and t.test_id = m.test_id and t.subject_id = $2 offset 0) t
${JOINED}
order by m.test_id, m.student_id`;

/** $1 school; $2 assessments. */
const OF_TESTS = `${withRemoved('$2::uuid[]')}
select ${COLUMNS}
from tests t
cross join lateral (select * from markbook m where m.school_id = $1 and m.test_id = t.test_id and ${NOT_REMOVED} offset 0) m
${JOINED}
where t.school_id = $1 and t.test_id = any($2::uuid[])
order by m.test_id, m.student_id`;
