import { describe, test } from 'vitest';
import {
  AddSet,
  AddSets,
  ChangeSet,
  ChangeSets,
  DateAssessment,
  DeleteSet,
  LinkSetAssessment,
  RestoreSet,
} from '../../../api/school/sets/sets.commands.ts';
import type { MarktrailEvent } from '../../../events/registry.ts';
import { defaultThresholds } from '../../../events/school/subject.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, id, made } from '../../support/decider.ts';
import { added, schemeId, school, set, setId, subjectId, yearGroupId } from '../../support/subject.ts';

const itsScheme = { exists: true };
const choices = { schemeIds: [schemeId, id('other scheme')], testIds: [id('mock'), id('other')] };

const noAssessment = 'There is no such assessment in this subject.';
const addSet = deciding(AddSet, {}, itsScheme);
const changeSet = deciding(ChangeSet, { subjectId, setId }, choices);
const deleteSet = deciding(DeleteSet, { subjectId, setId }, { students: 0 });

describe('a set', () => {
  const add = { subjectId, yearGroupId, name: '11B', schemeId };
  test('has a year group, a scheme of work of its subject, and a name of its own', () => {
    addSet(school, add).then([
      {
        type: 'SetAdded',
        data: { setId: made('set'), yearGroupId, name: '11B', schemeId, thresholds: { red: 0, amber: 40, green: 70 } },
      },
    ]);
    addSet([added], add).refused('There is no such year group.');
    addSet(school, add, { exists: false }).refused('A set needs a scheme of work of its subject.', 'schemeId');
    addSet(school, { ...add, name: '11a ' }).refused('Set name needs to be unique', 'name');
  });
  test('is never Off-Roll, which is a state of students', () => {
    const why = 'Off-Roll is no set: students are moved there under Student Details, or by a file of students.';
    for (const name of ['Off-Roll', ' off roll', 'OFFROLL']) {
      addSet(school, { ...add, name }).invalid(why);
      changeSet(school, { name }).invalid(why);
    }
    addSet(school, { ...add, name: 'Off-Rollers' }).then([
      {
        type: 'SetAdded',
        data: { setId: made('set'), yearGroupId, name: 'Off-Rollers', schemeId, thresholds: { red: 0, amber: 40, green: 70 } },
      },
    ]);
  });
  test('is renamed to a name of its own', () => {
    const both = [...school, set('11B')];
    changeSet(both, { name: '11b' }).refused('Set name needs to be unique', 'name');
    changeSet(both, { name: '11a' }).then([{ type: 'SetRenamed', data: { setId, name: '11a' } }]);
    changeSet(both, { name: '11A' }).nothing();
    changeSet([added], { name: '11A' }).refused('There is no such set.');
  });
  test('a name is free again when its set is gone', () => {
    addSet([...school, { type: 'SetDeleted', data: { setId } }], { ...add, name: '11A' }).events();
  });
  test('changes its scheme of work for another one of the subject', () => {
    const choose = { subjectId, setId, schemeId: id('other scheme') };
    changeSet(school, choose).then([{ type: 'SetSchemeChosen', data: { setId, schemeId: id('other scheme') } }]);
    changeSet(school, choose, { schemeIds: [], testIds: [] }).refused('A set needs a scheme of work of its subject.', 'schemeId');
    changeSet(school, { ...choose, schemeId }).nothing();
    changeSet([added], choose).refused('There is no such set.');
  });
  test('sits assessments of its subject, each once', () => {
    const [mock, other] = [id('mock'), id('other')];
    const chosen: Happened = { type: 'SetAssessmentsChosen', data: { setId, testIds: [mock, other] } };
    changeSet(school, { testIds: [mock, other, mock] }).then([{ type: 'SetAssessmentsChosen', data: { setId, testIds: [mock, other] } }]);
    changeSet([...school, chosen], { testIds: [mock, other] }).nothing();
    changeSet([...school, chosen], { testIds: [other, mock] }).events();
    changeSet(school, { testIds: [mock, id('foreign')] }).refused(noAssessment, 'testIds');
    changeSet([added], { testIds: [] }).refused('There is no such set.');
  });
  test('has thresholds that rise', () => {
    const change = (red: number, amber: number, green: number) => ({ subjectId, setId, thresholds: { red, amber, green } });
    changeSet(school, change(10, 10, 80)).then([
      { type: 'SetThresholdsChanged', data: { setId, thresholds: { red: 10, amber: 10, green: 80 } } },
    ]);
    changeSet(school, change(50, 40, 70)).refused('The thresholds must rise from red to amber to green.');
    changeSet(school, change(0, 80, 70)).refused('The thresholds must rise from red to amber to green.');
    changeSet(school, change(0, 40, 70)).nothing();
    for (const other of [change(1, 40, 70), change(0, 41, 70), change(0, 40, 71)]) changeSet(school, other).events();
    changeSet([added], change(0, 40, 70)).refused('There is no such set.');
  });
  test('goes when it has no students', () => {
    deleteSet(school).then([{ type: 'SetDeleted', data: { setId } }]);
    deleteSet(school, {}, { students: 3 }).refused('This set has 3 student(s): move them to another set or to Off-Roll first.');
    deleteSet([...school, { type: 'SetDeleted', data: { setId } }]).nothing();
    deleteSet([added]).refused('There is no such set.');
  });
});

