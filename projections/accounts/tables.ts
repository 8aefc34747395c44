import { harmless, json, personal, table } from '../engine/tables/table.ts';

/** Accounts of staff and students. Their credentials are in the schema `identity` (api/auth). */
export const accounts = table('accounts', {
  key: { account_id: 'uuid' },
  columns: {
    role: harmless('text'),
    /** null: forgotten */
    name: personal('text?', 'account_id'),
    /** null: forgotten, or lost to somebody who proved that it is theirs */
    email: personal('text?', 'account_id'),
    teachers: harmless(json<readonly { subjectId: string; teacherId: string }[]>()),
    /** only for a student's account */
    student_id: 'uuid?',
    opened_at: 'timestamptz',
    /** false: invited, but not activated yet */
    activated: 'bool',
    /** number of invitations, and the time of the last one */
    invitations: 'int4',
    invited_at: 'timestamptz?',
    closed: 'bool',
  },
});

/** That a member of staff has looked at a student's pages: at most once an hour. */
export const looks = table('looks', {
  key: { student_id: 'uuid', event_id: 'uuid' },
  columns: {
    account_id: 'uuid',
    /** of that moment */
    role: harmless('text'),
    at: 'timestamptz',
  },
});

/** How students join a subject. The code itself is a credential: only its tag is stored here. */
export const joinCodes = table('join_codes', {
  key: { subject_id: 'uuid' },
  columns: {
    /** of the newest code; null: none was issued yet */
    code_tag: harmless('text?'),
    issued_at: 'timestamptz?',
    domain: harmless('text?'),
  },
});
