import { describe, test } from 'vitest';
import * as subject from '../../../api/school/subject.commands.ts';
import { AddYearGroup, RenameYearGroup } from '../../../api/school/year-group.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, given, id } from '../../support/decider.ts';

const subjectId = id('maths');
const yearGroupId = id('year 11');
const added: Happened = { type: 'SubjectAdded', data: { name: 'Mathematics' } };
const year: Happened = { type: 'YearGroupAdded', data: { yearGroupId, year: 11 } };
const school = [added, year];

const renameSubject = deciding(subject.RenameSubject, { subjectId }, []);
const removeSubject = deciding(subject.RemoveSubject, { subjectId });
const restoreSubject = deciding(subject.RestoreSubject, { subjectId }, []);

describe('a subject', () => {
  const others = [{ subjectId: id('science'), name: 'Science' }];
  test('has a name of its own in the school, whatever the spelling', () => {
    given([]).when(subject.AddSubject, { name: 'Mathematics' }, others).then([added]);
    given([]).when(subject.AddSubject, { name: ' SCIENCE' }, others).refused('Subject name needs to be unique', 'name');
    renameSubject([added], { name: 'science' }, others).refused('Subject name needs to be unique', 'name');
    renameSubject([added], { name: 'Maths' }, others).then([{ type: 'SubjectRenamed', data: { name: 'Maths' } }]);
  });
  test('may change the spelling of its own name', () => {
    renameSubject([added], { name: 'mathematics' }, [{ subjectId, name: 'Mathematics' }]).events();
    renameSubject([added], { name: 'Mathematics' }).nothing();
    renameSubject([], { name: 'Mathematics' }).refused('There is no such subject.');
  });
});

describe('a subject that is removed', () => {
  const removed: Happened = { type: 'SubjectRemoved', data: {} };
  const restored: Happened = { type: 'SubjectRestored', data: {} };
  test('was one', () => {
    removeSubject(school).then([removed]);
    removeSubject([]).refused('There is no such subject.');
  });
  test('takes nothing new', () => {
    given([...school, removed])
      .when(AddYearGroup, { subjectId, year: 12 })
      .refused('There is no such subject.');
    renameSubject([...school, removed], { name: 'Maths' }).refused('There is no such subject.');
    removeSubject([...school, removed]).nothing();
  });
  test('comes back with all that it held, unless its name was taken meanwhile', () => {
    restoreSubject([...school, removed]).then([restored]);
    restoreSubject([...school, removed, restored]).nothing();
    given([...school, removed, restored])
      .when(RenameYearGroup, { subjectId, yearGroupId, year: 12 })
      .events();
    restoreSubject([...school, removed], {}, [{ subjectId: id('other'), name: 'mathematics' }]).refused(
      'There is another subject called Mathematics now',
    );
  });
});