describe('a set changed by one form', () => {
  test('changes in all that is otherwise, and in nothing else', () => {
    changeSet([...school, set('11B')], {
      name: '11X',
      schemeId: id('other scheme'),
      testIds: [id('mock')],
      thresholds: { red: 10, amber: 50, green: 80 },
    }).then([
      { type: 'SetRenamed', data: { setId, name: '11X' } },
      { type: 'SetSchemeChosen', data: { setId, schemeId: id('other scheme') } },
      { type: 'SetAssessmentsChosen', data: { setId, testIds: [id('mock')] } },
      { type: 'SetThresholdsChanged', data: { setId, thresholds: { red: 10, amber: 50, green: 80 } } },
    ]);
    changeSet(school, { name: '11A', schemeId, testIds: [], thresholds: defaultThresholds }).nothing();
  });
  test('is refused as a whole where one part of it cannot be', () => {
    const refused = (input: object, sentence: string, at: string) =>
      changeSet([...school, set('11B')], { name: '11X', ...input }).refused(sentence, at);
    refused({ name: '11b' }, 'Set name needs to be unique', 'name');
    refused({ schemeId: id('none') }, 'A set needs a scheme of work of its subject.', 'schemeId');
    refused({ testIds: [id('none')] }, noAssessment, 'testIds');
    refused({ thresholds: { red: 50, amber: 40, green: 70 } }, 'The thresholds must rise', 'thresholds');
    changeSet(school, { name: '' }).invalid('Required.');
  });
});

describe('the day on which a set sat an assessment', () => {
  const testId = id('mock');
  const say = { subjectId, setId, testId, satOn: '2026-01-10' };
  const theirs = { exists: true };
  const dateAssessment = deciding(DateAssessment, say, theirs);
  const said: Happened = { type: 'SetAssessmentDated', data: { setId, testId, satOn: '2026-01-10' } };
  test('is said once, changed, and taken back', () => {
    dateAssessment(school).then([{ type: 'SetAssessmentDated', data: { setId, testId, satOn: '2026-01-10' } }]);
    dateAssessment([...school, said]).nothing();
    dateAssessment([...school, said], { satOn: null, was: '2026-01-10' }).then([
      { type: 'SetAssessmentDated', data: { setId, testId, satOn: null } },
    ]);
    dateAssessment(school, { satOn: null }).nothing();
  });
  test('is that of each assessment alone', () => {
    dateAssessment([...school, said], { testId: id('other'), was: null }).then([
      { type: 'SetAssessmentDated', data: { setId, testId: id('other'), satOn: '2026-01-10' } },
    ]);
  });
  test('is not changed over what somebody else has said meanwhile', () => {
    dateAssessment([...school, said], { satOn: '2026-01-12', was: null }).refused(
      'Somebody else has changed this date meanwhile. Look at it, then change it again.',
    );
  });
  test('is of a set and an assessment of the subject, and not in the future', () => {
    dateAssessment([added]).refused('There is no such set.');
    dateAssessment(school, {}, { exists: false }).refused(noAssessment);
    const inThreeDays = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString().slice(0, 10);
    dateAssessment(school, { satOn: inThreeDays }).invalid('The date must not be in the future.');
    dateAssessment(school, { satOn: '2026-02-30' }).invalid('Invalid ISO date');
  });
});

