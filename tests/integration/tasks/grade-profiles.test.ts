import { expect, test } from 'vitest';
import type { GradeProfiles } from '../../../api/tasks/grades/grade-profile.contract.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, leader } = await schoolOfFile('leader');

test('a year group’s grade profiles are listed in their order, as they were edited; a deleted one is back once it is restored', async () => {
  const about = { subjectId: school.ids.maths, yearGroupId: school.ids.year };
  const grades = [
    { label: '9', percent: 15 },
    { label: '8', percent: 35 },
    { label: '7', percent: 50 },
  ];
  const { gradeProfileId } = await leader.done('CreateGradeProfile', { ...about, name: 'Mock 10', grades });
  await leader.done('CreateGradeProfile', { ...about, name: 'Mock 2', grades });
  const list = async () =>
    (await leader.ask<GradeProfiles>('grade-profiles', about)).profiles.map(({ name, grades: all, sum }) => [name, all.length, sum]);
  expect(await list()).toEqual([
    ['Mock 2', 3, 100],
    ['Mock 10', 3, 100],
  ]);
  await leader.done('EditGradeProfile', {
    gradeProfileId,
    name: 'Mock 1',
    grades: [{ label: 'P', percent: 100 }],
    was: { name: 'Mock 10', grades },
  });
  expect(await list()).toEqual([
    ['Mock 1', 1, 100],
    ['Mock 2', 3, 100],
  ]);
  await leader.done('DeleteGradeProfile', { gradeProfileId });
  expect(await list()).toEqual([['Mock 2', 3, 100]]);
  await leader.done('RestoreGradeProfile', { gradeProfileId });
  expect(await list()).toHaveLength(2);
  const other = await (await school.as('scienceLeader')).command('DeleteGradeProfile', { gradeProfileId });
  expect([other.status, (await list()).length]).toEqual([403, 2]);
});
