import { describe, test } from 'vitest';
import {
  AddSet,
  AddSets,
  ChangeSet,
  DateAssessment,
  DeleteSet,
  DeleteSets,
  LinkSetAssessment,
  RestoreSet,
} from '../../../api/school/sets/sets.commands.ts';
import { defaultThresholds } from '../../../events/school/subject.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, made } from '../../support/decider.ts';
import { added, schemeId, school, set, setId, subjectId, yearGroupId } from '../../support/subject.ts';

const itsScheme = { exists: true };
const choices = { schemeIds: [schemeId, id('other scheme')], testIds: [id('mock'), id('other')] };

describe('a set', () => {
  const add = { subjectId, yearGroupId, name: '11B', schemeId };
  test('has a year group, a scheme of work of its subject, and a name of its own', () => {
    given(school)
      .when(AddSet, add, itsScheme)
      .then([
        {
          type: 'SetAdded',
          data: { setId: made('set'), yearGroupId, name: '11B', schemeId, thresholds: { red: 0, amber: 40, green: 70 } },
        },
      ]);
    given([added]).when(AddSet, add, itsScheme).refused('There is no such year group.');
    given(school).when(AddSet, add, { exists: false }).refused('A set needs a scheme of work of its subject.', 'schemeId');
    given(school)
      .when(AddSet, { ...add, name: '11a ' }, itsScheme)
      .refused('Set name needs to be unique', 'name');
  });
  test('is never Off-Roll, which is a state of students', () => {
    const why = 'Off-Roll is no set: students are moved there under Student Details, or by a file of students.';
    for (const name of ['Off-Roll', ' off roll', 'OFFROLL']) {
      given(school)
        .when(AddSet, { ...add, name }, itsScheme)
        .invalid(why);
      given(school).when(ChangeSet, { subjectId, setId, name }, choices).invalid(why);
    }
    given(school)
      .when(AddSet, { ...add, name: 'Off-Rollers' }, itsScheme)
      .then([
        {
          type: 'SetAdded',
          data: { setId: made('set'), yearGroupId, name: 'Off-Rollers', schemeId, thresholds: { red: 0, amber: 40, green: 70 } },
        },
      ]);
  });
  test('is renamed to a name of its own', () => {
    const both = [...school, set('11B')];
    given(both).when(ChangeSet, { subjectId, setId, name: '11b' }, choices).refused('Set name needs to be unique', 'name');
    given(both)
      .when(ChangeSet, { subjectId, setId, name: '11a' }, choices)
      .then([{ type: 'SetRenamed', data: { setId, name: '11a' } }]);
    given(both).when(ChangeSet, { subjectId, setId, name: '11A' }, choices).nothing();
    given([added]).when(ChangeSet, { subjectId, setId, name: '11A' }, choices).refused('There is no such set.');
  });
  test('a name is free again when its set is gone', () => {
    given([...school, { type: 'SetDeleted', data: { setId } }])
      .when(AddSet, { ...add, name: '11A' }, itsScheme)
      .events();
  });
  test('changes its scheme of work for another one of the subject', () => {
    const choose = { subjectId, setId, schemeId: id('other scheme') };
    given(school)
      .when(ChangeSet, choose, choices)
      .then([{ type: 'SetSchemeChosen', data: { setId, schemeId: id('other scheme') } }]);
    given(school)
      .when(ChangeSet, choose, { schemeIds: [], testIds: [] })
      .refused('A set needs a scheme of work of its subject.', 'schemeId');
    given(school)
      .when(ChangeSet, { ...choose, schemeId }, choices)
      .nothing();
    given([added]).when(ChangeSet, choose, choices).refused('There is no such set.');
  });
  test('sits assessments of its subject, each once', () => {
    const [mock, other] = [id('mock'), id('other')];
    const chosen: Happened = { type: 'SetAssessmentsChosen', data: { setId, testIds: [mock, other] } };
    given(school)
      .when(ChangeSet, { subjectId, setId, testIds: [mock, other, mock] }, choices)
      .then([{ type: 'SetAssessmentsChosen', data: { setId, testIds: [mock, other] } }]);
    given([...school, chosen])
      .when(ChangeSet, { subjectId, setId, testIds: [mock, other] }, choices)
      .nothing();
    given([...school, chosen])
      .when(ChangeSet, { subjectId, setId, testIds: [other, mock] }, choices)
      .events();
    given(school)
      .when(ChangeSet, { subjectId, setId, testIds: [mock, id('foreign')] }, choices)
      .refused('There is no such assessment in this subject.', 'testIds');
    given([added]).when(ChangeSet, { subjectId, setId, testIds: [] }, choices).refused('There is no such set.');
  });
  test('has thresholds that rise', () => {
    const change = (red: number, amber: number, green: number) => ({ subjectId, setId, thresholds: { red, amber, green } });
    given(school)
      .when(ChangeSet, change(10, 10, 80), choices)
      .then([{ type: 'SetThresholdsChanged', data: { setId, thresholds: { red: 10, amber: 10, green: 80 } } }]);
    given(school)
      .when(ChangeSet, change(50, 40, 70), choices)
      .refused('The thresholds must rise from red to amber to green.');
    given(school)
      .when(ChangeSet, change(0, 80, 70), choices)
      .refused('The thresholds must rise from red to amber to green.');
    given(school)
      .when(ChangeSet, change(0, 40, 70), choices)
      .nothing();
    for (const other of [change(1, 40, 70), change(0, 41, 70), change(0, 40, 71)]) given(school).when(ChangeSet, other, choices).events();
    given([added])
      .when(ChangeSet, change(0, 40, 70), choices)
      .refused('There is no such set.');
  });
  test('goes when it has no students', () => {
    given(school)
      .when(DeleteSet, { subjectId, setId }, { students: 0 })
      .then([{ type: 'SetDeleted', data: { setId } }]);
    given(school)
      .when(DeleteSet, { subjectId, setId }, { students: 3 })
      .refused('This set has 3 student(s): move them to another set or to Off-Roll first.');
    given([...school, { type: 'SetDeleted', data: { setId } }])
      .when(DeleteSet, { subjectId, setId }, { students: 0 })
      .nothing();
    given([added]).when(DeleteSet, { subjectId, setId }, { students: 0 }).refused('There is no such set.');
  });
});

