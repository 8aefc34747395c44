import { describe, test } from 'vitest';
import { AddSet, RestoreSet } from '../../../api/school/sets/sets.commands.ts';
import { AddYearGroup, DeleteYearGroup, RenameYearGroup, RestoreYearGroup } from '../../../api/school/year-group.commands.ts';
import { defaultThresholds } from '../../../events/school/subject.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, given, id, made } from '../../support/decider.ts';
import { added, schemeId, school, set, setId, subjectId, year, yearGroupId } from '../../support/subject.ts';

const addYearGroup = deciding(AddYearGroup, { subjectId });

describe('a year group', () => {
  const taken = 'This year group exists already';
  test('is there once', () => {
    addYearGroup([added], { year: 11 }).then([{ type: 'YearGroupAdded', data: { yearGroupId: made('year-group'), year: 11 } }]);
    addYearGroup(school, { year: 11 }).refused(taken, 'year');
    addYearGroup([], { year: 11 }).refused('There is no such subject.');
  });
  test('changes to a year that is free', () => {
    const ten: Happened = { type: 'YearGroupAdded', data: { yearGroupId: id('year 10'), year: 10 } };
    const rename = { subjectId, yearGroupId, year: 10 };
    const renameYearGroup = deciding(RenameYearGroup, rename);
    renameYearGroup(school).then([{ type: 'YearGroupRenamed', data: { yearGroupId, year: 10 } }]);
    renameYearGroup([...school, ten]).refused(taken, 'year');
    renameYearGroup(school, { year: 11 }).nothing();
    renameYearGroup([added]).refused('There is no such year group.');
  });
  test('goes with its sets when it has no students', () => {
    const gone: Happened = { type: 'YearGroupDeleted', data: { yearGroupId } };
    const deleteYearGroup = deciding(DeleteYearGroup, { subjectId, yearGroupId }, { students: 0 });
    deleteYearGroup([added, year]).then([gone]);
    deleteYearGroup(school).then([{ type: 'SetDeleted', data: { setId } }, gone]);
    deleteYearGroup(school, {}, { students: 3 }).refused('This year group has 3 student(s)');
    deleteYearGroup([added, year, gone]).nothing();
    deleteYearGroup([added]).refused('There is no such year group.');
  });
  test('is a whole number, or the year in which a cohort leaves: 99 is Off-Roll', () => {
    addYearGroup(school, { year: 99 }).invalid('Year 99 is kept for Off-Roll');
    addYearGroup(school, { year: 10_000 }).invalid('The value must be less than 10000');
    addYearGroup(school, { year: 2031 }).then([{ type: 'YearGroupAdded', data: { yearGroupId: made('year-group'), year: 2031 } }]);
    addYearGroup(school, { year: 0 }).invalid('The value must be greater than zero');
    addYearGroup(school, { year: 1.5 }).invalid('The value must be an integer number');
  });
});

describe('a year group that was deleted', () => {
  const schemes = { schemeIds: [schemeId] };
  const commandId = id('deletion');
  const gone: Happened[] = [
    { type: 'SetDeleted', data: { setId }, commandId },
    { type: 'YearGroupDeleted', data: { yearGroupId }, commandId },
  ];
  const restore = { subjectId, yearGroupId };
  const restoreYearGroup = deciding(RestoreYearGroup, restore, schemes);
  test('comes back with the sets that went with it, and with no other', () => {
    const earlier: Happened = { type: 'SetDeleted', data: { setId: id('11B') }, commandId: id('another command') };
    restoreYearGroup([...school, set('11B'), earlier, ...gone]).then([
      { type: 'YearGroupRestored', data: { yearGroupId } },
      { type: 'SetRestored', data: { setId } },
    ]);
    restoreYearGroup(school).nothing();
    restoreYearGroup([added]).refused('There is no such year group.');
  });
  test('stays away where another one took its year, or another set a name', () => {
    const next: Happened = { type: 'YearGroupAdded', data: { yearGroupId: id('next'), year: 11 } };
    restoreYearGroup([...school, ...gone, next]).refused('There is another year group 11 now: rename or delete that one first.');
    const namesake: Happened = {
      type: 'SetAdded',
      data: { setId: id('namesake'), yearGroupId: id('next'), name: '11a', schemeId, thresholds: defaultThresholds },
    };
    restoreYearGroup([...school, ...gone, namesake]).refused('There is another set called 11A now');
  });
  test('a set of it does not come back by itself', () => {
    given([...school, ...gone])
      .when(RestoreSet, { subjectId, setId }, schemes)
      .refused('The year group of 11A was deleted too');
    given([...school, ...gone])
      .when(AddSet, { subjectId, yearGroupId, name: '11C', schemeId }, { exists: true })
      .refused('There is no such year group.');
  });
});
