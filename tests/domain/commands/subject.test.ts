import { describe, test } from 'vitest';
import * as subject from '../../../api/commands/subject.ts';
import { defaultThresholds } from '../../../events/subject.ts';
import type { Happened } from '../../support/decider.ts';
import { given, id, made, tagOf } from '../../support/decider.ts';

const subjectId = id('maths');
const yearGroupId = id('year 11');
const setId = id('11A');
const schemeId = id('scheme');
const teacherId = id('hughes');
const added: Happened = { type: 'SubjectAdded', data: { name: 'Mathematics' } };
const year: Happened = { type: 'YearGroupAdded', data: { yearGroupId, year: 11 } };
const set = (name: string): Happened => ({
  type: 'SetAdded',
  data: { setId: id(name), yearGroupId, name, schemeId, thresholds: defaultThresholds },
});
const teacher = (name: string): Happened => ({
  type: 'TeacherAdded',
  data: { teacherId: id(name), person: { name, tag: tagOf('teacher-name', name) } },
});
const school = [added, year, set('11A')];
const itsScheme = { exists: true };

describe('a subject', () => {
  const others = [{ subjectId: id('science'), name: 'Science' }];
  test('has a name of its own in the school, whatever the spelling', () => {
    given([]).when(subject.AddSubject, { name: 'Mathematics' }, others).then([added]);
    given([]).when(subject.AddSubject, { name: ' SCIENCE' }, others).refused('Subject name needs to be unique', 'name');
    given([added]).when(subject.RenameSubject, { subjectId, name: 'science' }, others).refused('Subject name needs to be unique', 'name');
    given([added])
      .when(subject.RenameSubject, { subjectId, name: 'Maths' }, others)
      .then([{ type: 'SubjectRenamed', data: { name: 'Maths' } }]);
  });
  test('may change the spelling of its own name', () => {
    given([added])
      .when(subject.RenameSubject, { subjectId, name: 'mathematics' }, [{ subjectId, name: 'Mathematics' }])
      .events();
    given([added]).when(subject.RenameSubject, { subjectId, name: 'Mathematics' }, []).nothing();
    given([]).when(subject.RenameSubject, { subjectId, name: 'Mathematics' }, []).refused('There is no such subject.');
  });
});

describe('a subject that is removed', () => {
  const removed: Happened = { type: 'SubjectRemoved', data: {} };
  const restored: Happened = { type: 'SubjectRestored', data: {} };
  test('holds no marks', () => {
    given(school).when(subject.RemoveSubject, { subjectId }, { marks: 0 }).then([removed]);
    given(school).when(subject.RemoveSubject, { subjectId }, { marks: 729 }).refused('Mathematics holds 729 mark(s) of students');
    given([]).when(subject.RemoveSubject, { subjectId }, { marks: 0 }).refused('There is no such subject.');
  });
  test('takes nothing new', () => {
    given([...school, removed])
      .when(subject.AddYearGroup, { subjectId, year: 12 })
      .refused('There is no such subject.');
    given([...school, removed])
      .when(subject.RenameSubject, { subjectId, name: 'Maths' }, [])
      .refused('There is no such subject.');
    given([...school, removed])
      .when(subject.RemoveSubject, { subjectId }, { marks: 0 })
      .nothing();
  });
  test('comes back with all that it held, unless its name was taken meanwhile', () => {
    given([...school, removed])
      .when(subject.RestoreSubject, { subjectId }, [])
      .then([restored]);
    given([...school, removed, restored])
      .when(subject.RestoreSubject, { subjectId }, [])
      .nothing();
    given([...school, removed, restored])
      .when(subject.RenameYearGroup, { subjectId, yearGroupId, year: 12 })
      .events();
    given([...school, removed])
      .when(subject.RestoreSubject, { subjectId }, [{ subjectId: id('other'), name: 'mathematics' }])
      .refused('There is another subject called Mathematics now');
  });
});

