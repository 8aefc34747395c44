import { z } from 'zod';
import { id } from '../../contract/fields.ts';
import { questionsOfTest } from '../admin/paper-reads.ts';
import { bySubjectID, byYeargroup, questionRow } from '../admin/reading.ts';
import { binary, testsOf } from '../structure.ts';
import { requiredTopics, testedTopics } from '../mappings.ts';
import { read } from '../read.ts';

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

/** Assessments, their averages, topics and revision lists. */
export const paperReads = {
  'GET /leader/1': read('leader-dashboard', {
    purpose: 'Assessments of a year group, with the averages of its classes and of earlier school years.',
    asks: z.strictObject({ SubjectID: id, YeargroupID: id }),
    answers: z.object({
      tests: z.array(z.object({ TestID: id, TestName: z.string(), MaxMark: maxMark })),
      averages: z.array(average.extend({ SetID: id, SetName: z.string() })),
      historic: z.array(average.extend({ Year: z.int().describe('In which the school year begins, on 1 September.') })),
    }),
    make({ sets, tests }) {
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
  'GET /leader/2': read('revision-lists', {
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
    make: ({ headers, test }, { asks: { SubjectID, TestID } }) => ({
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
    }),
  }),
  'GET /leader/9': read('structure', {
    purpose: 'Assessments of a subject.',
    asks: bySubjectID,
    answers: z.array(testRow),
    make: (structure, { asks: { SubjectID } }) => testsOf(structure).map(({ visible: _, ...test }) => ({ ...test, SubjectID })),
  }),
  'GET /leader/11': read('markbook', {
    purpose: 'Assessments by which a year group can be ranked: those in which somebody of it has a total.',
    asks: byYeargroup,
    answers: z.array(
      z.object({ TestID: id, TestName: z.string(), Max: maxMark, Cnt: z.int().describe('How many students have a total.') }),
    ),
    make: ({ tests }) =>
      tests.flatMap(({ testId, name, max, count }) => (count === 0 ? [] : [{ TestID: testId, TestName: name, Max: max, Cnt: count }])),
  }),
  'GET /leader/18': read('mappings', {
    purpose: 'Pre-requisite topics of the topics of schemes of work, by name.',
    asks: bySubjectID,
    answers: z.array(
      z.object({ NLPSoWID: id, SoWTopicID: id, SoWTopic: z.string(), SoWId: id, SoWName: z.string(), TopicID: id, TopicName: z.string() }),
    ),
    make: requiredTopics,
  }),
  'GET /leader/19': read('mappings', {
    purpose: 'Topics that the questions of all assessments of a subject test, by name.',
    asks: bySubjectID,
    answers: z.array(bound),
    make: testedTopics,
  }),
  'GET /leader/20': read('structure', {
    purpose: 'Assessments of a subject, and whether students see them.',
    asks: bySubjectID,
    answers: z.array(testRow.extend({ Allowinput: z.literal([0, 1]) })),
    make: (structure, { asks: { SubjectID } }) =>
      testsOf(structure).map(({ visible, ...test }) => ({ ...test, SubjectID, Allowinput: binary(visible) })),
  }),
  'GET /leader/21': questionsOfTest,
  'GET /leader/22': read('mappings', {
    purpose: 'Topics that the questions of an assessment test, by name.',
    asks: byTest,
    answers: z.array(bound),
    make: (mappings, { asks: { TestID } }) => testedTopics(mappings).filter((row) => row.TestID === TestID),
  }),
};
