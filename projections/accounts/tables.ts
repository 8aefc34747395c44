import { json, table } from '../engine/table.ts';

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
    closed: 'bool',
  },
});