describe('a set changed by one form', () => {
  const change = { subjectId, setId };
  test('changes in all that is otherwise, and in nothing else', () => {
    given([...school, set('11B')])
      .when(
        ChangeSet,
        { ...change, name: '11X', schemeId: id('other scheme'), testIds: [id('mock')], thresholds: { red: 10, amber: 50, green: 80 } },
        choices,
      )
      .then([
        { type: 'SetRenamed', data: { setId, name: '11X' } },
        { type: 'SetSchemeChosen', data: { setId, schemeId: id('other scheme') } },
        { type: 'SetAssessmentsChosen', data: { setId, testIds: [id('mock')] } },
        { type: 'SetThresholdsChanged', data: { setId, thresholds: { red: 10, amber: 50, green: 80 } } },
      ]);
    given(school)
      .when(ChangeSet, { ...change, name: '11A', schemeId, testIds: [], thresholds: defaultThresholds }, choices)
      .nothing();
  });
  test('is refused as a whole where one part of it cannot be', () => {
    const refused = (input: object, sentence: string, at: string) =>
      given([...school, set('11B')])
        .when(ChangeSet, { ...change, name: '11X', ...input }, choices)
        .refused(sentence, at);
    refused({ name: '11b' }, 'Set name needs to be unique', 'name');
    refused({ schemeId: id('none') }, 'A set needs a scheme of work of its subject.', 'schemeId');
    refused({ testIds: [id('none')] }, 'There is no such assessment in this subject.', 'testIds');
    refused({ thresholds: { red: 50, amber: 40, green: 70 } }, 'The thresholds must rise', 'thresholds');
    given(school)
      .when(ChangeSet, { ...change, name: '' }, choices)
      .invalid('Required.');
  });
});