describe('a year group', () => {
  const taken = 'This year group exists already';
  test('is there once', () => {
    given([added])
      .when(subject.AddYearGroup, { subjectId, year: 11 })
      .then([{ type: 'YearGroupAdded', data: { yearGroupId: made('year-group'), year: 11 } }]);
    given(school).when(subject.AddYearGroup, { subjectId, year: 11 }).refused(taken, 'year');
    given([]).when(subject.AddYearGroup, { subjectId, year: 11 }).refused('There is no such subject.');
  });
  test('changes to a year that is free', () => {
    const ten: Happened = { type: 'YearGroupAdded', data: { yearGroupId: id('year 10'), year: 10 } };
    const rename = { subjectId, yearGroupId, year: 10 };
    given(school)
      .when(subject.RenameYearGroup, rename)
      .then([{ type: 'YearGroupRenamed', data: { yearGroupId, year: 10 } }]);
    given([...school, ten])
      .when(subject.RenameYearGroup, rename)
      .refused(taken, 'year');
    given(school)
      .when(subject.RenameYearGroup, { ...rename, year: 11 })
      .nothing();
    given([added]).when(subject.RenameYearGroup, rename).refused('There is no such year group.');
  });
  test('goes with its sets when it has no students', () => {
    const gone: Happened = { type: 'YearGroupDeleted', data: { yearGroupId } };
    const empty = { students: 0 };
    given([added, year]).when(subject.DeleteYearGroup, { subjectId, yearGroupId }, empty).then([gone]);
    given(school)
      .when(subject.DeleteYearGroup, { subjectId, yearGroupId }, empty)
      .then([{ type: 'SetDeleted', data: { setId } }, gone]);
    given(school).when(subject.DeleteYearGroup, { subjectId, yearGroupId }, { students: 3 }).refused('This year group has 3 student(s)');
    given([added]).when(subject.DeleteYearGroup, { subjectId, yearGroupId }, empty).nothing();
  });
  test('is a whole number from 1 to 98: 99 is Off-Roll', () => {
    given(school).when(subject.AddYearGroup, { subjectId, year: 99 }).invalid('Year 99 is kept for Off-Roll');
    given(school).when(subject.AddYearGroup, { subjectId, year: 100 }).invalid('The value must be less than 99');
    given(school).when(subject.AddYearGroup, { subjectId, year: 0 }).invalid('The value must be greater than zero');
    given(school).when(subject.AddYearGroup, { subjectId, year: 1.5 }).invalid('The value must be an integer number');
  });
});

