import { defineCommonQuery } from '../common/query.ts';
import { daysSat } from '../school/sets/days-sat.facts.ts';
import type { OfAll } from './all-students.facts.ts';
import { allStudents } from './all-students.facts.ts';
import type { ClassHome, Paper } from './analysis.contract.ts';
import { analysisQueries } from './analysis.contract.ts';
import { meanInPercent, percentOf } from './averages.formula.ts';
import type { ClassMarks, ClassOf } from './class.facts.ts';
import { classOf, marksOfClass } from './class.facts.ts';
import { bearingAnswer, headOf, leftOutOf } from './class.rules.ts';
import { ifOpen, openTotals } from './group.formula.ts';
import { alphaOfSums, reliabilityOf, topicReliability } from './items.formula.ts';
import { targetsOf } from './targets.formula.ts';
import { ofClass } from './topic-figures.formula.ts';
import { ratedBy } from './topics.formula.ts';

/** A class at a glance (contract: ClassHome), the same for everybody who may see it. */
export const classHome = defineCommonQuery({
  ...analysisQueries['class-home'],
  models: ['structure', 'roster', 'assessments', 'mappings', 'results'],
  async read(query, { setId }, { subjectId }): Promise<ClassHome> {
    const set = await classOf(query, setId);
    const marks = await marksOfClass(query, set);
    const completed = [...marks.papers.values()].filter(({ testId }) => marks.sittings.get(testId)?.some(({ total }) => total !== null));
    const testIds = completed.map(({ testId }) => testId);
    const [all, days] = [await allStudents(query, testIds), await daysSat(query, { subjectId, setIds: [setId], testIds })];
    return {
      ...headOf(set, marks),
      topics: (marks.topics?.topics ?? []).map(({ schemeTopicId, name }) => topicOf({ schemeTopicId, name }, set, marks)),
      completed: completed
        .map((paper) => completedOf(paper, set, marks, { all: all.get(paper.testId), day: days.get(setId)?.get(paper.testId) ?? null }))
        .toSorted(newestFirst),
    };
  },
});

const topicOf = (
  topic: Pick<ClassHome['topics'][number], 'schemeTopicId' | 'name'>,
  { thresholds }: ClassOf,
  { bearing, askedQuestions, groups }: ClassMarks,
): ClassHome['topics'][number] => {
  const { questions, contested, aboveMaximum, ...figures } = ofClass(bearing.get(topic.schemeTopicId) ?? [], askedQuestions, groups);
  return {
    ...topic,
    ...figures,
    ...ratedBy(thresholds, figures),
    questions: questions.map(bearingAnswer),
    ...ifOpen({ contested, aboveMaximum }),
  };
};

const completedOf = (
  paper: Paper,
  { students }: ClassOf,
  { sittings, groups }: ClassMarks,
  { all, day }: { readonly all: OfAll | undefined; readonly day: string | null },
): ClassHome['completed'][number] => {
  const { testId, name, max } = paper;
  const theirs = sittings.get(testId) ?? [];
  const group = groups.get(testId);
  const alpha = all ? alphaOfSums(all.totals, [...all.questions.values()]) : null;
  const reliability = topicReliability(
    alpha,
    paper.questions.filter(({ questionId }) => all?.questions.has(questionId)),
  );
  const questions = paper.questions.flatMap((question, place) => {
    const ofSet = group?.questions[place];
    const ofAll = all?.questions.get(question.questionId);
    if (!ofSet || !all || !ofAll) return [];
    return [
      {
        ...question,
        own: { sum: ofSet.sum, n: group.n, ...ifOpen(ofSet) },
        all: { sum: ofAll.sum, n: all.totals.n, ...ifOpen(ofAll) },
        reliability: reliability.get(question.questionId) ?? null,
      },
    ];
  });
  return {
    testId,
    name,
    max,
    day,
    average: {
      ...meanInPercent(
        theirs.flatMap(({ total }) => total ?? []),
        max,
      ),
      ...ifOpen(openTotals(theirs)),
    },
    all: all
      ? { n: all.average.n, mean: all.average.n > 0 ? percentOf(all.average.sum / all.average.n, max) : null, ...ifOpen(all.average) }
      : { n: 0, mean: null },
    leftOut: leftOutOf(students, theirs),
    questions,
    reliability: all ? reliabilityOf(alpha, all.questions.size, 1) : null,
    targets: { percentage: targetsOf(questions, 'percentage'), comparison: targetsOf(questions, 'comparison') },
  };
};

/** The latest day first; those of no known day last; of one day by name. */
const newestFirst = (a: ClassHome['completed'][number], b: ClassHome['completed'][number]): number =>
  a.day === b.day ? (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) : (a.day ?? '') < (b.day ?? '') ? 1 : -1;
