import { noSuch } from '../../common/about.ts';
import { defineQuery } from '../../common/query.ts';
import { hasMarks } from '../group.formula.ts';
import { sittingsOfStudents } from '../sittings.facts.ts';
import type { Asked } from '../topic-figures.formula.ts';
import { ofStudent } from '../topic-figures.formula.ts';
import { type Bearing, bearingOn, ragOf, topicValue } from '../topics.formula.ts';
import { topicsOf } from '../topics.facts.ts';
import { askedOfClass } from './asked.facts.ts';
import { NOT_LIVE } from './home.query.ts';
import type { StudentTopics } from './student.contract.ts';
import { studentQueries } from './student.contract.ts';
import { placeOf } from './student.facts.ts';

/** What a student got in the topics of the scheme of work of their class. */
export const studentTopics = defineQuery({
  ...studentQueries['student-topics'],
  models: ['structure', 'roster', 'assessments', 'mappings', 'results'],
  live: NOT_LIVE,
  async run(query, { subjectId, schemeId: wanted }, actor): Promise<StudentTopics> {
    const { studentId, set, thresholds, ...place } = await placeOf(query, actor, subjectId);
    const schemeId = wanted ?? place.schemeId;
    const known = schemeId === null ? undefined : await topicsOf(query, subjectId, schemeId);
    if (wanted !== undefined && !known) throw noSuch('scheme');
    const { papers, sittings } = await sittingsOfStudents(query, subjectId, [studentId]);
    const own = [...sittings].flatMap(([testId, [sitting]]) => (sitting && hasMarks(sitting) ? [[testId, sitting] as const] : []));
    const testIds = own.map(([testId]) => testId);
    const asked = await askedOfClass(query, set?.setId ?? null, studentId, testIds);
    const questions: Asked[] = testIds.flatMap((testId) =>
      (papers.get(testId)?.questions ?? []).flatMap(({ questionId, max }, place) =>
        asked.has(questionId) ? [{ testId, questionId, max, place }] : [],
      ),
    );
    const topicsOfQuestion = new Map(known?.mapped.map(({ questionId, topicIds }) => [questionId, topicIds]));
    const bearing = known
      ? bearingOn(
          known.topics,
          known.tree,
          questions.map(({ questionId }) => ({ questionId, topicIds: topicsOfQuestion.get(questionId) ?? [] })),
        )
      : new Map<string, readonly Bearing[]>();
    const byId = new Map(questions.map((one) => [one.questionId, one]));
    const bySitting = new Map(own);
    const names = new Map(known?.tree.map(({ topicId, name }) => [topicId, name]));
    return {
      subjectId,
      scheme: known?.scheme ?? null,
      thresholds,
      topics: (known?.topics ?? []).map(({ schemeTopicId, name }) => {
        const figures = ofStudent(bearing.get(schemeTopicId) ?? [], byId, bySitting);
        const value = topicValue(figures);
        return {
          schemeTopicId,
          name,
          value,
          rag: ragOf(value, thresholds),
          predictedFrom: figures.predicted ? namesThrough(figures.questions, names) : [],
          questions: figures.questions.flatMap(({ testId, questionId }) => {
            const paper = papers.get(testId);
            const question = paper?.questions.find((one) => one.questionId === questionId);
            if (!paper || !question) return [];
            const { number, topic, max } = question;
            return [{ questionId, test: paper.name, number, topic, mark: figures.marksOf.get(questionId) ?? null, max }];
          }),
        };
      }),
    };
  },
});

const namesThrough = (questions: readonly Bearing[], names: ReadonlyMap<string, string>): string[] =>
  [...new Set(questions.flatMap(({ through }) => through))].flatMap((topicId) => names.get(topicId) ?? []);