describe('a set that was deleted', () => {
  const gone: Happened = { type: 'SetDeleted', data: { setId } };
  const schemes = { schemeIds: [schemeId] };
  const restore = { subjectId, setId };
  const restoreSet = deciding(RestoreSet, restore, schemes);
  test('comes back as it was', () => {
    const changed: Happened[] = [
      { type: 'SetThresholdsChanged', data: { setId, thresholds: { red: 10, amber: 50, green: 80 } } },
      { type: 'SetAssessmentsChosen', data: { setId, testIds: [id('mock')] } },
    ];
    const back: Happened = { type: 'SetRestored', data: { setId } };
    restoreSet([...school, ...changed, gone]).then([{ type: 'SetRestored', data: { setId } }]);
    changeSet(
      [...school, ...changed, gone, back],
      { ...restore, name: '11A', schemeId, testIds: [id('mock')], thresholds: { red: 10, amber: 50, green: 80 } },
      { schemeIds: [schemeId], testIds: [id('mock')] },
    ).nothing();
    restoreSet(school).nothing();
    restoreSet([added]).refused('There is no such set.');
  });
  test('stays away where another one took its name, or its scheme of work is gone', () => {
    const namesake: Happened = {
      type: 'SetAdded',
      data: { setId: id('namesake'), yearGroupId, name: '11a', schemeId, thresholds: defaultThresholds },
    };
    restoreSet([...school, gone, namesake]).refused('There is another set called 11A now: rename that one first.');
    restoreSet([...school, gone], {}, { schemeIds: [] }).refused('The scheme of work that 11A followed was deleted too');
  });
});

test('a set keeps an assessment that is deleted, whatever is chosen beside it, until it is back', () => {
  const both: Happened = { type: 'SetAssessmentsChosen', data: { setId, testIds: [id('deleted'), id('mock')] } };
  const known = { schemeIds: [schemeId], testIds: [id('mock'), id('other')] };
  changeSet([...school, both], { testIds: [id('other')] }, known).then([
    { type: 'SetAssessmentsChosen', data: { setId, testIds: [id('other'), id('deleted')] } },
  ]);
  changeSet([...school, both], { testIds: [id('mock')] }, known).nothing();
});

const twelve: Happened = { type: 'YearGroupAdded', data: { yearGroupId: id('year 12'), year: 12 } };
const testId = id('autumn test');
const known = { schemeIds: [schemeId], testIds: [testId] };
const several = { subjectId, yearGroupId: id('year 12'), schemeId, names: ['12A', '12B'], testIds: [] };
const addSets = deciding(AddSets, several, known);
const newSet = (name: string): Happened => ({
  type: 'SetAdded',
  data: { setId: made(`set ${name}`), yearGroupId: id('year 12'), name, schemeId, thresholds: defaultThresholds },
});

describe('sets that an import needs', () => {
  test('are made at once, in one year group and with one scheme of work', () => {
    addSets([added, twelve]).then([newSet('12A'), newSet('12B')]);
    addSets([added]).refused('There is no such year group.');
    addSets([]).refused('There is no such subject.');
    addSets([added, twelve], {}, { schemeIds: [], testIds: [] }).refused('A set needs a scheme of work of its subject.', 'schemeId');
  });

  test('sit the assessments that are chosen for all of them', () => {
    const sits = (name: string): Happened => ({ type: 'SetAssessmentsChosen', data: { setId: made(`set ${name}`), testIds: [testId] } });
    addSets([added, twelve], { testIds: [testId, testId] }).then([newSet('12A'), sits('12A'), newSet('12B'), sits('12B')]);
    addSets([added, twelve], { testIds: [testId, id('of another subject')] }).refused(noAssessment, 'testIds.1');
  });

  test('have names of their own', () => {
    addSets([added, twelve, newSet('12b')]).refused('Set name needs to be unique', 'names.1');
    addSets([added, twelve], { names: ['12A', ' 12a'] }).refused('Set name needs to be unique', 'names.1');
  });
});

