import { z } from 'zod';
import { ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { naturalOrder } from '../../contract/order.ts';
import { teacherRecords } from '../accounts.ts';
import { bySubjectId, bySubjectID, byYeargroup, teacherRow } from '../admin/reading.ts';
import { call } from '../call.ts';
import { classesOf, testsOf } from '../structure.ts';
import { asStudentOfSet, studentOfSet, studentsIn } from '../students.ts';
import { bySet, classRow } from './rows.ts';
import { read } from '../read.ts';

const year = z.object({ YeargroupID: id, Yeargroup: z.int() });
const test = z.object({ TestID: id, TestName: z.string(), MaxMark: z.int().nullable().describe('null: no questions yet.') });

const studentsOfSet = (purpose: string) =>
  call({
    purpose,
    asks: bySet,
    answers: z.array(studentOfSet),
    behind: [],
    models: ['structure', 'roster'],
    adapt: async (caller, { about: { subjectId, setId } }) =>
      (await studentsIn(caller, subjectId)).filter((student) => student.setId === setId).map(asStudentOfSet),
  });

/** Year groups, classes, students, teachers and assessments. */
export const structureReads = {
  'GET /teacher/1': read('structure', {
    purpose: 'Year groups of a subject.',
    asks: bySubjectId,
    answers: z.array(year),
    make: ({ yearGroups }) => yearGroups.map((one) => ({ YeargroupID: one.yearGroupId, Yeargroup: one.year })),
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
  'GET /teacher/5': read('structure', {
    purpose: 'Assessments of a subject.',
    asks: bySubjectID,
    answers: z.array(test),
    make: (structure) => testsOf(structure).map(({ visible: _, ...one }) => one),
  }),
  'GET /teacher/7': call({
    purpose: 'Classes of a teacher.',
    asks: z.strictObject({ SubjectID: id, TeacherID: id }),
    answers: z.array(classRow),
    behind: ['structure'],
    models: ['accounts'],
    differs: 'A teacher asks about their own record only.',
    async adapt(caller, { asks: { SubjectID, TeacherID } }) {
      const structure = await caller.query('structure', { subjectId: SubjectID });
      const teacher = structure.teachers.find(({ teacherId }) => teacherId === TeacherID);
      if (!teacher) throw new ProblemError('not-found', 'There is no such teacher.');
      if (caller.actor.role === 'teacher' && !(await teacherRecords(caller)).some((record) => record.TeacherID === TeacherID))
        throw new ProblemError('forbidden', 'You see your own classes only.');
      const taught = new Set(teacher.setIds);
      return classesOf(structure).filter(({ SetId }) => taught.has(SetId));
    },
  }),
  'GET /teacher/8': read('structure', {
    purpose: 'Teachers of a subject, to choose whose pages are shown.',
    asks: bySubjectID,
    answers: z.array(teacherRow),
    make: ({ teachers }, { asks: { SubjectID } }) =>
      teachers.map(({ teacherId, name }) => ({ TeacherID: teacherId, Teacher: name, SubjectID })),
  }),
  'GET /teacher/13': studentsOfSet('Students of a class.'),
  'GET /teacher/15': read('structure', {
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
    make: ({ subject, schemes, yearGroups }, { asks: { SetID }, about: { subjectId } }) =>
      yearGroups.flatMap(({ yearGroupId, year: Yeargroup, sets }) =>
        sets.flatMap(({ setId, name, schemeId, thresholds: { red: Red, amber: Amber, green: Green }, students: Cnt }) => {
          if (setId !== SetID) return [];
          const scheme = schemes.find((one) => one.schemeId === schemeId);
          const ofClass = { SetId: SetID, SetName: name, YeargroupID: yearGroupId, Yeargroup, SubjectID: subjectId };
          const ofSubject = { subject_name: subject.name, SoWID: scheme?.schemeId ?? null, SoWName: scheme?.name ?? null };
          return [{ ...ofClass, ...ofSubject, Red, Amber, Green, Cnt }];
        }),
      ),
  }),
  'GET /teacher/26': studentsOfSet('Students of a class, for its rank check.'),
  'GET /teacher/29': read('structure', {
    purpose: 'The year group of a class.',
    asks: z.strictObject({ SetId: id }),
    answers: z.array(year),
    make: ({ yearGroups }, { about: { yearGroupId } }) =>
      yearGroups.flatMap((one) => (one.yearGroupId === yearGroupId ? [{ YeargroupID: one.yearGroupId, Yeargroup: one.year }] : [])),
  }),
  'GET /teacher/30': read('structure', {
    purpose: 'Classes of a year group.',
    asks: byYeargroup,
    answers: z.array(classRow),
    make: (structure, { asks: { YeargroupID } }) => classesOf(structure, YeargroupID),
  }),
};
