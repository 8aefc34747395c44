import { noSuch } from '../../common/about.ts';
import { defineQuery } from '../../common/query.ts';
import { hasMarks } from '../group.formula.ts';
import { sittingsOfStudents } from '../sittings.facts.ts';
import { askedOf, ofStudent } from '../topic-figures.formula.ts';
import type { Bearing } from '../topics.formula.ts';
import { ratedBy } from '../topics.formula.ts';
import { bearingOf, topicsOf } from '../topics.facts.ts';
import { NOT_LIVE } from './home.query.ts';
import type { StudentTopics } from './student.contract.ts';
import { studentQueries } from './student.contract.ts';
import { askedOfClass, placeOf } from './student.facts.ts';

/** What a student got in the topics of the scheme of work of their class. */
export const studentTopics = defineQuery({
  ...studentQueries['student-topics'],
  models: ['structure', 'roster', 'assessments', 'mappings', 'results'],
  live: NOT_LIVE,
  async run(query, { subjectId, schemeId: wanted }, actor): Promise<StudentTopics> {
    const { studentId, set, thresholds, ...place } = await placeOf(query, actor, subjectId);
    const schemeId = wanted ?? place.schemeId;
    const topics = schemeId === null ? undefined : await topicsOf(query, subjectId, schemeId);
    if (wanted !== undefined && !topics) throw noSuch('scheme');
    const { papers, sittings } = await sittingsOfStudents(query, subjectId, [studentId]);
    const satBy = new Map(
      [...sittings].flatMap(([testId, [sitting]]) => (sitting && hasMarks(sitting) ? [[testId, sitting] as const] : [])),
    );
    const testIds = [...satBy.keys()];
    const askedIds = await askedOfClass(query, set?.setId ?? null, studentId, testIds);
    const askedQuestions = askedOf(
      testIds.flatMap((testId) => papers.get(testId) ?? []),
      ({ questionId }) => askedIds.has(questionId),
    );
    const bearing = bearingOf(topics, askedQuestions.keys());
    const names = new Map(topics?.tree.map(({ topicId, name }) => [topicId, name]));
    return {
      subjectId,
      scheme: topics?.scheme ?? null,
      thresholds,
      topics: (topics?.topics ?? []).map(({ schemeTopicId, name }) => {
        const figures = ofStudent(bearing.get(schemeTopicId) ?? [], askedQuestions, satBy);
        return {
          schemeTopicId,
          name,
          ...ratedBy(thresholds, figures),
          predictedFrom: figures.predicted ? namesThrough(figures.questions, names) : [],
          questions: figures.questions.map(({ questionId, test, number, topic, mark, max }) => ({
            questionId,
            test,
            number,
            topic,
            mark,
            max,
          })),
        };
      }),
    };
  },
});

const namesThrough = (questions: readonly Bearing[], names: ReadonlyMap<string, string>): string[] =>
  [...new Set(questions.flatMap(({ through }) => through))].flatMap((topicId) => names.get(topicId) ?? []);
