import { describe, test } from 'vitest';
import {
  ActivateStaffAccount,
  ChangeStaffAccount,
  ChangeStaffDetails,
  CloseStaffAccount,
  InviteStaff,
  InviteStaffAgain,
  LoseStaffAddress,
  OpenStaffAccount,
} from '../../../api/accounts/staff.commands.ts';
import type { MarktrailEvent } from '../../../events/registry.ts';
import { authMessages } from '../../../api/contract/auth-messages.ts';
import { actor, given, id, made } from '../../support/decider.ts';

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

const invited = (name: string, role: 'admin' | 'teacher' = 'teacher') =>
  ({ type: 'StaffInvited', data: { accountId: id(name), role, person } }) as const;
const activated = (name: string, as = 'Ada') =>
  ({ type: 'StaffAccountActivated', data: { accountId: id(name), person: { name: as } } }) as const;

describe('the address of an account', () => {
  const email = 'right@school.example';
  const corrected = { type: 'StaffDetailsChanged', data: { accountId: id('tom'), person: { ...person, email } } } as const;
  const request = { accountId: id('tom'), email };

  test('is corrected, once', () => {
    given([opened('tom', 'teacher')])
      .when(ChangeStaffAccount, request)
      .then([corrected]);
    given([opened('tom', 'teacher'), corrected])
      .when(ChangeStaffAccount, request)
      .nothing();
    given([opened('tom', 'teacher'), closed('tom')])
      .when(ChangeStaffAccount, request)
      .refused(noAccount);
  });

  test('is the same in other capitals', () => {
    const shouted = { ...request, email: request.email.toUpperCase() };
    given([invited('tom'), corrected])
      .when(ChangeStaffAccount, shouted)
      .nothing();
  });

  test('of who has not come yet brings another invitation', () => {
    given([invited('tom')])
      .when(ChangeStaffAccount, request)
      .then([corrected, { type: 'StaffInvitedAgain', data: { accountId: id('tom'), invitation: 2 } }]);
  });
});

describe('an invited account', () => {
  test('is one without a password, with its teacher records', () => {
    given([])
      .when(InviteStaff, { ...person, role: 'teacher', teachers: [record] }, [record])
      .then([
        { type: 'StaffInvited', data: { accountId: made('account'), role: 'teacher', person } },
        { type: 'StaffTeacherLinked', data: { accountId: made('account'), teachers: [record] } },
      ]);
    given([])
      .when(InviteStaff, { ...person, role: 'teacher', teachers: [record] }, [])
      .refused('There is no such teacher in this subject.');
  });

  test('is invited again until it is activated; each invitation has its number', () => {
    const again = (invitation: number) => ({ type: 'StaffInvitedAgain', data: { accountId: id('tom'), invitation } }) as const;
    const request = { accountId: id('tom') };
    given([invited('tom')])
      .when(InviteStaffAgain, request)
      .then([again(2)]);
    given([invited('tom'), again(2)])
      .when(InviteStaffAgain, request)
      .then([again(3)]);
    given([invited('tom'), activated('tom')])
      .when(InviteStaffAgain, request)
      .refused('This account is active already.');
    given([opened('tom', 'teacher')])
      .when(InviteStaffAgain, request)
      .refused('This account is active already.');
    given([invited('tom'), closed('tom')])
      .when(InviteStaffAgain, request)
      .refused(noAccount);
  });

  test('is activated once, by its owner, with the name that they write', () => {
    const tom = actor('teacher', { accountId: id('tom') });
    given([invited('tom')])
      .when(ActivateStaffAccount, { name: 'Tom' }, undefined, tom)
      .then([activated('tom', 'Tom')]);
    given([invited('tom'), activated('tom')])
      .when(ActivateStaffAccount, { name: 'Tom' }, undefined, tom)
      .nothing();
    given([invited('tom'), closed('tom')])
      .when(ActivateStaffAccount, { name: 'Tom' }, undefined, tom)
      .refused(noAccount);
  });

  test('is no admin that a school could do with', () => {
    const close = { accountId: id('ada') };
    given([opened('ada', 'admin'), invited('eve', 'admin')])
      .when(CloseStaffAccount, close)
      .refused(noAdminLeft);
    given([opened('ada', 'admin'), invited('eve', 'admin'), activated('eve')])
      .when(CloseStaffAccount, close)
      .then([closed('ada')]);
  });
});

test('name and e-mail address are changed together, and only where they are new', () => {
  const ada = actor('admin', { accountId: id('ada') });
  const next = { ...person, name: 'Dr Ada' };
  given([opened('ada', 'admin')])
    .when(ChangeStaffDetails, person, undefined, ada)
    .nothing();
  given([opened('ada', 'admin')])
    .when(ChangeStaffDetails, next, undefined, ada)
    .then([{ type: 'StaffDetailsChanged', data: { accountId: id('ada'), person: next } }]);
  given([invited('ada', 'admin'), activated('ada', 'Dr Ada')])
    .when(ChangeStaffDetails, next, undefined, ada)
    .nothing();
});

test('a name that is changed alone leaves the address as it stands, whatever the session knew of it', () => {
  const ada = actor('admin', { accountId: id('ada') });
  const moved: MarktrailEvent = {
    type: 'StaffDetailsChanged',
    data: { accountId: id('ada'), person: { ...person, email: 'new@school.example' } },
  };
  given([opened('ada', 'admin'), moved])
    .when(ChangeStaffDetails, { name: 'Dr Ada' }, undefined, ada)
    .then([{ type: 'StaffDetailsChanged', data: { accountId: id('ada'), person: { name: 'Dr Ada', email: 'new@school.example' } } }]);
});