test('a set moves to another year group of its subject', () => {
  const twelve: Happened = { type: 'YearGroupAdded', data: { yearGroupId: id('year 12'), year: 12 } };
  const move = { subjectId, setId, yearGroupId: id('year 12') };
  changeSet([...school, twelve], move).then([{ type: 'SetMovedToYearGroup', data: { setId, yearGroupId: id('year 12') } }]);
  changeSet([...school, twelve], { ...move, yearGroupId }).nothing();
  changeSet(school, move).refused('There is no such year group.', 'yearGroupId');
});

test('sets are given single assessments, or lose some, whatever others they have', () => {
  const [other, mock, third] = [id('other'), id('mock'), id('third')];
  const link = { subjectId, links: [{ setId, testId: mock }], linked: true };
  const linkSetAssessment = deciding(LinkSetAssessment, link);
  const choices = (...testIds: string[]) => ({ schemeIds: [], testIds });
  const chosen = (...testIds: string[]): Happened => ({ type: 'SetAssessmentsChosen', data: { setId, testIds } });
  linkSetAssessment([...school, chosen(other)], {}, choices(other, mock)).then([chosen(other, mock)]);
  linkSetAssessment([...school, chosen(other, mock)], {}, choices(other, mock)).nothing();
  linkSetAssessment(
    [...school, chosen(other)],
    { links: [mock, other, third, mock].map((testId) => ({ setId, testId })) },
    choices(other, mock, third),
  ).then([chosen(other, mock, third)]);
  // Also one that is deleted.
  linkSetAssessment([...school, chosen(other, mock)], { linked: false }, choices(other)).then([chosen(other)]);
  linkSetAssessment(school, { links: [...link.links, { setId, testId: third }] }, choices(mock)).refused(noAssessment);
});

describe('several sets', () => {
  const both = [...school, set('11B')];
  const changeSets = deciding(ChangeSets, { subjectId }, choices);
  const change = (...changes: readonly object[]) => changeSets(both, { changes });
  test('are changed together, and may swap their names', () => {
    const chosen = (of: string, name: string): readonly MarktrailEvent[] => [
      { type: 'SetRenamed', data: { setId: of, name } },
      { type: 'SetSchemeChosen', data: { setId: of, schemeId: id('other scheme') } },
    ];
    const swapped = [
      { setId, name: '11B', schemeId: id('other scheme') },
      { setId: id('11B'), name: '11A', schemeId: id('other scheme') },
    ];
    change(...swapped).then([...chosen(setId, '11B'), ...chosen(id('11B'), '11A')]);
    change({ setId, name: '11A' }, { setId: id('11B'), thresholds: { red: 0, amber: 40, green: 70 } }).nothing();
  });
  test('are not changed at all if one of them cannot be', () => {
    const fine = { setId, schemeId: id('other scheme') };
    change(fine, { setId: id('11B'), name: '11a' }).refused('Set name needs to be unique', 'changes.1.name');
    change(fine, { setId: id('11B'), testIds: [id('foreign')] }).refused(noAssessment, 'changes.1.testIds');
    change(fine, { setId: id('11Z'), name: '11Y' }).refused('There is no such set.');
    change(fine, fine).refused('Each set can be listed only once.', 'changes.1.setId');
  });
  test('are changed as their author saw them', () => {
    const meanwhile = 'Somebody else has changed this set meanwhile. Look at it, then save again.';
    const seen = (was: object) => change({ setId, name: '11C', was });
    seen({ testIds: [id('mock')] }).refused(meanwhile, 'changes.0.was');
    seen({ name: '11' }).refused(meanwhile, 'changes.0.was');
    seen({ name: '11A', testIds: [], thresholds: { red: 0, amber: 40, green: 70 } }).events();
  });
});
