import { subjectIsThere } from '../common/of-subject.ts';
import { resource } from '../common/resource.ts';
import { accountRecords } from './accounts.contract.ts';

/**
 * Staff accounts, and teacher records without one. `state`: `active`, `invited` or `none`. The id is the account's, or else the teacher
 * record's. Nothing is named of a removed subject; links to it stay among `teachers`, so that a change of the account does not drop them.
 */
export const staffUsers = resource({
  record: accountRecords.staffUsers,
  models: ['accounts', 'structure'],
  // Rights can be taken away even if the read model of the structure has stopped.
  written: ['accounts'],
  from: `
    select a.account_id as id, a.account_id as "accountId", a.name, a.email, a.role, a.teachers,
      case when a.activated then 'active' else 'invited' end as state, a.invited_at as "invitedAt",
      (select string_agg(distinct t.name, ', ') from json_array_elements(a.teachers) l
         join teachers t on t.school_id = $1 and t.teacher_id = (l ->> 'teacherId')::uuid
        where ${subjectIsThere('t')}) as teacher,
      (select string_agg(distinct s.name, ', ') from json_array_elements(a.teachers) l
         join subjects s on s.school_id = $1 and s.subject_id = (l ->> 'subjectId')::uuid) as subject
    from accounts a where a.school_id = $1 and a.role <> 'student' and not a.closed
    union all
    select t.teacher_id, null, null, null, null, json_build_array(json_build_object('subjectId', t.subject_id, 'teacherId', t.teacher_id)),
      'none', null, t.name, s.name
    from teachers t join subjects s on s.school_id = $1 and s.subject_id = t.subject_id
    where t.school_id = $1 and not exists (
      select from accounts a, json_array_elements(a.teachers) l
       where a.school_id = $1 and not a.closed and (l ->> 'teacherId')::uuid = t.teacher_id)`,
  columns: { name: 'text', email: 'text', role: 'text', teacher: 'text', subject: 'text', state: 'text' },
  search: ['name', 'email', 'teacher', 'subject'],
  sort: 'teacher',
  edited: ['email', 'role', 'teachers'],
  create: {
    command: 'InviteStaff',
    body: ({ name, email, role, teachers }) => ({ name, email, role, ...(teachers === undefined ? {} : { teachers }) }),
    id: 'accountId',
  },
  update: {
    command: 'ChangeStaffAccount',
    // Null: the account has lost its address, and is not given another one.
    body: ({ email, role, teachers }, { accountId }) => ({ accountId, email: email ?? undefined, role, teachers }),
  },
  remove: { command: 'CloseStaffAccount', body: ({ id }) => ({ accountId: id }) },
});
