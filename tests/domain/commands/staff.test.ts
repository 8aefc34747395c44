import { describe, test } from 'vitest';
import { ChangeStaffRole, CloseStaffAccount, LinkTeacher, OpenStaffAccount } from '../../../api/commands/staff.ts';
import type { MarktrailEvent } from '../../../events/registry.ts';
import { given, id, made } from '../../support/decider.ts';

const person = { name: 'Ada', email: 'ada@school.example' };
const opened = (name: string, role: 'admin' | 'teacher') =>
  ({ type: 'StaffAccountOpened', data: { accountId: id(name), role, person } }) as const;
const closed = (name: string) => ({ type: 'StaffAccountClosed', data: { accountId: id(name) } }) as const;
const record = { subjectId: id('maths'), teacherId: id('record') };
const linked = (name: string): MarktrailEvent => ({ type: 'StaffTeacherLinked', data: { accountId: id(name), teachers: [record] } });
const noAccount = 'There is no such account, or it is closed.';
const noAdminLeft = 'A school needs an admin: make somebody else an admin first.';

describe('an account of staff', () => {
  test('is opened with its role', () => {
    given([])
      .when(OpenStaffAccount, { ...person, role: 'teacher' }, [])
      .then([{ type: 'StaffAccountOpened', data: { accountId: made('account'), role: 'teacher', person } }]);
  });

  test("is opened with its teacher records, if those exist and are nobody else's", () => {
    const open = { ...person, role: 'teacher', teachers: [record] };
    given([])
      .when(OpenStaffAccount, open, [record])
      .then([
        { type: 'StaffAccountOpened', data: { accountId: made('account'), role: 'teacher', person } },
        { type: 'StaffTeacherLinked', data: { accountId: made('account'), teachers: [record] } },
      ]);
    given([]).when(OpenStaffAccount, open, []).refused('There is no such teacher in this subject.', 'teachers.0');
    given([])
      .when(OpenStaffAccount, open, [{ ...record, subjectId: id('science') }])
      .refused('There is no such teacher in this subject.');
    given([opened('tom', 'teacher'), linked('tom')])
      .when(OpenStaffAccount, open, [record])
      .refused('This teacher has an account already.', 'teachers.0');
    given([opened('tom', 'teacher'), linked('tom'), closed('tom')])
      .when(OpenStaffAccount, { ...open }, [record])
      .events();
  });
});

describe('the teacher records of an account', () => {
  test('can be changed, to those that are free', () => {
    const link = { accountId: id('tom'), teachers: [record] };
    given([opened('tom', 'teacher')])
      .when(LinkTeacher, link, [record])
      .then([linked('tom')]);
    given([opened('tom', 'teacher'), linked('tom')])
      .when(LinkTeacher, link, [record])
      .nothing();
    given([opened('tom', 'teacher'), linked('tom')])
      .when(LinkTeacher, { ...link, teachers: [] }, [])
      .then([{ type: 'StaffTeacherLinked', data: { accountId: id('tom'), teachers: [] } }]);
    given([opened('tom', 'teacher'), opened('priya', 'teacher'), linked('priya')])
      .when(LinkTeacher, link, [record])
      .refused('This teacher has an account already.');
    given([opened('tom', 'teacher')])
      .when(LinkTeacher, link, [])
      .refused('There is no such teacher in this subject.');
  });

  test('need an account that is open', () => {
    given([])
      .when(LinkTeacher, { accountId: id('tom'), teachers: [] }, [])
      .refused(noAccount);
    given([opened('tom', 'teacher'), closed('tom')])
      .when(LinkTeacher, { accountId: id('tom'), teachers: [] }, [])
      .refused(noAccount);
  });
});

describe('a school never goes without an admin', () => {
  const demote = { accountId: id('ada'), role: 'teacher' };
  const close = { accountId: id('ada') };

  test('the last one keeps role and account', () => {
    for (const happened of [
      [opened('ada', 'admin')],
      [opened('ada', 'admin'), opened('tom', 'teacher')],
      [opened('ada', 'admin'), opened('eve', 'admin'), closed('eve')],
    ]) {
      given(happened).when(ChangeStaffRole, demote).refused(noAdminLeft);
      given(happened).when(CloseStaffAccount, close).refused(noAdminLeft);
    }
  });

  test('of two, one may go', () => {
    const both = [opened('ada', 'admin'), opened('eve', 'admin')];
    given(both)
      .when(ChangeStaffRole, demote)
      .then([{ type: 'StaffRoleChanged', data: { accountId: id('ada'), role: 'teacher' } }]);
    given(both)
      .when(CloseStaffAccount, close)
      .then([closed('ada')]);
    given([...both, { type: 'StaffRoleChanged', data: { accountId: id('eve'), role: 'leader' } }])
      .when(CloseStaffAccount, close)
      .refused(noAdminLeft);
  });

  test('anybody else may', () => {
    const both = [opened('ada', 'admin'), opened('tom', 'teacher')];
    given(both)
      .when(CloseStaffAccount, { accountId: id('tom') })
      .then([closed('tom')]);
    given(both)
      .when(ChangeStaffRole, { accountId: id('tom'), role: 'admin' })
      .then([{ type: 'StaffRoleChanged', data: { accountId: id('tom'), role: 'admin' } }]);
  });
});

test('what is so already changes nothing; what is not there, or closed, is refused', () => {
  const tom = opened('tom', 'teacher');
  given([tom])
    .when(ChangeStaffRole, { accountId: id('tom'), role: 'teacher' })
    .nothing();
  given([tom, closed('tom')])
    .when(CloseStaffAccount, { accountId: id('tom') })
    .nothing();
  given([tom, closed('tom')])
    .when(ChangeStaffRole, { accountId: id('tom'), role: 'leader' })
    .refused(noAccount);
  given([])
    .when(ChangeStaffRole, { accountId: id('tom'), role: 'leader' })
    .refused(noAccount);
  given([])
    .when(CloseStaffAccount, { accountId: id('tom') })
    .refused(noAccount);
  given([])
    .when(OpenStaffAccount, { ...person, role: 'student' })
    .invalid('Select a role');
});
