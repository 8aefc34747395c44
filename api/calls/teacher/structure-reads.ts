import { z } from 'zod';
import type { About } from '../../common/about.ts';
import { ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { naturalOrder } from '../../contract/order.ts';
import { teacherRecords } from '../accounts.ts';
import { bySubjectId, bySubjectID, byYeargroup, teacherRow } from '../admin/reading.ts';
import { call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { setsIn, testsIn } from '../structure.ts';
import { asStudentOfSet, studentsIn } from '../students.ts';
import { bySet, classRow, studentOfSet } from './rows.ts';

const year = z.object({ YeargroupID: id, Yeargroup: z.int() });
const test = z.object({ TestID: id, TestName: z.string(), MaxMark: z.int().nullable().describe('null: no questions yet.') });

/** The students of a class. */
const studentsOf = async (caller: Caller, { subjectId, setId }: About) =>
  (await studentsIn(caller, subjectId)).filter((student) => student.setId === setId).map(asStudentOfSet);

const asClass = ({ SoWID: _, ...set }: Awaited<ReturnType<typeof setsIn>>[number]) => set;

/** Year groups, classes, students, teachers and assessments. */
export const structureReads = {
  'GET /teacher/1': call({
    purpose: 'Year groups of a subject.',
    asks: bySubjectId,
    answers: z.array(year),
    behind: ['structure'],
    async adapt(caller, { asks: { SubjectId } }) {
      const { yearGroups } = await caller.query('structure', { subjectId: SubjectId });
      return yearGroups.map((one) => ({ YeargroupID: one.yearGroupId, Yeargroup: one.year }));
    },
  }),
  'GET /teacher/4': call({
    purpose: 'All students of a subject, with their classes: those off roll too.',
    asks: bySubjectID,
    answers: z.array(studentOfSet),
    behind: [],
    models: ['structure', 'roster'],
    differs: 'Whoever is off roll is in the set Off-Roll, as for admin/13.',
    async adapt(caller, { asks: { SubjectID } }) {
      const students = await studentsIn(caller, SubjectID);
      return students
        .toSorted((one, other) => Number(other.isInClass) - Number(one.isInClass) || naturalOrder(one.setName, other.setName))
        .map(asStudentOfSet);
    },
  }),
  'GET /teacher/5': call({
    purpose: 'Assessments of a subject.',
    asks: bySubjectID,
    answers: z.array(test),
    behind: ['structure'],
    adapt: async (caller, { asks: { SubjectID } }) => (await testsIn(caller, SubjectID)).map(({ visible: _, ...one }) => one),
  }),
  'GET /teacher/7': call({
    purpose: 'Classes of a teacher.',
    asks: z.strictObject({ SubjectID: id, TeacherID: id }),
    answers: z.array(classRow),
    behind: ['structure'],
    models: ['accounts'],
    differs: 'A teacher asks about their own record only.',
    async adapt(caller, { asks: { SubjectID, TeacherID } }) {
      const { teachers } = await caller.query('structure', { subjectId: SubjectID });
      const teacher = teachers.find(({ teacherId }) => teacherId === TeacherID);
      if (!teacher) throw new ProblemError('not-found', 'There is no such teacher.');
      if (caller.actor.role === 'teacher' && !(await teacherRecords(caller)).some((own) => own.TeacherID === TeacherID))
        throw new ProblemError('forbidden', 'You see your own classes only.');
      const taught = new Set(teacher.setIds);
      return (await setsIn(caller, SubjectID)).filter(({ SetId }) => taught.has(SetId)).map(asClass);
    },
  }),
  'GET /teacher/8': call({
    purpose: 'Teachers of a subject, to choose whose pages are shown.',
    asks: bySubjectID,
    answers: z.array(teacherRow),
    behind: ['structure'],
    async adapt(caller, { asks: { SubjectID } }) {
      const { teachers } = await caller.query('structure', { subjectId: SubjectID });
      return teachers.map(({ teacherId, name }) => ({ TeacherID: teacherId, Teacher: name, SubjectID }));
    },
  }),
  'GET /teacher/13': call({
    purpose: 'Students of a class.',
    asks: bySet,
    answers: z.array(studentOfSet),
    behind: [],
    models: ['structure', 'roster'],
    adapt: (caller, { about }) => studentsOf(caller, about),
  }),
  'GET /teacher/15': call({
    purpose: 'A class: its year group, its scheme of work and its RAG thresholds.',
    asks: bySet,
    answers: z.array(
      classRow.extend({
        Yeargroup: z.int(),
        SubjectID: id,
        subject_name: z.string(),
        SoWID: id.nullable().describe('null: it is deleted.'),
        SoWName: z.string().nullable(),
        Red: z.int(),
        Amber: z.int(),
        Green: z.int(),
        Cnt: z.int().describe('Students in the class.'),
      }),
    ),
    behind: ['structure'],
    async adapt(caller, { asks: { SetID }, about: { subjectId } }) {
      const { subject, schemes, yearGroups } = await caller.query('structure', { subjectId });
      return yearGroups.flatMap(({ yearGroupId, year: Yeargroup, sets }) =>
        sets.flatMap(({ setId, name, schemeId, thresholds: { red: Red, amber: Amber, green: Green }, students: Cnt }) => {
          if (setId !== SetID) return [];
          const scheme = schemes.find((one) => one.schemeId === schemeId);
          const ofClass = { SetId: SetID, SetName: name, YeargroupID: yearGroupId, Yeargroup, SubjectID: subjectId };
          const ofSubject = { subject_name: subject.name, SoWID: scheme?.schemeId ?? null, SoWName: scheme?.name ?? null };
          return [{ ...ofClass, ...ofSubject, Red, Amber, Green, Cnt }];
        }),
      );
    },
  }),
  'GET /teacher/26': call({
    purpose: 'Students of a class, for its rank check.',
    asks: bySet,
    answers: z.array(studentOfSet),
    behind: [],
    models: ['structure', 'roster'],
    adapt: (caller, { about }) => studentsOf(caller, about),
  }),
  'GET /teacher/29': call({
    purpose: 'The year group of a class.',
    asks: z.strictObject({ SetId: id }),
    answers: z.array(year),
    behind: ['structure'],
    async adapt(caller, { about: { subjectId, yearGroupId } }) {
      const { yearGroups } = await caller.query('structure', { subjectId });
      return yearGroups.flatMap((one) => (one.yearGroupId === yearGroupId ? [{ YeargroupID: one.yearGroupId, Yeargroup: one.year }] : []));
    },
  }),
  'GET /teacher/30': call({
    purpose: 'Classes of a year group.',
    asks: byYeargroup,
    answers: z.array(classRow),
    behind: ['structure'],
    adapt: async (caller, { asks: { YeargroupID }, about: { subjectId } }) => (await setsIn(caller, subjectId, YeargroupID)).map(asClass),
  }),
};
