import { z } from 'zod';
import { noSuch } from '../../common/about.ts';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { isOffRoll } from '../../students/off-roll.contract.ts';
import type { Caller } from '../caller.ts';
import { entry, nothingToDo, step } from '../step.ts';
import type { Step } from '../step.ts';
import type { Tables } from '../tables.ts';
import { byRow, requireUnique, table } from '../tables.ts';
import { byOwnedRow, ownersOf, sameSubject } from './look-up.ts';
import { OFF_ROLL_YEAR, offRollSetId, offRollYearId } from './off-roll.ts';
import { subjectIdsOf } from './reading.ts';

const text = z.string();

/** The caller's own is the only one that is there for them. @throws ProblemError `not-found` */
export const ownSchool = ({ actor }: Caller, schoolId: string | undefined): void => {
  if (schoolId !== undefined && schoolId !== actor.schoolId) throw new ProblemError('not-found', 'There is no such school.');
};

const STAYS = 'Off-Roll cannot be changed or deleted.';

/** A year group, or Off-Roll's. */
const yearOwners = async (caller: Caller, ids: readonly string[]) => {
  const subjects = await subjectIdsOf(caller);
  const offRoll = new Map(subjects.map((subjectId) => [offRollYearId(subjectId), subjectId]));
  const owners = await ownersOf(
    caller,
    'yearGroup',
    ids.filter((one) => !offRoll.has(one)),
  );
  return (one: string): { readonly subjectId: string; readonly isOffRoll: boolean } => {
    const subjectId = offRoll.get(one);
    return subjectId === undefined ? { subjectId: owners(one).subjectId, isOffRoll: false } : { subjectId, isOffRoll: true };
  };
};

/** The steps of rows of year groups, each with its subject. */
const byYear =
  <Row extends { readonly key: string; readonly values?: object }>(
    stepOf: (row: Row & { readonly subjectId: string; readonly isOffRoll: boolean }) => Step,
  ) =>
  async (caller: Caller, rows: readonly Row[]): Promise<readonly Step[]> => {
    const owner = await yearOwners(
      caller,
      rows.map(({ key }) => key),
    );
    return rows.map((row) => {
      const owned = owner(row.key);
      sameSubject(row.values ?? {}, owned.subjectId);
      return stepOf({ ...row, ...owned });
    });
  };

