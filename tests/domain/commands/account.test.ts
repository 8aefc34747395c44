import { test } from 'vitest';
import { CloseStudentAccount, OpenStudentAccount } from '../../../api/commands/account.ts';
import { given, id, made } from '../../support/decider.ts';

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
