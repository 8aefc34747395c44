import { z } from 'zod';
import { inOrder } from '../../common/in-order.ts';
import { id } from '../../contract/fields.ts';
import { topicsOfScheme } from '../admin/paper-reads.ts';
import { bySubjectID, sowRow } from '../admin/reading.ts';
import { call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { question } from '../question.ts';
import { examOf, testsOf } from '../structure.ts';
import { ofStudent, placeRow, subjectOf, subjectOfScheme, subjectsOf } from './reading.ts';
import { read } from '../read.ts';

const ofScheme = z.strictObject({ SoWID: id, ...ofStudent.asks });
const topic = { SoWTopicID: id, SoWTopic: z.string() };
/** Without more columns: what is read of a subject is stripped to these. */
const chosenRow = placeRow.pick({
  UniqueID: true,
  StudentID: true,
  LastFirst: true,
  SubjectID: true,
  subject_name: true,
  SetID: true,
  SetName: true,
});
const yearSat = z.coerce.number<string>().int().min(1).max(9_999);

const topicsOf = async (caller: Caller, SoWID: string) => {
  const subjectId = await subjectOfScheme(caller, SoWID);
  return (await caller.query('student-topics', { subjectId, schemeId: SoWID })).topics;
};

/** Schemes of work, progress in their topics, terminal exams, and whom and what to choose. */
export const topicReads = {
  'GET /student/2': call({
    purpose: 'Schemes of work of a subject.',
    asks: bySubjectID,
    answers: z.array(sowRow),
    behind: ['structure'],
    models: ['structure', 'roster'],
    differs: 'To a student that of their class.',
    async adapt(caller, { asks: { SubjectID } }) {
      const subject = caller.actor.studentId === null ? undefined : await subjectOf(caller, SubjectID);
      if (subject && caller.actor.role === 'student')
        return subject.SoWId === null ? [] : [{ SoWId: subject.SoWId, SoWName: subject.SoWName ?? '', SubjectID }];
      const { schemes } = await caller.query('structure', { subjectId: SubjectID });
      return schemes.map(({ schemeId, name }) => ({ SoWId: schemeId, SoWName: name, SubjectID }));
    },
  }),
  'GET /student/3': call({
    purpose: 'Topics of a scheme of work, in its order.',
    asks: z.strictObject({ SoWID: id }),
    answers: z.array(z.object({ ...topic, SoWID: id })),
    behind: [],
    models: ['structure', 'roster', 'mappings'],
    async adapt(caller, { asks: { SoWID } }) {
      await subjectOfScheme(caller, SoWID);
      return (await topicsOfScheme(caller, SoWID)).map(({ Mappings: _, ...row }) => row);
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
    async adapt(caller, { asks: { SoWID } }) {
      const topics = await topicsOf(caller, SoWID);
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
    async adapt(caller, { asks: { SoWID, UniqueID } }) {
      const topics = await topicsOf(caller, SoWID);
      return topics.map(({ schemeTopicId, name, value }) => ({
        SoWTopicID: schemeTopicId,
        SoWTopic: name,
        UniqueID,
        Rag: value,
      }));
    },
  }),
  'GET /student/34': call({
    purpose: 'Assessments of a subject for which students enter marks.',
    asks: bySubjectID,
    answers: z.array(z.object({ TestID: id, TestName: z.string(), MaxMark: z.int().nullable(), Allowinput: z.literal(1), SubjectID: id })),
    behind: ['student-home', 'structure'],
    differs: 'To a student those of their own class, and those that they have sat.',
    async adapt(caller, { asks: { SubjectID } }) {
      const row = (TestID: string, TestName: string, MaxMark: number | null) => {
        return { TestID, TestName, MaxMark, Allowinput: 1 as const, SubjectID };
      };
      if (caller.actor.studentId !== null) {
        const { tests } = await caller.query('student-home', { subjectId: SubjectID });
        return tests.map(({ testId, name, max }) => row(testId, name, max));
      }
      return testsOf(await caller.query('structure', { subjectId: SubjectID })).flatMap(({ TestID, TestName, MaxMark, visible }) =>
        visible ? [row(TestID, TestName, MaxMark)] : [],
      );
    },
  }),
  'GET /student/36': call({
    purpose: 'Terminal exams of a subject that are sat in a school year.',
    asks: z.strictObject({ SubjectID: id, YearSat: yearSat }),
    answers: z.array(z.object({ EndpointID: id, EndpointName: z.string(), YearSat: z.int(), SubjectID: id })),
    behind: ['student-home', 'structure'],
    async adapt(caller, { asks: { SubjectID: subjectId, YearSat } }) {
      const { exams } = await caller.query(caller.actor.studentId === null ? 'structure' : 'student-home', { subjectId });
      return exams.flatMap((exam) => (exam.yearSat === YearSat ? [examOf(exam, subjectId)] : []));
    },
  }),
  'GET /student/37': read('grade-graph', {
    purpose: 'How students of earlier years with a like total ended: the student who asks, or as whom staff view (X-View-As).',
    asks: z.strictObject({
      EndpointID: id,
      TestID: id,
      Lower: z.coerce.number<string>().optional(),
      Upper: z.coerce.number<string>().optional(),
    }),
    answers: z.array(z.object({ EndpointID: id, EndpointName: z.string(), EndScore: z.string(), Freq: z.int() })),
    differs:
      "Lower and Upper count only where they are the bounds of the student's own total, 90 and 110 % of it; otherwise these bounds do. Nothing comes of fewer than five students.",
    make: ({ exam, ends }, { asks: { EndpointID } }) =>
      (ends ?? []).map(({ endScore, count }) => ({ EndpointID, EndpointName: exam, EndScore: endScore, Freq: count })),
  }),
  'GET /student/39': call({
    purpose: 'Of a student, the subjects with their classes; of staff, the students as whom they may view the pages.',
    answers: z.array(chosenRow),
    behind: [],
    models: ['structure', 'roster'],
    adapt: async (caller) => {
      const { actor } = caller;
      if (actor.studentId !== null) return (await subjectsOf(caller)).map((place) => chosenRow.parse(place));
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
