import { noSuch } from '../../common/about.ts';
import type { RunSql } from '../../common/facts.ts';
import { defineQuery } from '../../common/query.ts';
import { ifMarkFlagged } from '../../contract/flags.ts';
import { hasMarks } from '../group.formula.ts';
import type { Paper } from '../analysis.contract.ts';
import type { Sums } from '../items.formula.ts';
import { alphaOfSums, ENOUGH_RELIABILITY, topicReliability } from '../items.formula.ts';
import { papersOf } from '../papers.facts.ts';
import { sittingsOfStudents } from '../sittings.facts.ts';
import { ownTargetsOf, wholePoints } from '../targets.formula.ts';
import { ratedBy } from '../topics.formula.ts';
import { cardOf, wholeMean } from './card.rules.ts';
import { NOT_LIVE } from './home.query.ts';
import type { StudentCard } from './student.contract.ts';
import { studentQueries } from './student.contract.ts';
import { askedOfClass, ownTests, placeOf, subjectOfShown } from './student.facts.ts';

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
    if (!test || !paper) throw noSuch('assessment');
    const { sittings } = await sittingsOfStudents(query, subjectId, [place.studentId]);
    const sitting = sittings.get(testId)?.[0];
    const hasSat = sitting !== undefined && hasMarks(sitting);
    const all = await shownOfAll(query, paper);
    const weakness = weakTopics(paper, all);
    const askedIds = await askedOfClass(query, place.set?.setId ?? null, place.studentId, [testId]);
    const questions = !hasSat
      ? []
      : paper.questions.map((question, index) => {
          const mark = sitting.marks[index] ?? null;
          const isAsked = askedIds.has(question.questionId);
          return {
            ...question,
            mark,
            ...ifMarkFlagged({ mark, max: question.max, isContested: sitting.contested.includes(index) }),
            average: all.questions.get(question.questionId)?.percent ?? null,
            ...ratedBy(place.thresholds, { marks: mark ?? 0, available: isAsked ? question.max : 0 }),
          };
        });
    const compared = questions.flatMap(({ questionId, number, max, mark, average, value }) => {
      const others = all.questions.get(questionId);
      return average === null || value === null || !others ? [] : [{ questionId, number, max, mark: mark ?? 0, all: others }];
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

/** What students are shown of everybody who sat a test: of their sums, and by question. */
type Others = Sums & { readonly questions: ReadonlyMap<string, Sums & { readonly percent: number | null }> };

/** All classes together. */
const shownOfAll = async (query: RunSql, { testId, questions }: Paper): Promise<Others> => {
  const [all = NOBODY] = await query<Sums>(SHOWN_SUMS, [testId]);
  const rows = await query<Omit<Sums, 'n'> & { questionId: string; marked: number }>(SHOWN_QUESTIONS, [testId]);
  const maxima = new Map(questions.map(({ questionId, max }) => [questionId, max]));
  const { n } = all;
  const ofQuestion = rows.flatMap(({ questionId, marked, sum, squares }) => {
    const max = maxima.get(questionId);
    return max === undefined ? [] : [[questionId, { n, sum, squares, percent: marked > 0 ? wholeMean(sum, n, max) : null }] as const];
  });
  return { ...all, questions: new Map(ofQuestion) };
};
const NOBODY = { n: 0, sum: 0, squares: 0 };

/** By question: how reliable a claim about the questions of its topic is. Of the figures that are shown, so that it tells no more than they. */
const weakTopics = ({ questions }: Paper, all: Others): ReadonlyMap<string, number | null> => {
  const shown = questions.flatMap((question) => {
    const others = all.questions.get(question.questionId);
    return others && others.percent !== null ? [{ ...question, others }] : [];
  });
  const alpha = alphaOfSums(
    all,
    shown.map(({ others }) => others),
  );
  return topicReliability(alpha, shown);
};

/** $1 school; $2 assessment. */
const SHOWN_SUMS = `
select coalesce(sum(a.n), 0)::int4 as n, coalesce(sum(a.sum), 0)::float8 as sum, coalesce(sum(a.squares), 0)::float8 as squares
from shown_classes a where a.school_id = $1 and a.test_id = $2`;

/** $1 school; $2 assessment. */
const SHOWN_QUESTIONS = `
select q.key as "questionId", sum((q.value ->> 'marked')::int4)::int4 as marked, sum((q.value ->> 'sum')::float8)::float8 as sum,
  sum((q.value ->> 'squares')::float8)::float8 as squares
from shown_classes a cross join lateral json_each(a.questions) q
where a.school_id = $1 and a.test_id = $2
group by q.key`;