describe('the day on which a set sat an assessment', () => {
  const testId = id('mock');
  const say = { subjectId, setId, testId, satOn: '2026-01-10' };
  const theirs = { exists: true };
  const said: Happened = { type: 'SetAssessmentDated', data: { setId, testId, satOn: '2026-01-10' } };
  test('is said once, changed, and taken back', () => {
    given(school)
      .when(DateAssessment, say, theirs)
      .then([{ type: 'SetAssessmentDated', data: { setId, testId, satOn: '2026-01-10' } }]);
    given([...school, said])
      .when(DateAssessment, say, theirs)
      .nothing();
    given([...school, said])
      .when(DateAssessment, { ...say, satOn: null, was: '2026-01-10' }, theirs)
      .then([{ type: 'SetAssessmentDated', data: { setId, testId, satOn: null } }]);
    given(school)
      .when(DateAssessment, { ...say, satOn: null }, theirs)
      .nothing();
  });
  test('is that of each assessment alone', () => {
    given([...school, said])
      .when(DateAssessment, { ...say, testId: id('other'), was: null }, theirs)
      .then([{ type: 'SetAssessmentDated', data: { setId, testId: id('other'), satOn: '2026-01-10' } }]);
  });
  test('is not changed over what somebody else has said meanwhile', () => {
    given([...school, said])
      .when(DateAssessment, { ...say, satOn: '2026-01-12', was: null }, theirs)
      .refused('Somebody else has changed this date meanwhile. Look at it, then change it again.');
  });
  test('is of a set and an assessment of the subject, and not in the future', () => {
    given([added]).when(DateAssessment, say, theirs).refused('There is no such set.');
    given(school).when(DateAssessment, say, { exists: false }).refused('There is no such assessment in this subject.');
    const inThreeDays = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString().slice(0, 10);
    given(school)
      .when(DateAssessment, { ...say, satOn: inThreeDays }, theirs)
      .invalid('The date must not be in the future.');
    given(school)
      .when(DateAssessment, { ...say, satOn: '2026-02-30' }, theirs)
      .invalid('Invalid ISO date');
  });
});

describe('a set that was deleted', () => {
  const gone: Happened = { type: 'SetDeleted', data: { setId } };
  const schemes = { schemeIds: [schemeId] };
  const restore = { subjectId, setId };
  test('comes back as it was', () => {
    const changed: Happened[] = [
      { type: 'SetThresholdsChanged', data: { setId, thresholds: { red: 10, amber: 50, green: 80 } } },
      { type: 'SetAssessmentsChosen', data: { setId, testIds: [id('mock')] } },
    ];
    const back: Happened = { type: 'SetRestored', data: { setId } };
    given([...school, ...changed, gone])
      .when(RestoreSet, restore, schemes)
      .then([{ type: 'SetRestored', data: { setId } }]);
    given([...school, ...changed, gone, back])
      .when(
        ChangeSet,
        { ...restore, name: '11A', schemeId, testIds: [id('mock')], thresholds: { red: 10, amber: 50, green: 80 } },
        { schemeIds: [schemeId], testIds: [id('mock')] },
      )
      .nothing();
    given(school).when(RestoreSet, restore, schemes).nothing();
    given([added]).when(RestoreSet, restore, schemes).refused('There is no such set.');
  });
  test('stays away where another one took its name, or its scheme of work is gone', () => {
    const namesake: Happened = {
      type: 'SetAdded',
      data: { setId: id('namesake'), yearGroupId, name: '11a', schemeId, thresholds: defaultThresholds },
    };
    given([...school, gone, namesake])
      .when(RestoreSet, restore, schemes)
      .refused('There is another set called 11A now: rename that one first.');
    given([...school, gone])
      .when(RestoreSet, restore, { schemeIds: [] })
      .refused('The scheme of work that 11A followed was deleted too');
  });
});

test('a set keeps an assessment that is deleted, whatever is chosen beside it, until it is back', () => {
  const both: Happened = { type: 'SetAssessmentsChosen', data: { setId, testIds: [id('deleted'), id('mock')] } };
  const known = { schemeIds: [schemeId], testIds: [id('mock'), id('other')] };
  given([...school, both])
    .when(ChangeSet, { subjectId, setId, testIds: [id('other')] }, known)
    .then([{ type: 'SetAssessmentsChosen', data: { setId, testIds: [id('other'), id('deleted')] } }]);
  given([...school, both])
    .when(ChangeSet, { subjectId, setId, testIds: [id('mock')] }, known)
    .nothing();
});

const twelve: Happened = { type: 'YearGroupAdded', data: { yearGroupId: id('year 12'), year: 12 } };
const testId = id('autumn test');
const known = { schemeIds: [schemeId], testIds: [testId] };
const several = { subjectId, yearGroupId: id('year 12'), schemeId, names: ['12A', '12B'], testIds: [] };
const newSet = (name: string): Happened => ({
  type: 'SetAdded',
  data: { setId: made(`set ${name}`), yearGroupId: id('year 12'), name, schemeId, thresholds: defaultThresholds },
});

