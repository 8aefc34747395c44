import { z } from 'zod';
import { inOrder } from '../../common/in-order.ts';
import { id } from '../../contract/fields.ts';
import { call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { requiredTopics, testedTopics } from '../mappings.ts';
import { linkId } from '../tables.ts';
import { bySubjectID, bySubjectId, questionRow, sowRow, sowTopicRow } from './reading.ts';
import { list, read } from '../read.ts';

/** Schemes of work, assessments, and what is mapped between them. $1 school. */
const TOPICS = `
select (topic ->> 'topicId')::uuid as "SoWTopicID", topic ->> 'name' as "SoWTopic", w.scheme_id as "SoWID",
  coalesce((select cardinality(m.topic_ids) from scheme_topic_maps m where m.school_id = $1 and m.scheme_topic_id = (topic ->> 'topicId')::uuid), 0)
  + coalesce((select cardinality(p.question_ids) from prerequisites p where p.school_id = $1 and p.scheme_topic_id = (topic ->> 'topicId')::uuid), 0)
    as "Mappings"
from schemes w cross join lateral json_array_elements(w.topics) with ordinality listed (topic, place)
where w.school_id = $1`;

const QUESTIONS = `
select q.question_id as "QuestionID", q.number as "QuestionNumber", q.topic as "TestTopic", q.marks_available as "MarksAvailable", q.test_id as "TestID",
  coalesce((select cardinality(m.topic_ids) from question_maps m where m.school_id = $1 and m.question_id = q.question_id), 0)
  + (select count(*)::int4 from prerequisites p where p.school_id = $1 and p.subject_id = t.subject_id and q.question_id = any(p.question_ids)) as "Mappings"
from questions q join tests t using (school_id, test_id)
where q.school_id = $1 and not q.hidden`;

/** Topics of a scheme of work, in order. */
export const topicsOfScheme = (caller: Caller, schemeId: string) =>
  caller.sql((query) => query<z.output<typeof sowTopicRow>>(`${TOPICS} and w.scheme_id = $2 order by listed.place`, [schemeId]));

export const questionsOfTest = call({
  purpose: 'Questions of an assessment, in order.',
  asks: z.strictObject({ TestID: id }),
  answers: z.array(questionRow),
  behind: [],
  models: ['structure', 'assessments', 'mappings'],
  adapt: (caller, { asks: { TestID } }) => caller.sql((query) => query(`${QUESTIONS} and q.test_id = $2 order by q.number`, [TestID])),
});

export const paperReads = {
  'GET /admin/2': list('schemes', {
    purpose: 'Schemes of work of a subject.',
    asks: bySubjectId,
    answers: z.array(sowRow),
    make: (schemes, { asks: { SubjectId } }) => schemes.map(({ id: SoWId, name }) => ({ SoWId, SoWName: name, SubjectID: SubjectId })),
  }),
  'GET /admin/3': call({
    purpose: 'Topics of a scheme of work, in order.',
    asks: z.strictObject({ SoWID: id }),
    answers: z.array(sowTopicRow),
    behind: [],
    models: ['structure', 'mappings'],
    adapt: (caller, { asks: { SoWID } }) => topicsOfScheme(caller, SoWID),
  }),
  'GET /admin/4': call({
    purpose: 'A topic of a scheme of work: a list of one.',
    asks: z.strictObject({ SoWTopicID: id }),
    answers: z.array(sowTopicRow),
    behind: [],
    models: ['structure', 'mappings'],
    adapt: (caller, { asks: { SoWTopicID } }) => caller.sql((query) => query(`${TOPICS} and topic ->> 'topicId' = $2::text`, [SoWTopicID])),
  }),
  'GET /admin/5': list('assessments', {
    purpose: 'Assessments of a subject.',
    asks: bySubjectID,
    answers: z.array(
      z.object({ TestID: id, TestName: z.string(), Allowinput: z.literal([0, 1]), SubjectID: id, MaxMark: z.int().nullable() }),
    ),
    make: (assessments, { asks: { SubjectID } }) =>
      assessments.map(({ id: TestID, name, visible, max }) => ({
        TestID,
        TestName: name,
        Allowinput: visible ? (1 as const) : (0 as const),
        SubjectID,
        MaxMark: max,
      })),
  }),
  'GET /admin/6': questionsOfTest,
  'GET /admin/7': call({
    purpose: 'A question: a list of one.',
    asks: z.strictObject({ QuestionID: id }),
    answers: z.array(questionRow),
    behind: [],
    models: ['structure', 'assessments', 'mappings'],
    adapt: (caller, { asks: { QuestionID } }) => caller.sql((query) => query(`${QUESTIONS} and q.question_id = $2`, [QuestionID])),
  }),
  'GET /admin/18': read('mappings', {
    purpose: 'Pre-requisite topics of the topics of schemes of work.',
    asks: bySubjectId,
    answers: z.array(z.object({ NLPSoWID: id, SoWTopicID: id, TopicID: id })),
    make: (mappings) => requiredTopics(mappings).map(({ NLPSoWID, SoWTopicID, TopicID }) => ({ NLPSoWID, SoWTopicID, TopicID })),
  }),
  'GET /admin/19': read('mappings', {
    purpose: 'Topics that the questions of assessments test.',
    asks: bySubjectID,
    answers: z.array(z.object({ NLPAssessID: id, QuestionID: id, TopicID: id, TestID: id })),
    make: (mappings) =>
      testedTopics(mappings).map(({ NLPAssessID, QuestionID, TopicID, TestID }) => ({ NLPAssessID, QuestionID, TopicID, TestID })),
  }),
  'GET /admin/20': call({
    purpose: 'Questions of all assessments of a subject.',
    asks: bySubjectID,
    answers: z.array(questionRow.extend({ TestName: z.string() })),
    behind: [],
    models: ['structure', 'assessments', 'mappings'],
    adapt: (caller, { asks: { SubjectID } }) =>
      caller.sql((query) =>
        query(
          `select asked.*, t.name as "TestName" from (${QUESTIONS} and t.subject_id = $2) asked
             join tests t on t.school_id = $1 and t.test_id = asked."TestID"
            order by ${inOrder('t.name')}, asked."TestID", asked."QuestionNumber"`,
          [SubjectID],
        ),
      ),
  }),
  'GET /admin/21': read('mappings', {
    purpose: 'Questions that were assigned by hand to a topic of a scheme of work.',
    asks: z.strictObject({ SoWTopicID: id }),
    answers: z.array(
      z.object({
        SoWMappingID: id,
        QuestionID: id,
        SoWTopicID: id,
        QuestionNumber: z.int(),
        TestTopic: z.string(),
        TestID: id,
        TestName: z.string(),
      }),
    ),
    make({ schemes, tests }, { asks: { SoWTopicID } }) {
      const topic = schemes.flatMap(({ topics }) => topics).find(({ schemeTopicId }) => schemeTopicId === SoWTopicID);
      return tests.flatMap(({ testId: TestID, name: TestName, questions }) =>
        questions.flatMap(({ questionId: QuestionID, number, topic: TestTopic }) =>
          topic?.questionIds.includes(QuestionID)
            ? [
                {
                  SoWMappingID: linkId('SoWMapping', SoWTopicID, QuestionID),
                  SoWTopicID,
                  QuestionID,
                  QuestionNumber: number,
                  TestTopic,
                  TestID,
                  TestName,
                },
              ]
            : [],
        ),
      );
    },
  }),
};