describe('a set', () => {
  const add = { subjectId, yearGroupId, name: '11B', schemeId };
  test('has a year group, a scheme of work of its subject, and a name of its own', () => {
    given(school)
      .when(subject.AddSet, add, itsScheme)
      .then([
        {
          type: 'SetAdded',
          data: { setId: made('set'), yearGroupId, name: '11B', schemeId, thresholds: { red: 0, amber: 40, green: 70 } },
        },
      ]);
    given([added]).when(subject.AddSet, add, itsScheme).refused('There is no such year group.');
    given(school).when(subject.AddSet, add, { exists: false }).refused('A set needs a scheme of work of its subject.', 'schemeId');
    given(school)
      .when(subject.AddSet, { ...add, name: '11a ' }, itsScheme)
      .refused('Set name needs to be unique', 'name');
  });
  test('is never Off-Roll, which is a state of students', () => {
    const why = 'Off-Roll is no set. Leave its students out of a file, and move them there under Student Details.';
    for (const name of ['Off-Roll', ' off roll', 'OFFROLL']) {
      given(school)
        .when(subject.AddSet, { ...add, name }, itsScheme)
        .invalid(why);
      given(school).when(subject.RenameSet, { subjectId, setId, name }).invalid(why);
    }
    given(school)
      .when(subject.AddSet, { ...add, name: 'Off-Rollers' }, itsScheme)
      .then([
        {
          type: 'SetAdded',
          data: { setId: made('set'), yearGroupId, name: 'Off-Rollers', schemeId, thresholds: { red: 0, amber: 40, green: 70 } },
        },
      ]);
  });
  test('is renamed to a name of its own', () => {
    const both = [...school, set('11B')];
    given(both).when(subject.RenameSet, { subjectId, setId, name: '11b' }).refused('Set name needs to be unique', 'name');
    given(both)
      .when(subject.RenameSet, { subjectId, setId, name: '11a' })
      .then([{ type: 'SetRenamed', data: { setId, name: '11a' } }]);
    given(both).when(subject.RenameSet, { subjectId, setId, name: '11A' }).nothing();
    given([added]).when(subject.RenameSet, { subjectId, setId, name: '11A' }).refused('There is no such set.');
  });
  test('a name is free again when its set is gone', () => {
    given([...school, { type: 'SetDeleted', data: { setId } }])
      .when(subject.AddSet, { ...add, name: '11A' }, itsScheme)
      .events();
  });
  test('changes its scheme of work for another one of the subject', () => {
    const choose = { subjectId, setId, schemeId: id('other scheme') };
    given(school)
      .when(subject.ChooseSetScheme, choose, itsScheme)
      .then([{ type: 'SetSchemeChosen', data: { setId, schemeId: id('other scheme') } }]);
    given(school)
      .when(subject.ChooseSetScheme, choose, { exists: false })
      .refused('A set needs a scheme of work of its subject.', 'schemeId');
    given(school)
      .when(subject.ChooseSetScheme, { ...choose, schemeId }, itsScheme)
      .nothing();
    given([added]).when(subject.ChooseSetScheme, choose, itsScheme).refused('There is no such set.');
  });
  test('sits assessments of its subject, each once', () => {
    const [mock, other] = [id('mock'), id('other')];
    const known = { testIds: [mock, other] };
    const chosen: Happened = { type: 'SetAssessmentsChosen', data: { setId, testIds: [mock, other] } };
    given(school)
      .when(subject.ChooseSetAssessments, { subjectId, setId, testIds: [mock, other, mock] }, known)
      .then([{ type: 'SetAssessmentsChosen', data: { setId, testIds: [mock, other] } }]);
    given([...school, chosen])
      .when(subject.ChooseSetAssessments, { subjectId, setId, testIds: [mock, other] }, known)
      .nothing();
    given([...school, chosen])
      .when(subject.ChooseSetAssessments, { subjectId, setId, testIds: [other, mock] }, known)
      .events();
    given(school)
      .when(subject.ChooseSetAssessments, { subjectId, setId, testIds: [mock, id('foreign')] }, known)
      .refused('There is no such assessment in this subject.', 'testIds.1');
    given([added]).when(subject.ChooseSetAssessments, { subjectId, setId, testIds: [] }, known).refused('There is no such set.');
  });
  test('has thresholds that rise', () => {
    const change = (red: number, amber: number, green: number) => ({ subjectId, setId, thresholds: { red, amber, green } });
    given(school)
      .when(subject.ChangeSetThresholds, change(10, 10, 80))
      .then([{ type: 'SetThresholdsChanged', data: { setId, thresholds: { red: 10, amber: 10, green: 80 } } }]);
    given(school)
      .when(subject.ChangeSetThresholds, change(50, 40, 70))
      .refused('The thresholds must rise from red to amber to green.');
    given(school)
      .when(subject.ChangeSetThresholds, change(0, 80, 70))
      .refused('The thresholds must rise from red to amber to green.');
    given(school)
      .when(subject.ChangeSetThresholds, change(0, 40, 70))
      .nothing();
    for (const other of [change(1, 40, 70), change(0, 41, 70), change(0, 40, 71)])
      given(school).when(subject.ChangeSetThresholds, other).events();
    given([added])
      .when(subject.ChangeSetThresholds, change(0, 40, 70))
      .refused('There is no such set.');
  });
  test('goes when it has no students', () => {
    given(school)
      .when(subject.DeleteSet, { subjectId, setId }, { students: 0 })
      .then([{ type: 'SetDeleted', data: { setId } }]);
    given(school)
      .when(subject.DeleteSet, { subjectId, setId }, { students: 3 })
      .refused('This set has 3 student(s): move them to another set or to Off-Roll first.');
    given([added]).when(subject.DeleteSet, { subjectId, setId }, { students: 0 }).nothing();
  });
});

