import { unlessForgotten } from '../../events/aggregate.ts';
import type { accountEvents } from '../../events/accounts/account.ts';
import type { ReadEventOf, Sealed } from '../../events/codec/event.ts';
import type { staffEvents } from '../../events/accounts/staff.ts';
import type { Rows } from '../engine/projection.ts';
import { projectionByType } from '../engine/projection.ts';
import type { joinCodeEvents } from '../../events/accounts/join-code.ts';
import type { Row } from '../engine/tables/table.ts';
import { emptied } from '../engine/tables/personal.ts';
import { accounts, joinCodes } from './tables.ts';

type Event = ReadEventOf<typeof staffEvents & typeof accountEvents & typeof joinCodeEvents>;
const tables = { accounts, joinCodes };

/** Accounts with their roles, teacher records and students, and the joining codes. */
export const accountsProjection = projectionByType<Event>()({
  name: 'accounts',
  version: 3,
  tables,
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

  changes: {
    StaffAccountOpened: (event, rows) => opened(event, rows, { role: event.data.role, student_id: null }),
    StaffInvited: (event, rows) =>
      opened(event, rows, {
        role: event.data.role,
        student_id: null,
        activated: false,
        invitations: 1,
        invited_at: event.metadata.at,
      }),
    StudentAccountOpened: (event, rows) => opened(event, rows, { role: 'student', student_id: event.data.studentId }),
    StudentJoined: (event, rows) => opened(event, rows, { role: 'student', student_id: event.data.studentId }),
    StaffInvitedAgain: (event, rows) =>
      rows.accounts.update(accountOf(event), { invitations: event.data.invitation, invited_at: event.metadata.at }),
    StaffAccountActivated: (event, rows) =>
      rows.accounts.update(accountOf(event), { activated: true, name: unlessForgotten(event.data.person)?.name ?? null }),
    StaffDetailsChanged: (event, rows) => rows.accounts.update(accountOf(event), personIn(event.data)),
    StudentDetailsChanged: (event, rows) => rows.accounts.update(accountOf(event), personIn(event.data)),
    StaffAddressLost: (event, rows) => rows.accounts.update(accountOf(event), { email: null }),
    StudentAddressLost: (event, rows) => rows.accounts.update(accountOf(event), { email: null }),
    StaffRoleChanged: (event, rows) => rows.accounts.update(accountOf(event), { role: event.data.role }),
    StaffTeacherLinked: (event, rows) => rows.accounts.update(accountOf(event), { teachers: event.data.teachers }),
    StaffAccountClosed: (event, rows) => rows.accounts.update(accountOf(event), { closed: true }),
    StudentAccountClosed: (event, rows) => rows.accounts.update(accountOf(event), { closed: true }),
    StaffAccountForgotten: (event, rows) => forget(event, rows),
    StudentAccountForgotten: (event, rows) => forget(event, rows),
    JoinCodeIssued(event, rows) {
      rows.joinCodes.put({ ...codeOf(event, rows), code_tag: event.data.codeTag, issued_at: event.metadata.at });
    },
    JoinDomainChanged: (event, rows) => rows.joinCodes.put({ ...codeOf(event, rows), domain: event.data.domain }),
  },

  channels: () => ['staff'],
});

type Recorded<Data> = { readonly metadata: { readonly schoolId: string; readonly at: string }; readonly data: Data };
type Person = { readonly accountId: string; readonly person: Sealed<{ readonly name: string; readonly email: string }> };
type AccountRows = Rows<typeof tables>;
type Account = Row<typeof accounts>;

const accountOf = ({ metadata, data }: Recorded<{ accountId: string }>) => ({ school_id: metadata.schoolId, account_id: data.accountId });

/** `email` empty: lost before, and only the name was changed. */
const personIn = ({ person: sealed }: Person) => {
  const person = unlessForgotten(sealed);
  return { name: person?.name ?? null, email: person?.email || null };
};

const opened = (event: Recorded<Person>, rows: AccountRows, details: Pick<Account, 'role' | 'student_id'> & Partial<Account>): void =>
  rows.accounts.put({
    ...accountOf(event),
    ...personIn(event.data),
    teachers: [],
    opened_at: event.metadata.at,
    activated: true,
    invitations: 0,
    invited_at: null,
    closed: false,
    ...details,
  });

const forget = (event: Recorded<{ accountId: string }>, rows: AccountRows): void => {
  const row = rows.accounts.get(accountOf(event));
  if (row) rows.accounts.put({ ...emptied(accounts, row), closed: true });
};

const codeOf = ({ metadata, data }: Recorded<{ subjectId: string }>, rows: AccountRows) => {
  const key = { school_id: metadata.schoolId, subject_id: data.subjectId };
  return rows.joinCodes.get(key) ?? { ...key, code_tag: null, issued_at: null, domain: null };
};
