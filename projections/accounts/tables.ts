import { json, table } from '../engine/tables/table.ts';

/** Accounts of staff and students. Credentials are the identity library's. */
export const accounts = table('accounts', {
  key: { account_id: 'uuid' },
  columns: {
    role: 'text',
    /** null: forgotten */
    name: 'text?',
    email: 'text?',
    teachers: json<readonly { subjectId: string; teacherId: string }[]>(),
    /** of a student's account */
    student_id: 'uuid?',
    opened_at: 'timestamptz',
    /** false: invited, and not come yet */
    activated: 'bool',
    /** mails with a link to activate it, and when the last was asked for */
    invitations: 'int4',
    invited_at: 'timestamptz?',
    closed: 'bool',
  },
});

/** How students join a subject. The code itself is a credential: here is its tag. */
export const joinCodes = table('join_codes', {
  key: { subject_id: 'uuid' },
  columns: {
    /** of the newest code; null: none was issued yet */
    code_tag: 'text?',
    issued_at: 'timestamptz?',
    domain: 'text?',
  },
});
