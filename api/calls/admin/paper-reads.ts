import { z } from 'zod';
import { inOrder } from '../../common/in-order.ts';
import { ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { ofSubject, readableTest, rowsOfSubject } from '../scope.ts';
import { linkId } from '../tables.ts';
import { ownersOf } from './look-up.ts';
import { bySubjectID, bySubjectId, questionRow, sowRow, sowTopicRow } from './reading.ts';

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

/** Questions of an assessment, in order. */
export const questionsOf = (caller: Caller, { asks: { TestID } }: { readonly asks: { readonly TestID: string } }) =>
  caller.sql(async (query) => {
    await readableTest(query, caller.actor, TestID);
    return query<z.output<typeof questionRow>>(`${QUESTIONS} and q.test_id = $2 order by q.number`, [TestID]);
  });

export const paperReads = {
  'GET /admin/2': call({
    purpose: 'Schemes of work of a subject.',
    asks: bySubjectId,
    answers: z.array(sowRow),
    behind: ['schemes'],
    async adapt(caller, { asks: { SubjectId } }) {
      await ofSubject(caller, SubjectId);
      const schemes = await caller.list('schemes', { subjectId: SubjectId });
      return schemes.map(({ id: SoWId, name }) => ({ SoWId, SoWName: name, SubjectID: SubjectId }));
    },
  }),
  'GET /admin/3': call({
    purpose: 'Topics of a scheme of work, in order.',
    asks: z.strictObject({ SoWID: id }),
    answers: z.array(sowTopicRow),
    behind: [],
    models: ['structure', 'mappings'],
    async adapt(caller, { asks: { SoWID } }) {
      await ownersOf(caller, 'scheme', [SoWID]);
      return caller.sql((query) => query(`${TOPICS} and w.scheme_id = $2 order by listed.place`, [SoWID]));
    },
  }),
  'GET /admin/4': call({
    purpose: 'A topic of a scheme of work: a list of one.',
    asks: z.strictObject({ SoWTopicID: id }),
    answers: z.array(sowTopicRow),
    behind: [],
    models: ['structure', 'mappings'],
    async adapt(caller, { asks: { SoWTopicID } }) {
      await ownersOf(caller, 'schemeTopic', [SoWTopicID]);
      return caller.sql((query) => query(`${TOPICS} and topic ->> 'topicId' = $2::text`, [SoWTopicID]));
    },
  }),
  'GET /admin/5': call({
    purpose: 'Assessments of a subject.',
    asks: bySubjectID,
    answers: z.array(
      z.object({ TestID: id, TestName: z.string(), Allowinput: z.literal([0, 1]), SubjectID: id, MaxMark: z.int().nullable() }),
    ),
    behind: ['assessments'],
    async adapt(caller, { asks: { SubjectID } }) {
      await ofSubject(caller, SubjectID);
      const assessments = await caller.list('assessments', { subjectId: SubjectID });
      return assessments.map(({ id: TestID, name, visible, max }) => ({
        TestID,
        TestName: name,
        Allowinput: visible ? (1 as const) : (0 as const),
        SubjectID,
        MaxMark: max,
      }));
    },
  }),
  'GET /admin/6': call({
    purpose: 'Questions of an assessment, in order.',
    asks: z.strictObject({ TestID: id }),
    answers: z.array(questionRow),
    behind: [],
    models: ['structure', 'assessments', 'mappings'],
    adapt: questionsOf,
  }),
  'GET /admin/7': call({
    purpose: 'A question: a list of one.',
    asks: z.strictObject({ QuestionID: id }),
    answers: z.array(questionRow),
    behind: [],
    models: ['structure', 'assessments', 'mappings'],
    async adapt(caller, { asks: { QuestionID } }) {
      await ownersOf(caller, 'question', [QuestionID]);
      const rows = await caller.sql((query) => query<z.output<typeof questionRow>>(`${QUESTIONS} and q.question_id = $2`, [QuestionID]));
      if (rows.length === 0) throw new ProblemError('not-found', 'There is no such question.');
      return rows;
    },
  }),
  'GET /admin/18': call({
    purpose: 'Pre-requisite topics of the topics of schemes of work.',
    asks: bySubjectId,
    answers: z.array(z.object({ NLPSoWID: id, SoWTopicID: id, TopicID: id })),
    behind: ['mappings'],
    async adapt(caller, { asks: { SubjectId } }) {
      const { schemes } = await caller.query('mappings', { subjectId: SubjectId });
      return schemes.flatMap(({ topics }) =>
        topics.flatMap(({ schemeTopicId: SoWTopicID, topicIds }) =>
          topicIds.map((TopicID) => ({ NLPSoWID: linkId('NLPSoW', SoWTopicID, TopicID), SoWTopicID, TopicID })),
        ),
      );
    },
  }),
  'GET /admin/19': call({
    purpose: 'Topics that the questions of assessments test.',
    asks: bySubjectID,
    answers: z.array(z.object({ NLPAssessID: id, QuestionID: id, TopicID: id, TestID: id })),
    behind: ['mappings'],
    async adapt(caller, { asks: { SubjectID } }) {
      const { tests } = await caller.query('mappings', { subjectId: SubjectID });
      return tests.flatMap(({ testId: TestID, questions }) =>
        questions.flatMap(({ questionId: QuestionID, topicIds }) =>
          topicIds.map((TopicID) => ({ NLPAssessID: linkId('NLPAssess', QuestionID, TopicID), QuestionID, TopicID, TestID })),
        ),
      );
    },
  }),
  'GET /admin/20': call({
    purpose: 'Questions of all assessments of a subject.',
    asks: bySubjectID,
    answers: z.array(questionRow.extend({ TestName: z.string() })),
    behind: [],
    models: ['structure', 'assessments', 'mappings'],
    adapt: (caller, { asks: { SubjectID } }) =>
      rowsOfSubject(
        caller,
        SubjectID,
        `select asked.*, t.name as "TestName" from (${QUESTIONS} and t.subject_id = $2) asked
             join tests t on t.school_id = $1 and t.test_id = asked."TestID"
            order by ${inOrder('t.name')}, asked."TestID", asked."QuestionNumber"`,
      ),
  }),
  'GET /admin/21': call({
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
    behind: [],
    models: ['structure', 'assessments', 'mappings'],
    async adapt(caller, { asks: { SoWTopicID } }) {
      await ownersOf(caller, 'schemeTopic', [SoWTopicID]);
      type Row = { QuestionID: string; QuestionNumber: number; TestTopic: string; TestID: string; TestName: string };
      const rows = await caller.sql((query) =>
        query<Row>(
          `select q.question_id as "QuestionID", q.number as "QuestionNumber", q.topic as "TestTopic", t.test_id as "TestID", t.name as "TestName"
             from prerequisites p
             join questions q on q.school_id = $1 and q.question_id = any(p.question_ids) and not q.hidden
             join tests t on t.school_id = $1 and t.test_id = q.test_id
            where p.school_id = $1 and p.scheme_topic_id = $2
            order by ${inOrder('t.name')}, q.number`,
          [SoWTopicID],
        ),
      );
      return rows.map((row) => ({ SoWMappingID: linkId('SoWMapping', SoWTopicID, row.QuestionID), SoWTopicID, ...row }));
    },
  }),
};
