import { changesOf, deletion, nameOf, words } from '../change.ts';
import type { Descriptions } from '../sentence.ts';
import { things } from '../sentence.ts';
import type { accountEvents } from './account.ts';

export const accountSentences: Descriptions<typeof accountEvents> = {
  StudentAccountOpened: {
    says: ({ data }) => ['opened an account for ', things('student', data.studentId)],
    changes: ({ data }) => changesOf('account', data.accountId, { Name: nameOf(data.person) }),
  },
  StudentJoined: {
    says: ({ data }) => ['joined ', things('subject', data.subjectId), ' as ', things('student', data.studentId)],
    changes: ({ data }) => changesOf('account', data.accountId, { Name: nameOf(data.person) }),
  },
  StudentDetailsChanged: {
    says: ({ data }) => ['changed the details of the account of ', things('account', data.accountId)],
    changes: ({ data }) =>
      changesOf('account', data.accountId, {
        Name: nameOf(data.person),
        'E-mail address': words('perhaps changed'),
      }),
  },
  StudentAddressLost: {
    says: ({ data }) => [
      'removed the e-mail address of ',
      things('account', data.accountId),
      ', which somebody else has proved to be theirs',
    ],
    changes: ({ data }) => changesOf('account', data.accountId, { 'E-mail address': null }),
  },
  StudentAccountReset: {
    says: ({ data }) => ['requested a new password for ', things('account', data.accountId)],
    changes: ({ data }) => changesOf('account', data.accountId, { 'Requests for a new password': data.reset }),
  },
  StudentAccountClosed: deletion('deleted the account of ', 'account', true, ({ data }) => data.accountId),
  StudentAccountForgotten: {
    says: () => ['deleted the name and e-mail address of a student account for good'],
    changes: ({ data }) => changesOf('account', data.accountId, { Forgotten: true }),
  },
};
