import { z } from 'zod';
import { id } from '../../contract/fields.ts';
import { LAST_YEAR } from '../../contract/rules.ts';
import { call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { setOf, setsOf } from '../structure.ts';
import { linkId } from '../tables.ts';
import { OFF_ROLL_SET, OFF_ROLL_YEAR, offRollOf, offRollSetId, offRollYearId } from './off-roll.ts';
import { bySubjectID, bySubjectId, byYeargroup, setRow, subjectIdsOf, teacherRow, yearRow } from './reading.ts';
import { ownSchool } from './structure-tables.ts';
import { list, read } from '../read.ts';

const offRollSet = (subjectId: string) => ({
  SetId: offRollSetId(subjectId),
  SetName: OFF_ROLL_SET,
  YeargroupID: offRollYearId(subjectId),
  SoWID: null,
});

const subjectRow = z.object({ subjectid: id, subject_name: z.string(), SchoolID: id });
type Listed = { readonly id: string; readonly name: string };
const subjectOf = (caller: Caller) => (one: Listed) => ({ subjectid: one.id, subject_name: one.name, SchoolID: caller.actor.schoolId });
const teacherOf = ({
  id: TeacherID,
  name,
  subjectId,
}: Omit<Listed, 'name'> & { readonly name: string | null; readonly subjectId: string }) => {
  return { TeacherID, Teacher: name, SubjectID: subjectId };
};

/** The structure of a school: subjects, year groups, sets, terminal exams, teachers. */
export const structureReads = {
  'GET /admin/1': list('subjects', {
    purpose: 'Subjects of the school.',
    asks: z.strictObject({ SchoolID: id.optional() }),
    answers: z.array(subjectRow),
    make(subjects, { asks: { SchoolID } }, caller) {
      ownSchool(caller, SchoolID);
      return subjects.map(subjectOf(caller));
    },
  }),
  'GET /admin/8': list('yearGroups', {
    purpose: 'Year groups of a subject.',
    asks: bySubjectId,
    answers: z.array(yearRow),
    differs: 'Off-Roll, year group 99, is not among them: see 14 and 15.',
    make: (years, { asks: { SubjectId } }) => years.map(({ id: YeargroupID, year }) => ({ YeargroupID, Yeargroup: year, SubjectId })),
  }),
  'GET /admin/9': call({
    purpose: 'Sets of a year group, with their assessments.',
    asks: byYeargroup,
    answers: z.array(setRow.extend({ MappedAssessments: z.array(id) })),
    behind: ['sets'],
    async adapt(caller, { asks: { YeargroupID } }) {
      const offRoll = offRollOf(YeargroupID, await subjectIdsOf(caller), offRollYearId);
      if (offRoll !== undefined) return [{ ...offRollSet(offRoll), MappedAssessments: [] }];
      await caller.sees('yearGroup', YeargroupID);
      const sets = await caller.list('sets', { yearGroupId: YeargroupID });
      return sets.map((set) => ({ ...setOf(set), MappedAssessments: [...set.testIds] }));
    },
  }),
  'GET /admin/10': call({
    purpose: 'Which assessments the sets of a year group have.',
    asks: byYeargroup,
    answers: z.array(z.object({ TestSetsID: id, SetID: id, TestID: id })),
    behind: ['sets'],
    async adapt(caller, { asks: { YeargroupID } }) {
      if (offRollOf(YeargroupID, await subjectIdsOf(caller), offRollYearId) !== undefined) return [];
      await caller.sees('yearGroup', YeargroupID);
      const sets = await caller.list('sets', { yearGroupId: YeargroupID });
      return sets.flatMap(({ id: SetID, testIds }) =>
        testIds.map((TestID) => ({ TestSetsID: linkId('TestSets', SetID, TestID), SetID, TestID })),
      );
    },
  }),
  'GET /admin/11': list('terminalExams', {
    purpose: 'Terminal exams of a subject.',
    asks: bySubjectID,
    answers: z.array(z.object({ EndpointID: id, SubjectID: id, EndpointName: z.string(), YearSat: z.int() })),
    make: (exams, { asks: { SubjectID } }) =>
      exams.map(({ id: EndpointID, name, yearSat }) => ({ EndpointID, SubjectID, EndpointName: name, YearSat: yearSat })),
  }),
  'GET /admin/12': list('sets', {
    purpose: 'Sets of a subject, with their year.',
    asks: bySubjectId,
    answers: z.array(setRow.extend({ Yeargroup: z.int() })),
    make: (sets) => sets.map((set) => ({ ...setOf(set), Yeargroup: set.year ?? 0 })),
  }),
  'GET /admin/14': call({
    purpose: 'The set of a subject for students who are off roll.',
    asks: bySubjectId,
    answers: z.array(setRow.extend({ Yeargroup: z.int(), SubjectId: id })),
    behind: [],
    models: ['structure'],
    differs: 'It is always there, without being made: Off-Roll is a state of a student.',
    adapt: async (_caller, { asks: { SubjectId } }) => [{ ...offRollSet(SubjectId), Yeargroup: OFF_ROLL_YEAR, SubjectId }],
  }),
  'GET /admin/15': call({
    purpose: 'Whether a subject has this year group: a list of it, or none.',
    asks: z.strictObject({ SubjectId: id, Yeargroup: z.coerce.number().int().min(1).max(LAST_YEAR) }),
    answers: z.array(yearRow),
    behind: ['yearGroups'],
    async adapt(caller, { asks: { SubjectId, Yeargroup } }) {
      if (Yeargroup === OFF_ROLL_YEAR) return [{ YeargroupID: offRollYearId(SubjectId), Yeargroup, SubjectId }];
      const years = await caller.list('yearGroups', { subjectId: SubjectId, year: Yeargroup });
      return years.map(({ id: YeargroupID, year }) => ({ YeargroupID, Yeargroup: year, SubjectId }));
    },
  }),
  'GET /admin/16': read('structure', {
    purpose: 'All sets of a subject.',
    asks: bySubjectId,
    answers: z.array(setRow),
    make: (structure) => setsOf(structure),
  }),
  'GET /admin/25': call({
    purpose: 'Teachers of a subject with their sets, and all its sets.',
    asks: bySubjectID,
    answers: z.object({
      teachers: z.array(teacherRow.extend({ selectedClasses: z.array(id) })),
      mappings: z.array(z.object({ TeachersSetsID: id, TeacherID: id, SetID: id })),
      allsets: z.array(setRow),
    }),
    behind: ['teachers', 'sets'],
    async adapt(caller, { asks: { SubjectID } }) {
      const teachers = await caller.list('teachers', { subjectId: SubjectID });
      const sets = await caller.list('sets', { subjectId: SubjectID });
      return {
        teachers: teachers.map((teacher) => ({ ...teacherOf(teacher), selectedClasses: [...teacher.setIds] })),
        mappings: teachers.flatMap(({ id: TeacherID, setIds }) =>
          setIds.map((SetID) => ({ TeachersSetsID: linkId('TeachersSets', TeacherID, SetID), TeacherID, SetID })),
        ),
        allsets: sets.map(setOf),
      };
    },
  }),
  'GET /admin/26': call({
    purpose: 'Teachers and subjects, for linking an account to a teacher.',
    answers: z.object({
      teachers: z.array(teacherRow),
      subjects: z.array(subjectRow),
    }),
    behind: ['teachers', 'subjects'],
    async adapt(caller) {
      const teachers = await caller.list('teachers');
      const subjects = await caller.list('subjects');
      return {
        teachers: teachers.map(teacherOf),
        subjects: subjects.map(subjectOf(caller)),
      };
    },
  }),
};
