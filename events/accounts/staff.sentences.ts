import { changesOf, deletion, nameOf, words } from '../change.ts';
import type { Descriptions } from '../sentence.ts';
import { things } from '../sentence.ts';
import type { staffEvents } from './staff.ts';

export const staffSentences: Descriptions<typeof staffEvents> = {
  StaffAccountOpened: {
    says: ({ data }) => ['opened an account for ', things('account', data.accountId), ` as ${data.role}`],
    changes: ({ data }) => changesOf('account', data.accountId, { Name: nameOf(data.person), Role: words(data.role) }),
  },
  StaffInvited: {
    says: ({ data }) => ['invited ', things('account', data.accountId), ` as ${data.role}`],
    changes: ({ data }) => changesOf('account', data.accountId, { Name: nameOf(data.person), Role: words(data.role) }),
  },
  StaffInvitedAgain: {
    says: ({ data }) => ['invited ', things('account', data.accountId), ' again'],
    changes: ({ data }) => changesOf('account', data.accountId, { Invitations: data.invitation }),
  },
  StaffAccountActivated: {
    says: ({ data }) => ['activated the account of ', things('account', data.accountId)],
    changes: ({ data }) => changesOf('account', data.accountId, { Name: nameOf(data.person), Activated: true }),
  },
  StaffDetailsChanged: {
    says: ({ data }) => ['changed the details of the account of ', things('account', data.accountId)],
    changes: ({ data }) =>
      changesOf('account', data.accountId, {
        Name: nameOf(data.person),
        'E-mail address': words('perhaps changed'),
      }),
  },
  StaffAddressLost: {
    says: ({ data }) => [
      'removed the e-mail address of ',
      things('account', data.accountId),
      ', which somebody else has proved to be theirs',
    ],
    changes: ({ data }) => changesOf('account', data.accountId, { 'E-mail address': null }),
  },
  StaffRoleChanged: {
    says: ({ data }) => ['changed the role of ', things('account', data.accountId), ` to ${data.role}`],
    changes: ({ data }) => changesOf('account', data.accountId, { Role: words(data.role) }),
  },
  StaffTeacherLinked: {
    says: ({ data: { accountId, teachers } }) =>
      teachers.length === 0
        ? ['unlinked the account of ', things('account', accountId), ' from every teacher']
        : [
            'linked the account of ',
            things('account', accountId),
            ' to ',
            things('teacher', ...teachers.map(({ teacherId }) => teacherId)),
          ],
    changes: ({ data }) =>
      changesOf('account', data.accountId, { Teachers: things('teacher', ...data.teachers.map(({ teacherId }) => teacherId)) }),
  },
  StaffAccountClosed: deletion('deleted the account of ', 'account', true, ({ data }) => data.accountId),
  StaffAccountForgotten: {
    says: () => ['deleted the name and e-mail address of a staff account for good'],
    changes: ({ data }) => changesOf('account', data.accountId, { Forgotten: true }),
  },
};
