import { unlessForgotten } from '../../events/aggregate.ts';
import type { accountEvents } from '../../events/accounts/account.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import type { staffEvents } from '../../events/accounts/staff.ts';
import { projection } from '../engine/projection.ts';
import type { joinCodeEvents } from '../../events/accounts/join-code.ts';
import { emptied } from '../engine/tables/personal.ts';
import { accounts, joinCodes } from './tables.ts';

type Event = ReadEventOf<typeof staffEvents & typeof accountEvents & typeof joinCodeEvents>;

/** Accounts with their roles, teacher records and students, and the joining codes. */
export const accountsProjection = projection<Event>()({
  name: 'accounts',
  version: 3,
  tables: { accounts, joinCodes },
  on: [
    'StaffAccountOpened',
    'StaffInvited',
    'StaffInvitedAgain',
    'StaffAccountActivated',
    'StaffDetailsChanged',
    'StaffAddressLost',
    'StaffRoleChanged',
    'StaffTeacherLinked',
    'StaffAccountClosed',
    'StudentAccountOpened',
    'StudentJoined',
    'StudentDetailsChanged',
    'StudentAddressLost',
    'StudentAccountClosed',
    'JoinCodeIssued',
    'JoinDomainChanged',
    'StaffAccountForgotten',
    'StudentAccountForgotten',
  ],

  async load(events, rows) {
    await rows.accounts.load(
      events.flatMap(({ metadata, data }) => ('accountId' in data ? [{ school_id: metadata.schoolId, account_id: data.accountId }] : [])),
    );
    await rows.joinCodes.load(
      events.flatMap(({ type, metadata, data }) =>
        type === 'JoinCodeIssued' || type === 'JoinDomainChanged' ? [{ school_id: metadata.schoolId, subject_id: data.subjectId }] : [],
      ),
    );
  },

  apply(event, rows) {
    const { schoolId: school_id, at } = event.metadata;
    if (event.type === 'JoinCodeIssued' || event.type === 'JoinDomainChanged') {
      const key = { school_id, subject_id: event.data.subjectId };
      const row = rows.joinCodes.get(key) ?? { ...key, code_tag: null, issued_at: null, domain: null };
      rows.joinCodes.put(
        event.type === 'JoinCodeIssued' ? { ...row, code_tag: event.data.codeTag, issued_at: at } : { ...row, domain: event.data.domain },
      );
      return;
    }
    const key = { school_id, account_id: event.data.accountId };
    const row = rows.accounts.get(key);
    switch (event.type) {
      case 'StaffAccountOpened':
      case 'StaffInvited':
      case 'StudentAccountOpened':
      case 'StudentJoined': {
        const ofStaff = event.type === 'StaffAccountOpened' || event.type === 'StaffInvited';
        const invited = event.type === 'StaffInvited';
        const person = unlessForgotten(event.data.person);
        rows.accounts.put({
          ...key,
          role: ofStaff ? event.data.role : 'student',
          name: person?.name ?? null,
          email: person?.email ?? null,
          teachers: [],
          student_id: ofStaff ? null : event.data.studentId,
          opened_at: at,
          activated: !invited,
          invitations: invited ? 1 : 0,
          invited_at: invited ? at : null,
          closed: false,
        });
        break;
      }
      case 'StaffInvitedAgain':
        if (row) rows.accounts.put({ ...row, invitations: event.data.invitation, invited_at: at });
        break;
      case 'StaffAccountActivated':
        if (row) rows.accounts.put({ ...row, activated: true, name: unlessForgotten(event.data.person)?.name ?? null });
        break;
      case 'StaffDetailsChanged':
      case 'StudentDetailsChanged': {
        const person = unlessForgotten(event.data.person);
        // Empty: lost before, and only the name was changed.
        if (row) rows.accounts.put({ ...row, name: person?.name ?? null, email: person?.email || null });
        break;
      }
      case 'StaffAddressLost':
      case 'StudentAddressLost':
        if (row) rows.accounts.put({ ...row, email: null });
        break;
      case 'StaffRoleChanged':
        if (row) rows.accounts.put({ ...row, role: event.data.role });
        break;
      case 'StaffTeacherLinked':
        if (row) rows.accounts.put({ ...row, teachers: event.data.teachers });
        break;
      case 'StaffAccountClosed':
      case 'StudentAccountClosed':
        if (row) rows.accounts.put({ ...row, closed: true });
        break;
      case 'StaffAccountForgotten':
      case 'StudentAccountForgotten':
        if (row) rows.accounts.put({ ...emptied(accounts, row), closed: true });
        break;
    }
  },

  channels: () => ['staff'],
});
