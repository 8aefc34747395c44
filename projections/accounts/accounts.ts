import { remembered } from '../../events/aggregate.ts';
import type { accountEvents } from '../../events/account.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import type { staffEvents } from '../../events/staff.ts';
import { projection } from '../engine/projection.ts';
import { accounts } from './tables.ts';

type Event = ReadEventOf<typeof staffEvents & typeof accountEvents>;

/** Who has an account, in which role, and for whom: teachers by their teacher records, students by their student. */
export const accountsProjection = projection<Event>()({
  name: 'accounts',
  version: 1,
  tables: { accounts },
  on: [
    'StaffAccountOpened',
    'StaffRoleChanged',
    'StaffTeacherLinked',
    'StaffAccountClosed',
    'StudentAccountOpened',
    'StudentAccountClosed',
  ],

  async load(events, rows) {
    await rows.accounts.load(events.map(({ metadata, data }) => ({ school_id: metadata.schoolId, account_id: data.accountId })));
  },

  apply(event, rows) {
    const key = { school_id: event.metadata.schoolId, account_id: event.data.accountId };
    const row = rows.accounts.get(key);
    switch (event.type) {
      case 'StaffAccountOpened':
      case 'StudentAccountOpened': {
        const person = remembered(event.data.person);
        rows.accounts.put({
          ...key,
          role: event.type === 'StaffAccountOpened' ? event.data.role : 'student',
          name: person?.name ?? null,
          email: person?.email ?? null,
          teachers: [],
          student_id: event.type === 'StudentAccountOpened' ? event.data.studentId : null,
          closed: false,
        });
        break;
      }
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
    }
  },

  topics: () => ['staff'],
});
