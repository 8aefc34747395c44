import { noSuch } from '../../common/about.ts';
import type { RunSql } from '../../common/facts.ts';
import { defineQuery } from '../../common/query.ts';
import { daysOfStudents } from '../averages/days-of-students.facts.ts';
import { FEWEST_EARLIER, gradeGraph as graphOf, schoolYearOf } from '../averages.formula.ts';
import { NOT_LIVE } from './home.query.ts';
import type { GradeGraph } from './student.contract.ts';
import { studentQueries } from './student.contract.ts';
import type { OwnTest, StudentPlace } from './student.facts.ts';
import { ownTests, placeOf, subjectOfShown } from './student.facts.ts';

/**
 * How students of earlier years with a similar total ended. The bounds follow from the student's own total alone. The first total and the first
 * score of each student count, so that no later change of one student can be seen (docs/decisions/19).
 */
export const gradeGraph = defineQuery({
  ...studentQueries['grade-graph'],
  models: ['structure', 'roster', 'assessments', 'results', 'prior'],
  live: NOT_LIVE,
  async run(query, { testId, terminalExamId }, actor): Promise<GradeGraph> {
    const subjectId = await subjectOfShown(query, testId);
    const place = await placeOf(query, actor, subjectId);
    const [test] = await ownTests(query, place, testId);
    if (!test) throw noSuch('assessment');
    const [exam] = await query<{ name: string }>(EXAM, [subjectId, terminalExamId]);
    if (!exam) throw noSuch('exam');
    const head = { testId, terminalExamId, exam: exam.name };
    const { total } = test;
    if (total === null) return { ...head, total, from: null, to: null, ends: null };
    const [from, to] = [Math.ceil((9 * total) / 10), Math.floor((11 * total) / 10)];
    const alike = await query<Alike>(ALIKE, [subjectId, testId, terminalExamId, place.studentId, from, to]);
    const earlier = alike.length < FEWEST_EARLIER ? [] : await ofEarlierYears(query, { ...place, ...test }, alike);
    const counts = graphOf(total, earlier);
    const ends = counts && [...counts].map(([endScore, count]) => ({ endScore, count })).toSorted((a, b) => better(a.endScore, b.endScore));
    return { ...head, total, from, to, ends };
  },
});

type Alike = { readonly studentId: string; readonly total: number; readonly endScore: string; readonly came: string };

/** Those who sat the test in a school year before the student's, by the days that the historic averages go by. */
const ofEarlierYears = async (
  query: RunSql,
  { subjectId, studentId, testId, day }: Pick<StudentPlace, 'subjectId' | 'studentId'> & Pick<OwnTest, 'testId' | 'day'>,
  alike: readonly Alike[],
): Promise<readonly Alike[]> => {
  const days = (await daysOfStudents(query, subjectId, [testId])).get(testId);
  const before = schoolYearOf(days?.get(studentId)?.day ?? day ?? new Date().toISOString());
  return alike.filter((one) => {
    const theirs = days?.get(one.studentId);
    return theirs !== undefined && schoolYearOf(theirs.day) < before;
  });
};

/** Numbers from the highest down; letters by the alphabet, with a star before the letter itself. */
const better = (a: string, b: string): number => {
  const [x, y] = [Number(a), Number(b)];
  if (Number.isFinite(x) && Number.isFinite(y)) return y - x;
  const [left, right] = [a.toUpperCase(), b.toUpperCase()];
  return left[0] === right[0] ? right.length - left.length : left < right ? -1 : 1;
};

/** $1 school; $2 subject; $3 terminal exam. */
const EXAM = `select x.name from terminal_exams x where x.school_id = $1 and x.subject_id = $2 and x.terminal_exam_id = $3`;

/**
 * $1 school; $2 subject; $3 assessment; $4 terminal exam; $5 the student, who is none of them; $6 and $7 the bounds of the totals. Of each the
 * first total, and the first score that stands, of those that came for at least five students at once; in the order in which they came.
 */
const ALIKE = `
select p.student_id as "studentId", (c.totals -> $3::text ->> 'first')::int4 as total, came.score as "endScore", came.position::text as came
from prior_scores p
join class_students c on c.school_id = $1 and c.subject_id = $2 and c.student_id = p.student_id
cross join lateral (
  select said.one ->> 'score' as score, u.position
    from json_array_elements(p.said) with ordinality as said (one, place)
    join prior_uploads u on u.school_id = $1 and u.command_id = (said.one ->> 'commandId')::uuid
     and not u.undone and cardinality(u.student_ids) >= ${FEWEST_EARLIER}
   order by said.place
   limit 1
) came
where p.school_id = $1 and p.terminal_exam_id = $4 and p.student_id <> $5
  and (c.totals -> $3::text ->> 'first')::int4 between $6 and $7
order by came.position`;
