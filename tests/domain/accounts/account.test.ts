import { test } from 'vitest';
import {
  ChangeStudentDetails,
  CloseStudentAccount,
  JoinByCode,
  OpenStudentAccount,
  ResetStudentAccount,
} from '../../../api/accounts/student-account.commands.ts';
import { actor, deciding, given, id, made } from '../../support/decider.ts';

const person = { name: 'Sophie', email: 'sophie@school.example' };
const join = { studentId: id('sophie'), ...person };
const openStudentAccount = deciding(OpenStudentAccount, join, { exists: true, hasAccount: false });
const opened = { type: 'StudentAccountOpened', data: { accountId: id('account'), studentId: id('sophie'), person } } as const;
const closed = { type: 'StudentAccountClosed', data: { accountId: id('account') } } as const;

const closeStudentAccount = deciding(CloseStudentAccount, { accountId: id('account') });

test('a student of the school joins once', () => {
  openStudentAccount([]).then([{ type: 'StudentAccountOpened', data: { ...opened.data, accountId: made('account') } }]);
  openStudentAccount([], {}, { exists: false, hasAccount: false }).refused('There is no such student.', 'studentId');
  openStudentAccount([], {}, { exists: true, hasAccount: true }).refused('This student has joined already.');
  openStudentAccount([opened]).refused('This account exists already.');
});

test('the account is closed once', () => {
  closeStudentAccount([opened]).then([closed]);
  closeStudentAccount([opened, closed]).nothing();
  closeStudentAccount([]).refused('There is no such account.');
});

test('an open account is reset as often as it takes, and each time is told apart', () => {
  const request = { accountId: id('account') };
  const resetStudentAccount = deciding(ResetStudentAccount, request);
  const reset = (n: number) => ({ type: 'StudentAccountReset', data: { accountId: id('account'), reset: n } }) as const;
  resetStudentAccount([opened]).then([reset(1)]);
  resetStudentAccount([opened, reset(1)]).then([reset(2)]);
  resetStudentAccount([opened, closed]).refused('There is no such account, or it is closed.');
});

test('a student who comes by code opens the account that they come with', () => {
  const sophie = actor('student', { accountId: id('account') });
  const way = { ...join, subjectId: id('maths') };
  const joined = {
    type: 'StudentJoined',
    data: { accountId: id('account'), studentId: id('sophie'), subjectId: id('maths'), person },
  } as const;
  given([]).when(JoinByCode, way, { exists: true, hasAccount: false }, sophie).then([joined]);
  given([]).when(JoinByCode, way, { exists: true, hasAccount: true }, sophie).refused('You have joined already: log in.');
  given([]).when(JoinByCode, way, { exists: false, hasAccount: false }, sophie).refused('There is no such student.');
  given([joined]).when(JoinByCode, way, { exists: true, hasAccount: false }, sophie).refused('This account exists already.');
});

test('a student changes name and address of their own account, while it is open', () => {
  const sophie = actor('student', { accountId: id('account') });
  const next = { ...person, email: 's.edwards@school.example' };
  given([opened])
    .when(ChangeStudentDetails, next, undefined, sophie)
    .then([{ type: 'StudentDetailsChanged', data: { accountId: id('account'), person: next } }]);
  given([opened]).when(ChangeStudentDetails, person, undefined, sophie).nothing();
  given([opened])
    .when(ChangeStudentDetails, { name: 'Sophie E.' }, undefined, sophie)
    .then([{ type: 'StudentDetailsChanged', data: { accountId: id('account'), person: { ...person, name: 'Sophie E.' } } }]);
  given([opened, closed]).when(ChangeStudentDetails, next, undefined, sophie).refused('There is no such account.');
});
