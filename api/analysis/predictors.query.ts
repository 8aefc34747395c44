import { inOrder } from '../common/in-order.ts';
import { ProblemError } from '../common/problems.ts';
import { defineCommonQuery, defineQuery } from '../common/query.ts';
import type { Breakdown, Predictors } from './analysis.contract.ts';
import { analysisQueries } from './analysis.contract.ts';
import { classOf, marksOfClass } from './class.facts.ts';
import { bearingAnswer, headOf, prerequisitesOf } from './class.rules.ts';
import type { Sitting } from './group.formula.ts';
import { ifOpen } from './group.formula.ts';
import { ofClass, ofStudent } from './topic-figures.formula.ts';
import { ratedBy } from './topics.formula.ts';

const models = ['structure', 'roster', 'assessments', 'mappings', 'results'] as const;

/** Topics of a scheme of work by student (contract: Predictors), the same for everybody who may see it. */
export const progressPredictors = defineCommonQuery({
  ...analysisQueries['progress-predictors'],
  models,
  async read(query, { setId, schemeId }, { subjectId }): Promise<Predictors> {
    const set = await classOf(query, setId);
    const { students, thresholds } = set;
    const marks = await marksOfClass(query, { ...set, schemeId: schemeId ?? set.schemeId });
    const { bearing, askedQuestions, groups, sittings } = marks;
    const topics = marks.topics?.topics ?? [];
    return {
      ...headOf(set, marks),
      schemes: await query<Scheme>(SCHEMES, [subjectId]),
      topics: topics.map(({ schemeTopicId, name }) => {
        const { questions, predicted } = ofClass(bearing.get(schemeTopicId) ?? [], askedQuestions, groups);
        return { schemeTopicId, name, questions: questions.map(bearingAnswer), predicted };
      }),
      of: students.map((student) => {
        const theirs = sittingsBy(sittings, student.studentId);
        return {
          ...student,
          topics: topics.map(({ schemeTopicId }) => {
            const figures = ofStudent(bearing.get(schemeTopicId) ?? [], askedQuestions, theirs);
            const { marks: got, available } = figures;
            return available === 0 ? null : { ...ratedBy(thresholds, figures), marks: got, available, ...ifOpen(figures) };
          }),
        };
      }),
    };
  },
});

/** On which questions the value of one student in one topic rests. Of any scheme of work of the subject. */
export const predictorQuestions = defineQuery({
  ...analysisQueries['predictor-questions'],
  models,
  async run(query, { setId, studentId, schemeTopicId }, _actor, { subjectId }): Promise<Breakdown> {
    const set = await classOf(query, setId);
    const { thresholds } = set;
    const student = set.students.find((one) => one.studentId === studentId);
    if (!student) throw new ProblemError('not-found', 'There is no such student in this class.');
    const [scheme] = await query<{ schemeId: string }>(SCHEME_OF_TOPIC, [subjectId, schemeTopicId]);
    const marks = scheme && (await marksOfClass(query, { ...set, schemeId: scheme.schemeId }));
    const topic = marks?.topics?.topics.find((one) => one.schemeTopicId === schemeTopicId);
    if (!marks || !topic) throw new ProblemError('not-found', 'There is no such topic.');
    const { bearing, askedQuestions, sittings } = marks;
    const figures = ofStudent(bearing.get(schemeTopicId) ?? [], askedQuestions, sittingsBy(sittings, studentId));
    return {
      setId,
      subjectId,
      studentId,
      student: student.name,
      thresholds,
      schemeTopicId,
      name: topic.name,
      ...ratedBy(thresholds, figures),
      marks: figures.marks,
      available: figures.available,
      predicted: figures.predicted,
      prerequisites: prerequisitesOf(marks.topics, figures.questions),
      questions: figures.questions.map(({ questionId, number, topic: name, max, testId, test, byHand, through, mark, ...open }) => ({
        questionId,
        number,
        topic: name,
        max,
        testId,
        test,
        byHand,
        through,
        mark,
        ...ifOpen(open),
      })),
      ...ifOpen(figures),
    };
  },
});

const sittingsBy = (sittings: ReadonlyMap<string, readonly Sitting[]>, studentId: string): ReadonlyMap<string, Sitting> =>
  new Map([...sittings.values()].flatMap((ofTest) => ofTest.filter((one) => one.studentId === studentId).map((one) => [one.testId, one])));

type Scheme = { readonly schemeId: string; readonly name: string };

/** $1 school; $2 subject. */
const SCHEMES = `
select w.scheme_id as "schemeId", w.name from schemes w where w.school_id = $1 and w.subject_id = $2 order by ${inOrder('w.name')}, w.scheme_id`;

/** The same; $3 topic. */
const SCHEME_OF_TOPIC = `
select w.scheme_id as "schemeId"
from schemes w
where w.school_id = $1 and w.subject_id = $2
  and exists (select from json_array_elements(w.topics) t where t ->> 'topicId' = $3::text)`;
