import { test } from 'vitest';
import {
  ChangeStudentDetails,
  CloseStudentAccount,
  JoinByCode,
  OpenStudentAccount,
  ResetStudentAccount,
} from '../../../api/accounts/student-account.commands.ts';
import { actor, given, id, made } from '../../support/decider.ts';

const person = { name: 'Sophie', email: 'sophie@school.example' };
const join = { studentId: id('sophie'), ...person };
const opened = { type: 'StudentAccountOpened', data: { accountId: id('account'), studentId: id('sophie'), person } } as const;
const closed = { type: 'StudentAccountClosed', data: { accountId: id('account') } } as const;

test('a student of the school joins once', () => {
  given([])
    .when(OpenStudentAccount, join, { exists: true, hasAccount: false })
    .then([{ type: 'StudentAccountOpened', data: { ...opened.data, accountId: made('account') } }]);
  given([]).when(OpenStudentAccount, join, { exists: false, hasAccount: false }).refused('There is no such student.', 'studentId');
  given([]).when(OpenStudentAccount, join, { exists: true, hasAccount: true }).refused('This student has joined already.');
  given([opened]).when(OpenStudentAccount, join, { exists: true, hasAccount: false }).refused('This account exists already.');
});

test('the account is closed once', () => {
  given([opened])
    .when(CloseStudentAccount, { accountId: id('account') })
    .then([closed]);
  given([opened, closed])
    .when(CloseStudentAccount, { accountId: id('account') })
    .nothing();
  given([])
    .when(CloseStudentAccount, { accountId: id('account') })
    .refused('There is no such account.');
});

test('an open account is reset as often as it takes, and each time is told apart', () => {
  const request = { accountId: id('account') };
  const reset = (n: number) => ({ type: 'StudentAccountReset', data: { accountId: id('account'), reset: n } }) as const;
  given([opened])
    .when(ResetStudentAccount, request)
    .then([reset(1)]);
  given([opened, reset(1)])
    .when(ResetStudentAccount, request)
    .then([reset(2)]);
  given([opened, closed]).when(ResetStudentAccount, request).refused('There is no such account, or it is closed.');
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
