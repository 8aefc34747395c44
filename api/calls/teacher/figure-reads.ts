import { z } from 'zod';
import { ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { call } from '../call.ts';
import { question, questionOf } from '../question.ts';
import { averagesOfAll, averageOf, averageRow, bySet, bySetAndTest, forgotten } from './rows.ts';
import { read } from '../read.ts';

const averages = (purpose: string) =>
  call({
    purpose,
    asks: z.strictObject({ TestID: id }),
    answers: z.array(averageRow),
    behind: [],
    models: ['structure', 'roster', 'assessments', 'results'],
    adapt: (caller, { asks: { TestID } }) => averagesOfAll(caller, TestID),
  });

/** What analyses say about a class, and about all students. */
export const figureReads = {
  'GET /teacher/9': call({
    purpose: 'Assessments of a class: those that are given to it, and those in which somebody of it has a total.',
    asks: bySet,
    answers: z.array(
      z.object({
        TestID: id,
        TestName: z.string(),
        SetID: id,
        Max: z.int().nullable().describe('null: no questions yet.'),
        Cnt: z.int().describe('How many students of the class have a total of staff; above 0 it is completed.'),
      }),
    ),
    behind: ['markbook', 'structure'],
    async adapt(caller, { asks: { SetID }, about: { subjectId, yearGroupId } }) {
      const { yearGroups } = await caller.query('structure', { subjectId });
      const given = yearGroups.flatMap(({ sets }) => sets).find(({ setId }) => setId === SetID)?.testIds ?? [];
      const { tests, students } = await caller.query('markbook', { yearGroupId, setId: SetID });
      return tests.flatMap(({ testId: TestID, name: TestName, max: Max }, place) => {
        const Cnt = students.filter(({ totals }) => (totals[place]?.total ?? null) !== null).length;
        return Cnt > 0 || given.includes(TestID) ? [{ TestID, TestName, SetID, Max, Cnt }] : [];
      });
    },
  }),
  'GET /teacher/10': read('question-analysis', {
    purpose: 'Means of a class in the questions of an assessment.',
    asks: bySetAndTest,
    answers: z.object({ Avgs: z.array(averageRow) }),
    make({ questions, sets }) {
      const [ofClass] = sets;
      return {
        Avgs: questions.flatMap((paperQuestion, place) => {
          const figures = ofClass?.questions[place];
          // Whole marks, so that the mean is the exact one.
          const sum = figures?.distribution.reduce((all, [mark, students]) => all + mark * students, 0);
          return ofClass && sum !== undefined ? [averageOf(paperQuestion, sum, ofClass.n)] : [];
        }),
      };
    },
  }),
  'GET /teacher/11': averages('Means of all students who sat an assessment, as shares of the marks of each question.'),
  'GET /teacher/14': read('progress-predictors', {
    purpose: 'RAG values of the students of a class in the topics of a scheme of work.',
    asks: z.strictObject({ SoWID: id, SetID: id }),
    answers: z.array(
      z.object({
        SoWTopicID: id,
        SoWTopic: z.string(),
        UniqueID: id,
        LastFirst: forgotten,
        Rag: z.int().nullable().describe('100 * marks / available, truncated. null: nothing was asked yet.'),
        MarkAwarded: z.int(),
        MarksAvailable: z.int(),
      }),
    ),
    make: ({ topics, of }) =>
      topics.flatMap(({ schemeTopicId, name: SoWTopic }, place) =>
        of.map(({ studentId, name, topics: ofStudent }) => ({
          SoWTopicID: schemeTopicId,
          SoWTopic,
          UniqueID: studentId,
          LastFirst: name,
          Rag: ofStudent[place]?.value ?? null,
          MarkAwarded: ofStudent[place]?.marks ?? 0,
          MarksAvailable: ofStudent[place]?.available ?? 0,
        })),
      ),
  }),
  'GET /teacher/16': call({
    purpose: 'The questions on which the RAG value of a student in a topic rests.',
    asks: z.strictObject({ SoWTopicID: id, StudentID: id.describe('The UniqueID.') }),
    answers: z.array(
      z.object({
        TestID: id,
        TestName: z.string(),
        ...question,
        MarkAwarded: z.int().nullable().describe('null: left out, which counts 0.'),
      }),
    ),
    behind: ['predictor-questions'],
    models: ['structure', 'roster'],
    async adapt(caller, { asks: { SoWTopicID: schemeTopicId, StudentID: studentId }, about: { setId } }) {
      if (setId === undefined) throw new ProblemError('not-found', 'There is no such student in a class of the subject.');
      const { questions } = await caller.query('predictor-questions', { setId, studentId, schemeTopicId });
      return questions.map((topicQuestion) => ({
        TestID: topicQuestion.testId,
        TestName: topicQuestion.test,
        ...questionOf(topicQuestion),
        MarkAwarded: topicQuestion.mark,
      }));
    },
  }),
  'GET /teacher/17': averages('Means of all students in the questions of an assessment.'),
};
