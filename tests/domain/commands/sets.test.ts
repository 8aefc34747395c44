import { describe, expect, test } from 'vitest';
import { AddSets, DeleteSets } from '../../../api/commands/sets.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, made } from '../../support/decider.ts';

const subjectId = id('maths');
const yearGroupId = id('year 12');
const schemeId = id('scheme');
const happened: Happened[] = [
  { type: 'SubjectAdded', data: { name: 'Mathematics' } },
  { type: 'YearGroupAdded', data: { yearGroupId, year: 12 } },
];
const testId = id('autumn test');
const known = { schemeIds: [schemeId], testIds: [testId] };
const add = { subjectId, yearGroupId, schemeId, names: ['12A', '12B'], testIds: [] };
const thresholds = { red: 0, amber: 40, green: 70 };
const set = (name: string): Happened => ({
  type: 'SetAdded',
  data: { setId: made(`set ${name}`), yearGroupId, name, schemeId, thresholds },
});

describe('sets that an import needs', () => {
  test('are made at once, in one year group and with one scheme of work', () => {
    given(happened)
      .when(AddSets, add, known)
      .then([set('12A'), set('12B')]);
    given([]).when(AddSets, add, known).refused('There is no such year group.');
    given(happened).when(AddSets, add, { schemeIds: [], testIds: [] }).refused('A set needs a scheme of work of its subject.', 'schemeId');
  });

  test('sit the assessments that are chosen for all of them', () => {
    const sits = (name: string): Happened => ({ type: 'SetAssessmentsChosen', data: { setId: made(`set ${name}`), testIds: [testId] } });
    given(happened)
      .when(AddSets, { ...add, testIds: [testId, testId] }, known)
      .then([set('12A'), sits('12A'), set('12B'), sits('12B')]);
    given(happened)
      .when(AddSets, { ...add, testIds: [testId, id('of another subject')] }, known)
      .refused('There is no such assessment in this subject.', 'testIds.1');
  });

  test('have names of their own', () => {
    given([...happened, set('12b')])
      .when(AddSets, add, known)
      .refused('Set name needs to be unique', 'names.1');
    given(happened)
      .when(AddSets, { ...add, names: ['12A', ' 12a'] }, known)
      .refused('Set name needs to be unique', 'names.1');
  });

  test('are taken back at once, or not at all where one has students', () => {
    const setIds = [made('set 12A'), made('set 12B')];
    const there = [...happened, set('12A'), set('12B')];
    given(there)
      .when(DeleteSets, { subjectId, setIds }, new Map())
      .then(setIds.map((setId) => ({ type: 'SetDeleted', data: { setId } })));
    given(there)
      .when(DeleteSets, { subjectId, setIds }, new Map([[setIds[1], 3]]))
      .refused('There are students in 12B: move them first.');
    expect(given(happened).when(DeleteSets, { subjectId, setIds }, new Map()).events()).toEqual([]);
  });
});
