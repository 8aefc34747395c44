import { z } from 'zod';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { isOffRoll } from '../../students/off-roll.contract.ts';
import type { Caller } from '../caller.ts';
import { entry, nothingToDo, step } from '../step.ts';
import type { Tables } from '../tables.ts';
import { requireUnique, table } from '../tables.ts';
import { ownersOf, ownersOfKeys, sameSubject } from './look-up.ts';
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

export const structureTables: Tables = {
  subject: table({
    behind: ['AddSubject', 'RenameSubject', 'RemoveSubject'],
    models: ['structure'],
    key: 'subjectid',
    columns: z.strictObject({ subject_name: text, SchoolID: id.optional() }),
    unique: ['subject_name'],
    add: async (caller, rows) =>
      rows.map(({ place, values: { subject_name: name, SchoolID } }) => {
        ownSchool(caller, SchoolID);
        return step(place, 'AddSubject', { name }, ({ subjectId }) => subjectId);
      }),
    change: {
      subjectid: async (caller, rows) =>
        rows.flatMap(({ place, key: subjectId, values: { subject_name: name, SchoolID } }) => {
          ownSchool(caller, SchoolID);
          return name === undefined ? nothingToDo([[place, subjectId]]) : step(place, 'RenameSubject', { subjectId, name }, subjectId);
        }),
    },
    remove: {
      subjectid: async (_caller, rows) => rows.map(({ place, key: subjectId }) => step(place, 'RemoveSubject', { subjectId }, subjectId)),
    },
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
        if (!subjects.includes(subjectId)) throw new ProblemError('not-found', 'There is no such subject.');
        return nothingToDo([[place, offRollYearId(subjectId)]]);
      });
    },
    change: {
      YeargroupID: async (caller, rows) => {
        const owner = await yearOwners(
          caller,
          rows.map(({ key }) => key),
        );
        return rows.map(({ place, key: yearGroupId, values: { Yeargroup: year, SubjectId } }) => {
          const { subjectId, isOffRoll: isFixed } = owner(yearGroupId);
          sameSubject(SubjectId, subjectId, 'SubjectId');
          if (year === undefined || (isFixed && year === OFF_ROLL_YEAR)) return nothingToDo([[place, yearGroupId]]);
          if (isFixed) throw new ProblemError('refused', STAYS);
          return step(place, 'RenameYearGroup', { subjectId, yearGroupId, year }, yearGroupId);
        });
      },
    },
    remove: {
      YeargroupID: async (caller, rows) => {
        const owner = await yearOwners(
          caller,
          rows.map(({ key }) => key),
        );
        return rows.map(({ place, key: yearGroupId }) => {
          const { subjectId, isOffRoll: isFixed } = owner(yearGroupId);
          if (isFixed) throw new ProblemError('refused', STAYS);
          return step(place, 'DeleteYearGroup', { subjectId, yearGroupId }, yearGroupId);
        });
      },
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
      SetId: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'set', rows);
        return rows.map(({ place, key: setId, values: { SetName: name, YeargroupID: yearGroupId, SoWID, MappedAssessments: testIds } }) =>
          step(
            place,
            'ChangeSet',
            {
              subjectId: owner(setId).subjectId,
              setId,
              ...(name === undefined ? {} : { name }),
              ...(yearGroupId === undefined ? {} : { yearGroupId }),
              ...(SoWID === undefined ? {} : { schemeId: SoWID ?? '' }),
              ...(testIds === undefined ? {} : { testIds }),
            },
            setId,
          ),
        );
      },
    },
    remove: {
      SetId: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'set', rows);
        return rows.map(({ place, key: setId }) => step(place, 'DeleteSet', { subjectId: owner(setId).subjectId, setId }, setId));
      },
    },
  }),

  Teachers: table({
    behind: ['AddTeacher', 'ChangeTeacher', 'RemoveTeacher'],
    models: ['structure'],
    key: 'TeacherID',
    columns: z.strictObject({ Teacher: text, SubjectID: id }),
    unique: ['Teacher', 'SubjectID'],
    add: async (_caller, rows) =>
      rows.map(({ place, values: { Teacher: name, SubjectID: subjectId } }) =>
        step(place, 'AddTeacher', { subjectId, name }, ({ teacherId }) => teacherId),
      ),
    change: {
      TeacherID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'teacher', rows);
        return rows.map(({ place, key: teacherId, values: { Teacher: name, SubjectID } }) => {
          const { subjectId } = owner(teacherId);
          sameSubject(SubjectID, subjectId, 'SubjectID');
          return step(place, 'ChangeTeacher', { subjectId, teacherId, ...(name === undefined ? {} : { name }) }, teacherId);
        });
      },
    },
    remove: {
      TeacherID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'teacher', rows);
        return rows.map(({ place, key: teacherId }) =>
          step(place, 'RemoveTeacher', { subjectId: owner(teacherId).subjectId, teacherId }, teacherId),
        );
      },
    },
  }),

  EndpointNames: table({
    behind: ['AddTerminalExam', 'ChangeTerminalExam', 'RemoveTerminalExam'],
    models: ['structure'],
    key: 'EndpointID',
    columns: z.strictObject({ EndpointName: text, YearSat: z.number(), SubjectID: id }),
    unique: ['EndpointName', 'YearSat', 'SubjectID'],
    add: async (_caller, rows) =>
      rows.map(({ place, values: { EndpointName: name, YearSat: yearSat, SubjectID: subjectId } }) =>
        step(place, 'AddTerminalExam', { subjectId, name, yearSat }, ({ terminalExamId }) => terminalExamId),
      ),
    change: {
      EndpointID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'exam', rows);
        return rows.map(({ place, key: terminalExamId, values: { EndpointName: name, YearSat: yearSat, SubjectID } }) => {
          const { subjectId } = owner(terminalExamId);
          sameSubject(SubjectID, subjectId, 'SubjectID');
          const change = { ...(name === undefined ? {} : { name }), ...(yearSat === undefined ? {} : { yearSat }) };
          return step(place, 'ChangeTerminalExam', { subjectId, terminalExamId, ...change }, terminalExamId);
        });
      },
    },
    remove: {
      EndpointID: async (caller, rows) => {
        const owner = await ownersOfKeys(caller, 'exam', rows);
        return rows.map(({ place, key: terminalExamId }) =>
          step(place, 'RemoveTerminalExam', { subjectId: owner(terminalExamId).subjectId, terminalExamId }, terminalExamId),
        );
      },
    },
  }),
};
