import { z } from 'zod';
import { id } from '../../contract/fields.ts';
import { questionsOf } from '../admin/paper-reads.ts';
import { bySubjectID, byYeargroup, questionRow } from '../admin/reading.ts';
import { call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { binary, testsIn } from '../structure.ts';
import { linkId } from '../tables.ts';

const byTest = z.strictObject({ TestID: id });
const maxMark = z.int().nullable().describe('null: no questions yet.');
const testRow = z.object({ TestID: id, TestName: z.string(), SubjectID: id, MaxMark: maxMark });
const average = z.object({ TestID: id, Average: z.number().describe('Per cent of the maximum.'), Cnt: z.int().describe('Totals in it.') });
const bound = z.object({
  NLPAssessID: id,
  QuestionID: id,
  QuestionNumber: z.int(),
  TestTopic: z.string(),
  TestID: id,
  TopicID: id,
  TopicName: z.string(),
});

/** What the questions of the assessments of a subject are bound to. */
const boundIn = async (caller: Caller, subjectId: string): Promise<z.output<typeof bound>[]> => {
  const { tree, tests } = await caller.query('mappings', { subjectId });
  const names = new Map((tree?.topics ?? []).map(({ topicId, name }) => [topicId, name]));
  return tests.flatMap(({ testId: TestID, questions }) =>
    questions.flatMap(({ questionId: QuestionID, number, topic, topicIds }) =>
      topicIds.map((TopicID) => ({
        NLPAssessID: linkId('NLPAssess', QuestionID, TopicID),
        QuestionID,
        QuestionNumber: number,
        TestTopic: topic,
        TestID,
        TopicID,
        TopicName: names.get(TopicID) ?? '',
      })),
    ),
  );
};

/** Assessments, their averages, topics and revision lists. */
export const paperReads = {
  'GET /leader/1': call({
    purpose: 'Assessments of a year group, with the averages of its classes and of earlier school years.',
    asks: z.strictObject({ SubjectID: id, YeargroupID: id }),
    answers: z.object({
      tests: z.array(z.object({ TestID: id, TestName: z.string(), MaxMark: maxMark })),
      averages: z.array(average.extend({ SetID: id, SetName: z.string() })),
      historic: z.array(average.extend({ Year: z.int().describe('In which the school year begins, on 1 September.') })),
    }),
    behind: ['leader-dashboard'],
    async adapt(caller, { asks: { YeargroupID: yearGroupId } }) {
      const { sets, tests } = await caller.query('leader-dashboard', { yearGroupId });
      const names = new Map(sets.map(({ setId, name }) => [setId, name]));
      return {
        tests: tests.map(({ testId, name, max }) => ({ TestID: testId, TestName: name, MaxMark: max })),
        averages: tests.flatMap(({ testId, averages }) =>
          averages.map(({ setId, mean, n }) => ({ TestID: testId, Average: mean, Cnt: n, SetID: setId, SetName: names.get(setId) ?? '' })),
        ),
        historic: tests.flatMap(({ testId, historic }) =>
          historic.map(({ schoolYear, mean, n }) => ({ TestID: testId, Average: mean, Cnt: n, Year: schoolYear })),
        ),
      };
    },
  }),
  'GET /leader/2': call({
    purpose: 'The headers of the revision lists of a subject, and where the questions of an assessment stand.',
    asks: z.strictObject({ SubjectID: id, TestID: id }),
    answers: z.object({
      headers: z.array(
        z.object({ RevLinkID: id, RevHead: z.string(), Num: z.int().describe('99: it was never put in order.'), SubjectID: id }),
      ),
      rev: z.array(
        questionRow.omit({ Mappings: true }).extend({
          RevID: z.union([id, z.literal(0)]).describe('The RevLinkID of its header; 0: under none.'),
          RevAlt: z.string().nullable().describe('Shown instead of the topic.'),
        }),
      ),
    }),
    behind: ['revision-lists'],
    async adapt(caller, { asks: { SubjectID, TestID } }) {
      const { headers, test } = await caller.query('revision-lists', { subjectId: SubjectID, testId: TestID });
      return {
        headers: headers.map(({ headerId, name, num }) => ({ RevLinkID: headerId, RevHead: name, Num: num, SubjectID })),
        rev: (test?.questions ?? []).map(({ questionId, number, topic, marksAvailable, headerId, text }) => ({
          QuestionID: questionId,
          QuestionNumber: number,
          TestTopic: topic,
          MarksAvailable: marksAvailable,
          TestID,
          RevID: headerId ?? (0 as const),
          RevAlt: text,
        })),
      };
    },
  }),
  'GET /leader/9': call({
    purpose: 'Assessments of a subject.',
    asks: bySubjectID,
    answers: z.array(testRow),
    behind: ['structure'],
    adapt: async (caller, { asks: { SubjectID } }) =>
      (await testsIn(caller, SubjectID)).map(({ visible: _, ...test }) => ({ ...test, SubjectID })),
  }),
  'GET /leader/11': call({
    purpose: 'Assessments by which a year group can be ranked: those in which somebody of it has a total.',
    asks: byYeargroup,
    answers: z.array(
      z.object({ TestID: id, TestName: z.string(), Max: maxMark, Cnt: z.int().describe('How many students have a total.') }),
    ),
    behind: ['markbook'],
    async adapt(caller, { asks: { YeargroupID: yearGroupId } }) {
      const { tests } = await caller.query('markbook', { yearGroupId });
      return tests.flatMap(({ testId, name, max, count }) =>
        count === 0 ? [] : [{ TestID: testId, TestName: name, Max: max, Cnt: count }],
      );
    },
  }),
  'GET /leader/18': call({
    purpose: 'Pre-requisite topics of the topics of schemes of work, by name.',
    asks: bySubjectID,
    answers: z.array(
      z.object({ NLPSoWID: id, SoWTopicID: id, SoWTopic: z.string(), SoWId: id, SoWName: z.string(), TopicID: id, TopicName: z.string() }),
    ),
    behind: ['mappings'],
    async adapt(caller, { asks: { SubjectID: subjectId } }) {
      const { tree, schemes } = await caller.query('mappings', { subjectId });
      const names = new Map((tree?.topics ?? []).map(({ topicId, name }) => [topicId, name]));
      return schemes.flatMap(({ schemeId: SoWId, name: SoWName, topics }) =>
        topics.flatMap(({ schemeTopicId: SoWTopicID, name: SoWTopic, topicIds }) =>
          topicIds.map((TopicID) => ({
            NLPSoWID: linkId('NLPSoW', SoWTopicID, TopicID),
            SoWTopicID,
            SoWTopic,
            SoWId,
            SoWName,
            TopicID,
            TopicName: names.get(TopicID) ?? '',
          })),
        ),
      );
    },
  }),
  'GET /leader/19': call({
    purpose: 'Topics that the questions of all assessments of a subject test, by name.',
    asks: bySubjectID,
    answers: z.array(bound),
    behind: ['mappings'],
    adapt: (caller, { asks: { SubjectID } }) => boundIn(caller, SubjectID),
  }),
  'GET /leader/20': call({
    purpose: 'Assessments of a subject, and whether students see them.',
    asks: bySubjectID,
    answers: z.array(testRow.extend({ Allowinput: z.literal([0, 1]) })),
    behind: ['structure'],
    adapt: async (caller, { asks: { SubjectID } }) =>
      (await testsIn(caller, SubjectID)).map(({ visible, ...test }) => ({ ...test, SubjectID, Allowinput: binary(visible) })),
  }),
  'GET /leader/21': call({
    purpose: 'Questions of an assessment, in order.',
    asks: byTest,
    answers: z.array(questionRow),
    behind: [],
    models: ['structure', 'assessments', 'mappings'],
    adapt: questionsOf,
  }),
  'GET /leader/22': call({
    purpose: 'Topics that the questions of an assessment test, by name.',
    asks: byTest,
    answers: z.array(bound),
    behind: ['mappings'],
    adapt: async (caller, { asks: { TestID }, about: { subjectId } }) =>
      (await boundIn(caller, subjectId)).filter((row) => row.TestID === TestID),
  }),
};
