import { z } from 'zod';
import { inOrder } from '../../common/in-order.ts';
import { id } from '../../contract/fields.ts';
import { bySubjectID, sowRow } from '../admin/reading.ts';
import { call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { question } from '../question.ts';
import { own, ofStudent, ownSubject, subjectOfScheme, subjectsOf } from './reading.ts';

const ofScheme = z.strictObject({ SoWID: id, ...ofStudent.asks });
const topic = { SoWTopicID: id, SoWTopic: z.string() };
const yearSat = z.coerce.number<string>().int().min(1).max(9_999);

const topicsOf = async (caller: Caller, { SoWID, UniqueID }: z.output<typeof ofScheme>) => {
  own(caller, UniqueID);
  const subjectId = await subjectOfScheme(caller, SoWID);
  return (await caller.query('student-topics', { subjectId, schemeId: SoWID })).topics;
};

/** Schemes of work, progress in their topics, terminal exams, and whom and what to choose. */
export const topicReads = {
  'GET /student/2': call({
    purpose: 'Schemes of work of a subject.',
    asks: bySubjectID,
    answers: z.array(sowRow),
    behind: [],
    models: ['structure', 'roster'],
    differs: 'To a student that of their class.',
    adapt: (caller, { asks: { SubjectID } }) =>
      caller.sql(async (query) => {
        const known = await ownSubject(query, caller.actor, SubjectID);
        return query(
          `select scheme_id as "SoWId", name as "SoWName", subject_id as "SubjectID" from schemes
            where school_id = $1 and subject_id = $2 and ($3 or scheme_id = $4::uuid)
            order by ${inOrder('name')}, scheme_id`,
          [SubjectID, known === undefined, known ?? null],
        );
      }),
  }),
  'GET /student/3': call({
    purpose: 'Topics of a scheme of work, in its order.',
    asks: z.strictObject({ SoWID: id }),
    answers: z.array(z.object({ ...topic, SoWID: id })),
    behind: [],
    models: ['structure', 'roster'],
    async adapt(caller, { asks: { SoWID } }) {
      await subjectOfScheme(caller, SoWID);
      return caller.sql((query) =>
        query(
          `select t.topic ->> 'topicId' as "SoWTopicID", t.topic ->> 'name' as "SoWTopic", w.scheme_id as "SoWID"
             from schemes w cross join lateral json_array_elements(w.topics) with ordinality t (topic, place)
            where w.school_id = $1 and w.scheme_id = $2 order by t.place`,
          [SoWID],
        ),
      );
    },
  }),
  'GET /student/31': call({
    purpose: 'The questions on which the values of a student in the topics of a scheme of work rest.',
    asks: ofScheme,
    viewed: ofStudent.viewed,
    answers: z.array(
      z.object({
        ...topic,
        TestName: z.string(),
        ...question,
        MarkAwarded: z.int().nullable().describe('null: left out, which counts 0.'),
      }),
    ),
    behind: ['student-topics'],
    models: ['structure', 'roster'],
    differs: 'As the student sees it: visible assessments only.',
    async adapt(caller, { asks }) {
      const topics = await topicsOf(caller, asks);
      return topics.flatMap(({ schemeTopicId, name, questions }) =>
        questions.map(({ questionId, test, number, topic: TestTopic, mark, max }) => ({
          SoWTopicID: schemeTopicId,
          SoWTopic: name,
          TestName: test,
          QuestionID: questionId,
          QuestionNumber: number,
          TestTopic,
          MarksAvailable: max,
          MarkAwarded: mark,
        })),
      );
    },
  }),
  'GET /student/32': call({
    purpose: 'Progress of a student in the topics of a scheme of work.',
    asks: ofScheme,
    viewed: ofStudent.viewed,
    answers: z.array(
      z.object({
        ...topic,
        UniqueID: id,
        Rag: z.int().nullable().describe('100 * marks / available, truncated. null: nothing was asked yet.'),
      }),
    ),
    behind: ['student-topics'],
    models: ['structure', 'roster'],
    differs: 'As the student sees it: visible assessments only.',
    async adapt(caller, { asks }) {
      const topics = await topicsOf(caller, asks);
      return topics.map(({ schemeTopicId, name, value }) => ({
        SoWTopicID: schemeTopicId,
        SoWTopic: name,
        UniqueID: asks.UniqueID,
        Rag: value,
      }));
    },
  }),
  'GET /student/34': call({
    purpose: 'Assessments of a subject for which students enter marks.',
    asks: bySubjectID,
    answers: z.array(z.object({ TestID: id, TestName: z.string(), MaxMark: z.int().nullable(), Allowinput: z.literal(1), SubjectID: id })),
    behind: ['student-home'],
    models: ['structure', 'assessments'],
    differs: 'To a student those of their own class, and those that they have sat.',
    async adapt(caller, { asks: { SubjectID } }) {
      const row = (testId: string, name: string, max: number | null) => {
        return { TestID: testId, TestName: name, MaxMark: max, Allowinput: 1 as const, SubjectID };
      };
      if (caller.actor.studentId !== null) {
        const { tests } = await caller.query('student-home', { subjectId: SubjectID });
        return tests.map(({ testId, name, max }) => row(testId, name, max));
      }
      const tests = await caller.sql(async (query) => {
        await ownSubject(query, caller.actor, SubjectID);
        return query<{ testId: string; name: string; max: number | null }>(
          `select test_id as "testId", name, max from tests where school_id = $1 and subject_id = $2 and visible order by ${inOrder('name')}, test_id`,
          [SubjectID],
        );
      });
      return tests.map(({ testId, name, max }) => row(testId, name, max));
    },
  }),
  'GET /student/36': call({
    purpose: 'Terminal exams of a subject that are sat in a school year.',
    asks: z.strictObject({ SubjectID: id, YearSat: yearSat }),
    answers: z.array(z.object({ EndpointID: id, EndpointName: z.string(), YearSat: z.int(), SubjectID: id })),
    behind: [],
    models: ['structure', 'roster'],
    adapt: (caller, { asks: { SubjectID, YearSat } }) =>
      caller.sql(async (query) => {
        await ownSubject(query, caller.actor, SubjectID);
        return query(
          `select terminal_exam_id as "EndpointID", name as "EndpointName", year_sat as "YearSat", subject_id as "SubjectID"
             from terminal_exams where school_id = $1 and subject_id = $2 and year_sat = $3
            order by ${inOrder('name')}, terminal_exam_id`,
          [SubjectID, YearSat],
        );
      }),
  }),
  'GET /student/37': call({
    purpose: 'How students of earlier years with a like total ended: the student who asks, or as whom staff view (X-View-As).',
    asks: z.strictObject({
      EndpointID: id,
      TestID: id,
      Lower: z.coerce.number<string>().optional(),
      Upper: z.coerce.number<string>().optional(),
    }),
    answers: z.array(z.object({ EndpointID: id, EndpointName: z.string(), EndScore: z.string(), Freq: z.int() })),
    behind: ['grade-graph'],
    models: ['structure'],
    differs:
      "Lower and Upper count only where they are the bounds of the student's own total, 90 and 110 % of it; otherwise these bounds do. Nothing comes of fewer than five students.",
    async adapt(caller, { asks: { EndpointID, TestID } }) {
      const { ends } = await caller.query('grade-graph', { testId: TestID, terminalExamId: EndpointID });
      const [exam] = await caller.sql((query) =>
        query<{ name: string }>(`select name from terminal_exams where school_id = $1 and terminal_exam_id = $2`, [EndpointID]),
      );
      return (ends ?? []).map(({ endScore, count }) => ({ EndpointID, EndpointName: exam?.name ?? '', EndScore: endScore, Freq: count }));
    },
  }),
  'GET /student/39': call({
    purpose: 'Of a student, the subjects with their classes; of staff, the students as whom they may view the pages.',
    answers: z.array(
      z.object({
        UniqueID: id,
        StudentID: z.string().nullable(),
        LastFirst: z.string().nullable(),
        SubjectID: id,
        subject_name: z.string(),
        SetID: id.nullable().describe('null: off roll.'),
        SetName: z.string().nullable(),
      }),
    ),
    behind: [],
    models: ['structure', 'roster'],
    adapt: async (caller) => {
      const { actor } = caller;
      if (actor.studentId !== null)
        return (await subjectsOf(caller)).map(({ UniqueID, StudentID, LastFirst, SubjectID, subject_name, SetID, SetName }) => {
          return { UniqueID, StudentID, LastFirst, SubjectID, subject_name, SetID, SetName };
        });
      return caller.sql((query) =>
        query(STUDENTS, [
          actor.role === 'admin' ? null : actor.role === 'leader' ? actor.subjectIds : [],
          actor.role === 'teacher' ? actor.setIds : [],
        ]),
      );
    },
  }),
};

/** $1 school; $2 subjects, null: all; $3 classes. */
const STUDENTS = `
select s.student_id as "UniqueID", s.admission_no as "StudentID", s.name as "LastFirst", b.subject_id as "SubjectID", b.name as subject_name,
  g.set_id as "SetID", g.name as "SetName"
from enrolments e
join students s on s.school_id = $1 and s.student_id = e.student_id
join subjects b on b.school_id = $1 and b.subject_id = e.subject_id
left join sets g on g.school_id = $1 and g.set_id = e.set_id and not g.deleted
where e.school_id = $1 and e.state <> 'removed' and s.name is not null
  and ($2::uuid[] is null or e.subject_id = any($2::uuid[]) or e.set_id = any($3::uuid[]))
order by ${inOrder('b.name')}, ${inOrder('g.name')}, ${inOrder('s.name')}, s.student_id`;
