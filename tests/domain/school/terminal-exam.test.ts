import { test } from 'vitest';
import {
  AddTerminalExam,
  ChangeTerminalExam,
  RemoveTerminalExam,
  RestoreTerminalExam,
} from '../../../api/school/terminal-exam.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { deciding, id, made } from '../../support/decider.ts';

const subjectId = id('maths');
const added: Happened = { type: 'SubjectAdded', data: { name: 'Mathematics' } };
const gcse: Happened = { type: 'TerminalExamAdded', data: { terminalExamId: id('gcse'), name: 'GCSE', yearSat: 11 } };
const removed: Happened = { type: 'TerminalExamRemoved', data: { terminalExamId: id('gcse') } };
const again: Happened = { type: 'TerminalExamAdded', data: { terminalExamId: id('gcse 2'), name: 'GCSE', yearSat: 11 } };

const taken = 'There is a terminal exam of this name in this school year already';
const addTerminalExam = deciding(AddTerminalExam, { subjectId });
const restoreTerminalExam = deciding(RestoreTerminalExam, { subjectId, terminalExamId: id('gcse') });
const removeTerminalExam = deciding(RemoveTerminalExam, { subjectId, terminalExamId: id('gcse') });

test('a terminal exam has a name and the school year in which it is sat; a year may have several', () => {
  addTerminalExam([added, gcse], { name: 'Mock GCSE', yearSat: 11 }).then([
    { type: 'TerminalExamAdded', data: { terminalExamId: made('terminal-exam'), name: 'Mock GCSE', yearSat: 11 } },
  ]);
  addTerminalExam([added, gcse], { name: 'gcse ', yearSat: 11 }).refused(taken, 'name');
  addTerminalExam([added, gcse], { name: 'GCSE', yearSat: 10 }).events();
  addTerminalExam([], { name: 'GCSE', yearSat: 11 }).refused('There is no such subject.');
});

test('the year is an integer above 0, the name is required', () => {
  const exam = { subjectId, name: 'GCSE', yearSat: 11 };
  addTerminalExam([added], { ...exam, yearSat: 0 }).invalid('The value must be greater than zero');
  addTerminalExam([added], { ...exam, yearSat: 10.5 }).invalid('The value must be an integer number');
  addTerminalExam([added], { ...exam, name: ' ' }).invalid('Required.');
});

test('it is removed once, and comes back under its id', () => {
  removeTerminalExam([added, gcse]).then([{ type: 'TerminalExamRemoved', data: { terminalExamId: id('gcse') } }]);
  removeTerminalExam([added, gcse, removed]).nothing();
  restoreTerminalExam([added, gcse, removed]).then([{ type: 'TerminalExamRestored', data: { terminalExamId: id('gcse') } }]);
  restoreTerminalExam([added, gcse]).nothing();
  restoreTerminalExam([added, gcse, removed, again]).refused(taken);
  restoreTerminalExam([added]).refused('There is no such terminal exam.');
});

test('it is renamed, or sat in another year, where that leaves it alone of its name', () => {
  const change = { subjectId, terminalExamId: id('gcse') };
  const changeTerminalExam = deciding(ChangeTerminalExam, change);
  changeTerminalExam([added, gcse], { name: 'GCSE Mathematics', yearSat: 10 }).then([
    { type: 'TerminalExamRenamed', data: { terminalExamId: id('gcse'), name: 'GCSE Mathematics' } },
    { type: 'TerminalExamYearChanged', data: { terminalExamId: id('gcse'), yearSat: 10 } },
  ]);
  changeTerminalExam([added, gcse], { name: 'GCSE', yearSat: 11 }).nothing();
  const mock: Happened = { type: 'TerminalExamAdded', data: { terminalExamId: id('mock'), name: 'Mock', yearSat: 11 } };
  changeTerminalExam([added, gcse, mock], { name: 'mock' }).refused(taken, 'name');
  changeTerminalExam([added, gcse, removed], { name: 'Other' }).refused('There is no such terminal exam.');
  // What it was called before is free.
  addTerminalExam([added, gcse, { type: 'TerminalExamRenamed', data: { terminalExamId: id('gcse'), name: 'Other' } }], {
    name: 'GCSE',
    yearSat: 11,
  }).events();
});