describe('sets that an import needs', () => {
  test('are made at once, in one year group and with one scheme of work', () => {
    given([added, twelve])
      .when(AddSets, several, known)
      .then([newSet('12A'), newSet('12B')]);
    given([added]).when(AddSets, several, known).refused('There is no such year group.');
    given([]).when(AddSets, several, known).refused('There is no such subject.');
    given([added, twelve])
      .when(AddSets, several, { schemeIds: [], testIds: [] })
      .refused('A set needs a scheme of work of its subject.', 'schemeId');
  });

  test('sit the assessments that are chosen for all of them', () => {
    const sits = (name: string): Happened => ({ type: 'SetAssessmentsChosen', data: { setId: made(`set ${name}`), testIds: [testId] } });
    given([added, twelve])
      .when(AddSets, { ...several, testIds: [testId, testId] }, known)
      .then([newSet('12A'), sits('12A'), newSet('12B'), sits('12B')]);
    given([added, twelve])
      .when(AddSets, { ...several, testIds: [testId, id('of another subject')] }, known)
      .refused('There is no such assessment in this subject.', 'testIds.1');
  });

  test('have names of their own', () => {
    given([added, twelve, newSet('12b')])
      .when(AddSets, several, known)
      .refused('Set name needs to be unique', 'names.1');
    given([added, twelve])
      .when(AddSets, { ...several, names: ['12A', ' 12a'] }, known)
      .refused('Set name needs to be unique', 'names.1');
  });

  test('are taken back at once, or not at all where one has students', () => {
    const setIds = [made('set 12A'), made('set 12B')];
    const there = [added, twelve, newSet('12A'), newSet('12B')];
    given(there)
      .when(DeleteSets, { subjectId, setIds }, new Map())
      .then(setIds.map((setId) => ({ type: 'SetDeleted', data: { setId } })));
    given(there)
      .when(DeleteSets, { subjectId, setIds }, new Map([[setIds[1], 3]]))
      .refused('There are students in 12B: move them first.');
    given([...there, ...setIds.map((setId) => ({ type: 'SetDeleted' as const, data: { setId } }))])
      .when(DeleteSets, { subjectId, setIds }, new Map())
      .nothing();
    given([added, twelve]).when(DeleteSets, { subjectId, setIds }, new Map()).refused('There is no such set.');
  });
});

test('a set moves to another year group of its subject', () => {
  const twelve: Happened = { type: 'YearGroupAdded', data: { yearGroupId: id('year 12'), year: 12 } };
  const move = { subjectId, setId, yearGroupId: id('year 12') };
  given([...school, twelve])
    .when(ChangeSet, move, choices)
    .then([{ type: 'SetMovedToYearGroup', data: { setId, yearGroupId: id('year 12') } }]);
  given([...school, twelve])
    .when(ChangeSet, { ...move, yearGroupId }, choices)
    .nothing();
  given(school).when(ChangeSet, move, choices).refused('There is no such year group.', 'yearGroupId');
});

test('sets are given single assessments, or lose some, whatever others they have', () => {
  const [other, mock, third] = [id('other'), id('mock'), id('third')];
  const link = { subjectId, links: [{ setId, testId: mock }], linked: true };
  const choices = (...testIds: string[]) => ({ schemeIds: [], testIds });
  const chosen = (...testIds: string[]): Happened => ({ type: 'SetAssessmentsChosen', data: { setId, testIds } });
  given([...school, chosen(other)])
    .when(LinkSetAssessment, link, choices(other, mock))
    .then([chosen(other, mock)]);
  given([...school, chosen(other, mock)])
    .when(LinkSetAssessment, link, choices(other, mock))
    .nothing();
  given([...school, chosen(other)])
    .when(
      LinkSetAssessment,
      { ...link, links: [mock, other, third, mock].map((testId) => ({ setId, testId })) },
      choices(other, mock, third),
    )
    .then([chosen(other, mock, third)]);
  // Also one that is deleted.
  given([...school, chosen(other, mock)])
    .when(LinkSetAssessment, { ...link, linked: false }, choices(other))
    .then([chosen(other)]);
  given(school)
    .when(LinkSetAssessment, { ...link, links: [...link.links, { setId, testId: third }] }, choices(mock))
    .refused('There is no such assessment in this subject.');
});