test('address, role and teacher records change at once, or not at all', () => {
  const all = { accountId: id('tom'), email: 'right@school.example', role: 'leader', teachers: [record] };
  const changed: MarktrailEvent[] = [
    linked('tom'),
    { type: 'StaffRoleChanged', data: { accountId: id('tom'), role: 'leader' } },
    { type: 'StaffDetailsChanged', data: { accountId: id('tom'), person: { ...person, email: 'right@school.example' } } },
  ];
  given([opened('tom', 'teacher')])
    .when(ChangeStaffAccount, all, [record])
    .then(changed);
  given([opened('tom', 'teacher'), ...changed])
    .when(ChangeStaffAccount, all, [])
    .nothing();
  given([opened('tom', 'teacher')])
    .when(ChangeStaffAccount, all, [])
    .refused('There is no such teacher in this subject.', 'teachers.0');
  given([opened('ada', 'admin')])
    .when(ChangeStaffAccount, { ...all, accountId: id('ada') }, [record])
    .refused(noAdminLeft);
  given([invited('tom')])
    .when(ChangeStaffAccount, all, [record])
    .then([...changed, { type: 'StaffInvitedAgain', data: { accountId: id('tom'), invitation: 2 } }]);
});

describe('the teacher records of an account', () => {
  test('can be changed, to those that are free', () => {
    const link = { accountId: id('tom'), teachers: [record] };
    given([opened('tom', 'teacher')])
      .when(ChangeStaffAccount, link, [record])
      .then([linked('tom')]);
    given([opened('tom', 'teacher'), linked('tom')])
      .when(ChangeStaffAccount, link, [record])
      .nothing();
    given([opened('tom', 'teacher'), linked('tom')])
      .when(ChangeStaffAccount, { ...link, teachers: [] }, [])
      .then([{ type: 'StaffTeacherLinked', data: { accountId: id('tom'), teachers: [] } }]);
    given([opened('tom', 'teacher'), opened('priya', 'teacher'), linked('priya')])
      .when(ChangeStaffAccount, link, [record])
      .refused('This teacher has an account already.');
    given([opened('tom', 'teacher')])
      .when(ChangeStaffAccount, link, [])
      .refused('There is no such teacher in this subject.');
  });

  test('need an account that is open', () => {
    given([])
      .when(ChangeStaffAccount, { accountId: id('tom'), teachers: [] }, [])
      .refused(noAccount);
    given([opened('tom', 'teacher'), closed('tom')])
      .when(ChangeStaffAccount, { accountId: id('tom'), teachers: [] }, [])
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
      given(happened).when(ChangeStaffAccount, demote).refused(noAdminLeft);
      given(happened).when(CloseStaffAccount, close).refused(noAdminLeft);
    }
  });

  test('of two, one may go', () => {
    const both = [opened('ada', 'admin'), opened('eve', 'admin')];
    given(both)
      .when(ChangeStaffAccount, demote)
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
      .when(ChangeStaffAccount, { accountId: id('tom'), role: 'admin' })
      .then([{ type: 'StaffRoleChanged', data: { accountId: id('tom'), role: 'admin' } }]);
  });
});

test('what is so already changes nothing; what is not there, or closed, is refused', () => {
  const tom = opened('tom', 'teacher');
  given([tom])
    .when(ChangeStaffAccount, { accountId: id('tom'), role: 'teacher' })
    .nothing();
  given([tom, closed('tom')])
    .when(CloseStaffAccount, { accountId: id('tom') })
    .nothing();
  given([tom, closed('tom')])
    .when(ChangeStaffAccount, { accountId: id('tom'), role: 'leader' })
    .refused(noAccount);
  given([])
    .when(ChangeStaffAccount, { accountId: id('tom'), role: 'leader' })
    .refused(noAccount);
  given([])
    .when(CloseStaffAccount, { accountId: id('tom') })
    .refused(noAccount);
  given([])
    .when(OpenStaffAccount, { ...person, role: 'student' })
    .invalid('Select a role');
});

describe('the address of an account', () => {
  const lost = { type: 'StaffAddressLost', data: { accountId: id('ada') } } as const;
  const losing = { accountId: id('ada'), email: 'ADA@school.example' };

  test('is lost once, and only if the account still has it', () => {
    given([opened('ada', 'teacher')])
      .when(LoseStaffAddress, losing)
      .then([lost]);
    given([opened('ada', 'teacher'), lost])
      .when(LoseStaffAddress, losing)
      .then([]);
    given([opened('ada', 'teacher'), closed('ada')])
      .when(LoseStaffAddress, losing)
      .then([]);
    given([opened('ada', 'teacher')])
      .when(LoseStaffAddress, { ...losing, email: 'other@school.example' })
      .then([]);
  });

  test('that was lost can be given to another, or again to this one', () => {
    given([opened('ada', 'teacher'), lost])
      .when(InviteStaff, { ...person, role: 'teacher', teachers: [] }, [])
      .then([{ type: 'StaffInvited', data: { accountId: made('account'), role: 'teacher', person } }]);
    given([opened('ada', 'teacher'), lost])
      .when(ChangeStaffAccount, { accountId: id('ada'), email: person.email }, [])
      .then([{ type: 'StaffDetailsChanged', data: { accountId: id('ada'), person } }]);
  });

  test('is that of one account of the school', () => {
    given([opened('ada', 'teacher')])
      .when(InviteStaff, { ...person, role: 'teacher', teachers: [] }, [])
      .refused(authMessages.addTeacherFailed, 'email');
    given([opened('ada', 'teacher'), closed('ada')])
      .when(InviteStaff, { ...person, role: 'teacher', teachers: [] }, [])
      .then([{ type: 'StaffInvited', data: { accountId: made('account'), role: 'teacher', person } }]);
  });
});
