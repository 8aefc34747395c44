import type { RunSql } from '../../common/facts.ts';
import { defineQuery } from '../../common/query.ts';
import { hasMarks } from '../group.contract.ts';
import { alphaOf, ENOUGH_RELIABILITY, evidenceOf, topicReliability, varianceOf } from '../items.contract.ts';
import type { Paper } from '../papers.facts.ts';
import { papersOf } from '../papers.facts.ts';
import { sittingsOfStudents } from '../sittings.facts.ts';
import { ownTargetsOf, wholePoints } from '../targets.contract.ts';
import { ragOf, topicValue } from '../topics.contract.ts';
import { askedOfClass } from './asked.facts.ts';
import { cardOf, wholeMean } from './card.rules.ts';
import { NOT_LIVE } from './home.query.ts';
import type { StudentCard } from './student.contract.ts';
import { FEWEST_OTHERS, studentQueries } from './student.contract.ts';
import { noSuchTest, ownTests, placeOf, subjectOfShown } from './student.facts.ts';

/** An assessment of a student, question by question, against what everybody got who sat it. */
export const studentCard = defineQuery({
  ...studentQueries['student-card'],
  models: ['structure', 'roster', 'assessments', 'results'],
  live: NOT_LIVE,
  async run(query, { testId }, actor): Promise<StudentCard> {
    const subjectId = await subjectOfShown(query, testId);
    const place = await placeOf(query, actor, subjectId);
    const [test] = await ownTests(query, place, testId);
    const paper = (await papersOf(query, [testId])).get(testId);
    if (!test || !paper) throw noSuchTest();
    const { sittings } = await sittingsOfStudents(query, subjectId, [place.studentId]);
    const sitting = sittings.get(testId)?.[0];
    const hasSat = sitting !== undefined && hasMarks(sitting);
    const others = await shownQuestions(query, paper);
    const weakness = await weakTopics(query, paper, others);
    const asked = await askedOfClass(query, place.set?.setId ?? null, place.studentId, [testId]);
    const questions = !hasSat
      ? []
      : paper.questions.map((question, index) => {
          const mark = sitting.marks[index] ?? null;
          const value = asked.has(question.questionId) ? topicValue({ marks: mark ?? 0, available: question.max }) : null;
          return {
            ...question,
            mark,
            average: others.get(question.questionId)?.percent ?? null,
            value,
            rag: ragOf(value, place.thresholds),
          };
        });
    const compared = questions.flatMap(({ questionId, number, max, mark, average, value }) => {
      const all = others.get(questionId);
      return average === null || value === null || !all
        ? []
        : [{ questionId, number, max, mark: mark ?? 0, all, reliability: weakness.get(questionId) ?? null }];
    });
    const { strengths, targets } = ownTargetsOf(compared);
    const claim = ({ questionId, difference }: (typeof strengths)[number]) => {
      const reliability = weakness.get(questionId) ?? null;
      return { questionId, difference: wholePoints(difference), weak: reliability === null ? null : reliability < ENOUGH_RELIABILITY };
    };
    return {
      ...cardOf(test),
      subjectId,
      thresholds: place.thresholds,
      questions,
      strengths: strengths.map(claim),
      targets: targets.map(claim),
    };
  },
});

/** What students are shown of everybody who sat a test, by question. */
type Others = ReadonlyMap<string, { readonly n: number; readonly sum: number; readonly squares: number; readonly percent: number | null }>;

export const shownQuestions = async (query: RunSql, { testId, questions }: Paper): Promise<Others> => {
  const rows = await query<{ questionId: string; n: number; marked: number; sum: number; squares: number }>(
    `select a.question_id as "questionId", a.n, a.marked, a.sum, a.squares
       from shown_questions a where a.school_id = $1 and a.test_id = $2`,
    [testId],
  );
  const maxima = new Map(questions.map(({ questionId, max }) => [questionId, max]));
  return new Map(
    rows.flatMap(({ questionId, n, marked, sum, squares }) => {
      const max = maxima.get(questionId);
      const isShown = n >= FEWEST_OTHERS && marked > 0;
      return max === undefined ? [] : [[questionId, { n, sum, squares, percent: isShown ? wholeMean(sum, n, max) : null }] as const];
    }),
  );
};

/** By question: how reliable a claim about the questions of its topic is. Of the figures that are shown, so that it tells no more than they. */
const weakTopics = async (query: RunSql, { testId, questions }: Paper, others: Others): Promise<ReadonlyMap<string, number | null>> => {
  const [all] = await query<{ n: number; sum: number; squares: number }>(SUMS, [testId]);
  const asked = questions.filter(({ questionId }) => (others.get(questionId)?.percent ?? null) !== null);
  const variances = asked.map(({ questionId }) => varianceOf(others.get(questionId) ?? NOBODY));
  const alpha =
    !all || evidenceOf(all.n) === 'none'
      ? null
      : alphaOf(
          asked.length,
          variances.reduce((sum, one) => sum + one, 0),
          varianceOf(all),
        );
  return topicReliability(alpha, asked);
};
const NOBODY = { n: 0, sum: 0, squares: 0 };

/** $1 school; $2 assessment. */
const SUMS = `
select count(*)::int4 as n, coalesce(sum(m.effective_sum), 0)::float8 as sum, coalesce(sum(m.effective_sum::int8 * m.effective_sum), 0)::float8 as squares
from markbook m
where m.school_id = $1 and m.test_id = $2 and coalesce(m.attendance, 'sat') = 'sat' and m.effective_count > 0`;