export const structureTables: Tables = {
  subject: table({
    behind: ['AddSubject', 'RenameSubject', 'RemoveSubject'],
    models: ['structure'],
    key: 'subjectid',
    columns: z.strictObject({ subject_name: text, SchoolID: id.optional() }),
    unique: ['subject_name'],
    add: byRow(({ place, values: { subject_name: name, SchoolID } }, caller) => {
      ownSchool(caller, SchoolID);
      return step(place, 'AddSubject', { name }, ({ subjectId }) => subjectId);
    }),
    change: {
      subjectid: byRow(({ place, key: subjectId, values: { subject_name: name, SchoolID } }, caller) => {
        ownSchool(caller, SchoolID);
        return name === undefined ? nothingToDo([[place, subjectId]]) : step(place, 'RenameSubject', { subjectId, name }, subjectId);
      }),
    },
    remove: { subjectid: byRow(({ place, key: subjectId }) => step(place, 'RemoveSubject', { subjectId }, subjectId)) },
  }),

  Yeargroups: table({
    behind: ['AddYearGroup', 'RenameYearGroup', 'DeleteYearGroup'],
    models: ['structure'],
    key: 'YeargroupID',
    columns: z.strictObject({ Yeargroup: z.int(), SubjectId: id }),
    unique: ['Yeargroup', 'SubjectId'],
    differs:
      'Year group 99, Off-Roll, is there without being made: a row of it is answered with its id. A year group with students is not deleted.',
    add: async (caller, rows) => {
      const subjects = await subjectIdsOf(caller);
      return rows.map(({ place, values: { Yeargroup: year, SubjectId: subjectId } }) => {
        if (year !== OFF_ROLL_YEAR) return step(place, 'AddYearGroup', { subjectId, year }, ({ yearGroupId }) => yearGroupId);
        if (!subjects.includes(subjectId)) throw noSuch('subject');
        return nothingToDo([[place, offRollYearId(subjectId)]]);
      });
    },
    change: {
      YeargroupID: byYear(({ place, key: yearGroupId, subjectId, isOffRoll: isFixed, values: { Yeargroup: year } }) => {
        if (year === undefined || (isFixed && year === OFF_ROLL_YEAR)) return nothingToDo([[place, yearGroupId]]);
        if (isFixed) throw new ProblemError('refused', STAYS);
        return step(place, 'RenameYearGroup', { subjectId, yearGroupId, year }, yearGroupId);
      }),
    },
    remove: {
      YeargroupID: byYear(({ place, key: yearGroupId, subjectId, isOffRoll: isFixed }) => {
        if (isFixed) throw new ProblemError('refused', STAYS);
        return step(place, 'DeleteYearGroup', { subjectId, yearGroupId }, yearGroupId);
      }),
    },
  }),

  MathsSets: table({
    behind: ['AddSets', 'ChangeSet', 'DeleteSet'],
    models: ['structure'],
    key: 'SetId',
    columns: z.strictObject({ SetName: text, YeargroupID: id, SoWID: id.nullable().optional(), MappedAssessments: z.array(id).optional() }),
    differs:
      'The set Off-Roll of year group 99 is there without being made. New sets of one year group with the same scheme of work and assessments are stored together, or none. A set with students is not deleted. A set moves to another year group with its students.',
    add: async (caller, rows) => {
      const owner = await yearOwners(
        caller,
        rows.map(({ values }) => values.YeargroupID),
      );
      // Before anything of it is stored.
      const test = await ownersOf(
        caller,
        'test',
        rows.flatMap(({ values }) => values.MappedAssessments ?? []),
      );
      const subjectOf = (yearGroupId: string): string => owner(yearGroupId).subjectId;
      const named = rows.map(({ place, values: { SetName, YeargroupID } }) => ({
        place,
        values: { SetName, subject: subjectOf(YeargroupID) },
      }));
      requireUnique(['SetName', 'subject'], named);
      return rows.map(({ place, values: { SetName: name, YeargroupID: yearGroupId, SoWID, MappedAssessments: testIds = [] } }) => {
        const { subjectId, isOffRoll: isFixed } = owner(yearGroupId);
        if (isFixed && isOffRoll(name)) return nothingToDo([[place, offRollSetId(subjectId)]]);
        if (isFixed) throw new ProblemError('refused', STAYS);
        if (testIds.some((testId) => test(testId).subjectId !== subjectId))
          throw invalidInput(`data.${place}.values.MappedAssessments`, 'There is no such assessment in this subject.');
        const sets = { subjectId, yearGroupId, schemeId: SoWID ?? '', testIds, names: [] };
        return entry(place, 'AddSets', sets, ['names', name], ({ setIds }, index) => setIds[index]);
      });
    },
    change: {
      SetId: byOwnedRow(
        'set',
        ({ place, key: setId, subjectId, values: { SetName: name, YeargroupID: yearGroupId, SoWID, MappedAssessments: testIds } }) => {
          const schemeId = SoWID === undefined ? undefined : (SoWID ?? '');
          return step(place, 'ChangeSet', { subjectId, setId, name, yearGroupId, schemeId, testIds }, setId);
        },
      ),
    },
    remove: { SetId: byOwnedRow('set', ({ place, key: setId, subjectId }) => step(place, 'DeleteSet', { subjectId, setId }, setId)) },
  }),

  Teachers: table({
    behind: ['AddTeacher', 'ChangeTeacher', 'RemoveTeacher'],
    models: ['structure'],
    key: 'TeacherID',
    columns: z.strictObject({ Teacher: text, SubjectID: id }),
    unique: ['Teacher', 'SubjectID'],
    add: byRow(({ place, values: { Teacher: name, SubjectID: subjectId } }) =>
      step(place, 'AddTeacher', { subjectId, name }, ({ teacherId }) => teacherId),
    ),
    change: {
      TeacherID: byOwnedRow('teacher', ({ place, key: teacherId, subjectId, values: { Teacher: name } }) =>
        step(place, 'ChangeTeacher', { subjectId, teacherId, name }, teacherId),
      ),
    },
    remove: {
      TeacherID: byOwnedRow('teacher', ({ place, key: teacherId, subjectId }) =>
        step(place, 'RemoveTeacher', { subjectId, teacherId }, teacherId),
      ),
    },
  }),

  EndpointNames: table({
    behind: ['AddTerminalExam', 'ChangeTerminalExam', 'RemoveTerminalExam'],
    models: ['structure'],
    key: 'EndpointID',
    columns: z.strictObject({ EndpointName: text, YearSat: z.number(), SubjectID: id }),
    unique: ['EndpointName', 'YearSat', 'SubjectID'],
    add: byRow(({ place, values: { EndpointName: name, YearSat: yearSat, SubjectID: subjectId } }) =>
      step(place, 'AddTerminalExam', { subjectId, name, yearSat }, ({ terminalExamId }) => terminalExamId),
    ),
    change: {
      EndpointID: byOwnedRow('exam', ({ place, key: terminalExamId, subjectId, values: { EndpointName: name, YearSat: yearSat } }) =>
        step(place, 'ChangeTerminalExam', { subjectId, terminalExamId, name, yearSat }, terminalExamId),
      ),
    },
    remove: {
      EndpointID: byOwnedRow('exam', ({ place, key: terminalExamId, subjectId }) =>
        step(place, 'RemoveTerminalExam', { subjectId, terminalExamId }, terminalExamId),
      ),
    },
  }),
};
