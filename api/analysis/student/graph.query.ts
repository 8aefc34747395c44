import { ProblemError } from '../../common/problems.ts';
import { defineQuery } from '../../common/query.ts';
import { gradeGraph as graphOf, schoolYearOf } from '../averages.contract.ts';
import { NOT_LIVE } from './home.query.ts';
import type { GradeGraph } from './student.contract.ts';
import { studentQueries } from './student.contract.ts';
import { noSuchTest, ownTests, placeOf, subjectOfShown } from './student.facts.ts';

/** How students of earlier years with a like total ended. The bounds follow from the student's own total, whatever is asked. */
export const gradeGraph = defineQuery({
  ...studentQueries['grade-graph'],
  models: ['structure', 'roster', 'assessments', 'results', 'prior'],
  live: NOT_LIVE,
  async run(query, { testId, terminalExamId }, actor): Promise<GradeGraph> {
    const subjectId = await subjectOfShown(query, testId);
    const place = await placeOf(query, actor, subjectId);
    const [test] = await ownTests(query, place, testId);
    if (!test) throw noSuchTest();
    const [exam] = await query(EXAM, [subjectId, terminalExamId], 'grade-graph-exam');
    if (!exam) throw new ProblemError('not-found', 'There is no such terminal exam.');
    const { total, day } = test;
    if (total === null) return { testId, terminalExamId, total, from: null, to: null, ends: null };
    const before = `${schoolYearOf(day ?? new Date().toISOString())}-09-01`;
    const earlier = await query<{ total: number; endScore: string }>(
      EARLIER,
      [subjectId, testId, terminalExamId, place.studentId, before],
      'grade-graph',
    );
    const counts = graphOf(total, earlier);
    const ends = counts && [...counts].map(([endScore, count]) => ({ endScore, count })).toSorted((a, b) => better(a.endScore, b.endScore));
    return { testId, terminalExamId, total, from: Math.ceil((9 * total) / 10), to: Math.floor((11 * total) / 10), ends };
  },
});

/** Numbers from the highest down; letters by the alphabet, with a star before the letter itself. */
const better = (a: string, b: string): number => {
  const [x, y] = [Number(a), Number(b)];
  if (Number.isFinite(x) && Number.isFinite(y)) return y - x;
  const [left, right] = [a.toUpperCase(), b.toUpperCase()];
  return left[0] === right[0] ? right.length - left.length : left < right ? -1 : 1;
};

/** $1 school; $2 subject; $3 terminal exam. */
const EXAM = `select from terminal_exams x where x.school_id = $1 and x.subject_id = $2 and x.terminal_exam_id = $3 and not x.removed`;

/** $1 school; $2 subject; $3 assessment; $4 terminal exam; $5 the student, who is none of them; $6 the day on which the school year began. */
const EARLIER = `
select (c.totals -> $3::text ->> 'total')::int4 as total, p.score as "endScore"
from prior_scores p
join class_students c on c.school_id = $1 and c.subject_id = $2 and c.student_id = p.student_id
where p.school_id = $1 and p.terminal_exam_id = $4 and p.score is not null and p.student_id <> $5
  and c.totals -> $3::text ->> 'day' < $6`;
