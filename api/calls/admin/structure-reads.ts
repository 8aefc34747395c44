import { z } from 'zod';
import { id } from '../../contract/fields.ts';
import { LAST_YEAR } from '../../contract/rules.ts';
import { call } from '../call.ts';
import { setsIn } from '../structure.ts';
import { linkId } from '../tables.ts';
import { OFF_ROLL_SET, OFF_ROLL_YEAR, offRollOf, offRollSetId, offRollYearId } from './off-roll.ts';
import { bySubjectID, bySubjectId, byYeargroup, setRow, subjectIdsOf, teacherRow, yearRow } from './reading.ts';
import { ownSchool } from './structure-tables.ts';

const offRollSet = (subjectId: string) => ({
  SetId: offRollSetId(subjectId),
  SetName: OFF_ROLL_SET,
  YeargroupID: offRollYearId(subjectId),
  SoWID: null,
});

/** The structure of a school: subjects, year groups, sets, terminal exams, teachers. */
export const structureReads = {
  'GET /admin/1': call({
    purpose: 'Subjects of the school.',
    asks: z.strictObject({ SchoolID: id.optional() }),
    answers: z.array(z.object({ subjectid: id, subject_name: z.string(), SchoolID: id })),
    behind: ['subjects'],
    async adapt(caller, { asks: { SchoolID } }) {
      ownSchool(caller, SchoolID);
      const subjects = await caller.list('subjects');
      return subjects.map((one) => ({ subjectid: one.id, subject_name: one.name, SchoolID: caller.actor.schoolId }));
    },
  }),
  'GET /admin/8': call({
    purpose: 'Year groups of a subject.',
    asks: bySubjectId,
    answers: z.array(yearRow),
    behind: ['yearGroups'],
    differs: 'Off-Roll, year group 99, is not among them: see 14 and 15.',
    async adapt(caller, { asks: { SubjectId } }) {
      const years = await caller.list('yearGroups', { subjectId: SubjectId });
      return years.map(({ id: YeargroupID, year }) => ({ YeargroupID, Yeargroup: year, SubjectId }));
    },
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
      return sets.map(({ id: SetId, name, schemeId, testIds }) => ({
        SetId,
        SetName: name,
        YeargroupID,
        SoWID: schemeId,
        MappedAssessments: [...testIds],
      }));
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
  'GET /admin/11': call({
    purpose: 'Terminal exams of a subject.',
    asks: bySubjectID,
    answers: z.array(z.object({ EndpointID: id, SubjectID: id, EndpointName: z.string(), YearSat: z.int() })),
    behind: ['terminalExams'],
    async adapt(caller, { asks: { SubjectID } }) {
      const exams = await caller.list('terminalExams', { subjectId: SubjectID });
      return exams.map(({ id: EndpointID, name, yearSat }) => ({ EndpointID, SubjectID, EndpointName: name, YearSat: yearSat }));
    },
  }),
  'GET /admin/12': call({
    purpose: 'Sets of a subject, with their year.',
    asks: bySubjectId,
    answers: z.array(setRow.extend({ Yeargroup: z.int() })),
    behind: ['sets'],
    async adapt(caller, { asks: { SubjectId } }) {
      const sets = await caller.list('sets', { subjectId: SubjectId });
      return sets.map(({ id: SetId, name, yearGroupId, schemeId, year }) => ({
        SetId,
        SetName: name,
        YeargroupID: yearGroupId,
        SoWID: schemeId,
        Yeargroup: year ?? 0,
      }));
    },
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
  'GET /admin/16': call({
    purpose: 'All sets of a subject.',
    asks: bySubjectId,
    answers: z.array(setRow),
    behind: ['structure'],
    adapt: (caller, { asks: { SubjectId } }) => setsIn(caller, SubjectId),
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
        teachers: teachers.map(({ id: TeacherID, name, setIds }) => ({
          TeacherID,
          Teacher: name,
          SubjectID,
          selectedClasses: [...setIds],
        })),
        mappings: teachers.flatMap(({ id: TeacherID, setIds }) =>
          setIds.map((SetID) => ({ TeachersSetsID: linkId('TeachersSets', TeacherID, SetID), TeacherID, SetID })),
        ),
        allsets: sets.map(({ id: SetId, name, yearGroupId, schemeId }) => ({
          SetId,
          SetName: name,
          YeargroupID: yearGroupId,
          SoWID: schemeId,
        })),
      };
    },
  }),
  'GET /admin/26': call({
    purpose: 'Teachers and subjects, for linking an account to a teacher.',
    answers: z.object({
      teachers: z.array(teacherRow),
      subjects: z.array(z.object({ subjectid: id, subject_name: z.string(), SchoolID: id })),
    }),
    behind: ['teachers', 'subjects'],
    async adapt(caller) {
      const teachers = await caller.list('teachers');
      const subjects = await caller.list('subjects');
      return {
        teachers: teachers.map(({ id: TeacherID, name, subjectId }) => ({ TeacherID, Teacher: name, SubjectID: subjectId })),
        subjects: subjects.map((one) => ({ subjectid: one.id, subject_name: one.name, SchoolID: caller.actor.schoolId })),
      };
    },
  }),
};