describe('a teacher', () => {
  const hughes = [...school, teacher('hughes')];
  test('has a name of his own in the subject, whatever the spelling', () => {
    const data = { teacherId: made('teacher'), person: { name: 'Hughes', tag: tagOf('teacher-name', 'hughes') } };
    given(school)
      .when(subject.AddTeacher, { subjectId, name: 'Hughes' })
      .then([{ type: 'TeacherAdded', data }]);
    given(hughes).when(subject.AddTeacher, { subjectId, name: 'HUGHES' }).refused('Teacher name needs to be unique', 'name');
    given([]).when(subject.AddTeacher, { subjectId, name: 'Hughes' }).refused('There is no such subject.');
  });
  test('is renamed to a name of his own', () => {
    const renamed = [
      ...hughes,
      { type: 'TeacherRenamed', data: { teacherId, person: { name: 'Shah', tag: tagOf('teacher-name', 'shah') } } },
    ] as const;
    given(hughes)
      .when(subject.RenameTeacher, { subjectId, teacherId, name: 'Shah' })
      .then([{ type: 'TeacherRenamed', data: { teacherId, person: { name: 'Shah', tag: tagOf('teacher-name', 'shah') } } }]);
    given([...hughes, teacher('shah')])
      .when(subject.RenameTeacher, { subjectId, teacherId, name: 'Shah' })
      .refused('Teacher name needs to be unique', 'name');
    given(hughes).when(subject.RenameTeacher, { subjectId, teacherId, name: 'HUGHES' }).events();
    given(renamed).when(subject.RenameTeacher, { subjectId, teacherId, name: 'Shah' }).then([]);
    given(school).when(subject.RenameTeacher, { subjectId, teacherId, name: 'Shah' }).refused('There is no such teacher.');
  });
  test('teaches sets of the subject, each once', () => {
    const assigned: Happened = { type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } };
    given(hughes)
      .when(subject.AssignTeacherSets, { subjectId, teacherId, setIds: [setId, setId] })
      .then([{ type: 'TeacherSetsAssigned', data: { teacherId, setIds: [setId] } }]);
    given([...hughes, assigned])
      .when(subject.AssignTeacherSets, { subjectId, teacherId, setIds: [setId] })
      .nothing();
    given(hughes)
      .when(subject.AssignTeacherSets, { subjectId, teacherId, setIds: [id('11S')] })
      .refused('There is no such set.', 'setIds.0');
    given(school).when(subject.AssignTeacherSets, { subjectId, teacherId, setIds: [] }).refused('There is no such teacher.');
  });
  test('goes once, and his name is free again', () => {
    const removed: Happened = { type: 'TeacherRemoved', data: { teacherId } };
    given(hughes)
      .when(subject.RemoveTeacher, { subjectId, teacherId })
      .then([{ type: 'TeacherRemoved', data: { teacherId } }]);
    given([...hughes, removed])
      .when(subject.RemoveTeacher, { subjectId, teacherId })
      .nothing();
    given([...hughes, removed])
      .when(subject.AddTeacher, { subjectId, name: 'Hughes' })
      .events();
  });
});

describe('a set changed by one form', () => {
  const choices = { schemeIds: [schemeId, id('other scheme')], testIds: [id('mock')] };
  const change = { subjectId, setId };
  test('changes in all that is otherwise, and in nothing else', () => {
    given([...school, set('11B')])
      .when(
        subject.ChangeSet,
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
      .when(subject.ChangeSet, { ...change, name: '11A', schemeId, testIds: [], thresholds: defaultThresholds }, choices)
      .nothing();
  });
  test('is refused as a whole where one part of it cannot be', () => {
    const refused = (input: object, sentence: string, at: string) =>
      given([...school, set('11B')])
        .when(subject.ChangeSet, { ...change, name: '11X', ...input }, choices)
        .refused(sentence, at);
    refused({ name: '11b' }, 'Set name needs to be unique', 'name');
    refused({ schemeId: id('none') }, 'A set needs a scheme of work of its subject.', 'schemeId');
    refused({ testIds: [id('none')] }, 'There is no such assessment in this subject.', 'testIds');
    refused({ thresholds: { red: 50, amber: 40, green: 70 } }, 'The thresholds must rise', 'thresholds');
    given(school)
      .when(subject.ChangeSet, { ...change, name: '' }, choices)
      .invalid('Required.');
  });
});
