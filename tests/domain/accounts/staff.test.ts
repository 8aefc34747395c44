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
import { actor, deciding, given, id, made } from '../../support/decider.ts';

const person = { name: 'Ada', email: 'ada@school.example' };
const opened = (name: string, role: 'admin' | 'teacher') =>
  ({ type: 'StaffAccountOpened', data: { accountId: id(name), role, person } }) as const;
const closed = (name: string) => ({ type: 'StaffAccountClosed', data: { accountId: id(name) } }) as const;
const record = { subjectId: id('maths'), teacherId: id('record') };
const linked = (name: string): MarktrailEvent => ({ type: 'StaffTeacherLinked', data: { accountId: id(name), teachers: [record] } });
const noAccount = 'There is no such account, or it is closed.';
const noAdminLeft = 'A school needs an admin: make somebody else an admin first.';

const openStaffAccount = deciding(OpenStaffAccount, {}, [record]);
const changeStaffAccount = deciding(ChangeStaffAccount, { accountId: id('tom') });
const inviteStaff = deciding(InviteStaff, { ...person, role: 'teacher' }, []);
const inviteStaffAgain = deciding(InviteStaffAgain, { accountId: id('tom') });
const closeStaffAccount = deciding(CloseStaffAccount);

describe('an account of staff', () => {
  test('is opened with its role', () => {
    openStaffAccount([], { ...person, role: 'teacher' }, []).then([
      { type: 'StaffAccountOpened', data: { accountId: made('account'), role: 'teacher', person } },
    ]);
  });

  test("is opened with its teacher records, if those exist and are nobody else's", () => {
    const open = { ...person, role: 'teacher', teachers: [record] };
    openStaffAccount([], open).then([
      { type: 'StaffAccountOpened', data: { accountId: made('account'), role: 'teacher', person } },
      { type: 'StaffTeacherLinked', data: { accountId: made('account'), teachers: [record] } },
    ]);
    openStaffAccount([], open, []).refused('There is no such teacher in this subject.', 'teachers.0');
    openStaffAccount([], open, [{ ...record, subjectId: id('science') }]).refused('There is no such teacher in this subject.');
    openStaffAccount([opened('tom', 'teacher'), linked('tom')], open).refused('This teacher has an account already.', 'teachers.0');
    openStaffAccount([opened('tom', 'teacher'), linked('tom'), closed('tom')], { ...open }).events();
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
    changeStaffAccount([opened('tom', 'teacher')], request).then([corrected]);
    changeStaffAccount([opened('tom', 'teacher'), corrected], request).nothing();
    changeStaffAccount([opened('tom', 'teacher'), closed('tom')], request).refused(noAccount);
  });

  test('is the same in other capitals', () => {
    const shouted = { ...request, email: request.email.toUpperCase() };
    changeStaffAccount([invited('tom'), corrected], shouted).nothing();
  });

  test('of who has not come yet brings another invitation', () => {
    changeStaffAccount([invited('tom')], request).then([
      corrected,
      { type: 'StaffInvitedAgain', data: { accountId: id('tom'), invitation: 2 } },
    ]);
  });
});

describe('an invited account', () => {
  test('is one without a password, with its teacher records', () => {
    inviteStaff([], { teachers: [record] }, [record]).then([
      { type: 'StaffInvited', data: { accountId: made('account'), role: 'teacher', person } },
      { type: 'StaffTeacherLinked', data: { accountId: made('account'), teachers: [record] } },
    ]);
    inviteStaff([], { teachers: [record] }).refused('There is no such teacher in this subject.');
  });

  test('is invited again until it is activated; each invitation has its number', () => {
    const again = (invitation: number) => ({ type: 'StaffInvitedAgain', data: { accountId: id('tom'), invitation } }) as const;
    inviteStaffAgain([invited('tom')]).then([again(2)]);
    inviteStaffAgain([invited('tom'), again(2)]).then([again(3)]);
    inviteStaffAgain([invited('tom'), activated('tom')]).refused('This account is active already.');
    inviteStaffAgain([opened('tom', 'teacher')]).refused('This account is active already.');
    inviteStaffAgain([invited('tom'), closed('tom')]).refused(noAccount);
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
    closeStaffAccount([opened('ada', 'admin'), invited('eve', 'admin')], close).refused(noAdminLeft);
    closeStaffAccount([opened('ada', 'admin'), invited('eve', 'admin'), activated('eve')], close).then([closed('ada')]);
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
  changeStaffAccount([opened('tom', 'teacher')], all, [record]).then(changed);
  changeStaffAccount([opened('tom', 'teacher'), ...changed], all, []).nothing();
  changeStaffAccount([opened('tom', 'teacher')], all, []).refused('There is no such teacher in this subject.', 'teachers.0');
  changeStaffAccount([opened('ada', 'admin')], { ...all, accountId: id('ada') }, [record]).refused(noAdminLeft);
  changeStaffAccount([invited('tom')], all, [record]).then([
    ...changed,
    { type: 'StaffInvitedAgain', data: { accountId: id('tom'), invitation: 2 } },
  ]);
});

describe('the teacher records of an account', () => {
  test('can be changed, to those that are free', () => {
    const link = { accountId: id('tom'), teachers: [record] };
    changeStaffAccount([opened('tom', 'teacher')], link, [record]).then([linked('tom')]);
    changeStaffAccount([opened('tom', 'teacher'), linked('tom')], link, [record]).nothing();
    changeStaffAccount([opened('tom', 'teacher'), linked('tom')], { ...link, teachers: [] }, []).then([
      { type: 'StaffTeacherLinked', data: { accountId: id('tom'), teachers: [] } },
    ]);
    changeStaffAccount([opened('tom', 'teacher'), opened('priya', 'teacher'), linked('priya')], link, [record]).refused(
      'This teacher has an account already.',
    );
    changeStaffAccount([opened('tom', 'teacher')], link, []).refused('There is no such teacher in this subject.');
  });

  test('need an account that is open', () => {
    changeStaffAccount([], { teachers: [] }, []).refused(noAccount);
    changeStaffAccount([opened('tom', 'teacher'), closed('tom')], { teachers: [] }, []).refused(noAccount);
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
      changeStaffAccount(happened, demote).refused(noAdminLeft);
      closeStaffAccount(happened, close).refused(noAdminLeft);
    }
  });

  test('of two, one may go', () => {
    const both = [opened('ada', 'admin'), opened('eve', 'admin')];
    changeStaffAccount(both, demote).then([{ type: 'StaffRoleChanged', data: { accountId: id('ada'), role: 'teacher' } }]);
    closeStaffAccount(both, close).then([closed('ada')]);
    closeStaffAccount([...both, { type: 'StaffRoleChanged', data: { accountId: id('eve'), role: 'leader' } }], close).refused(noAdminLeft);
  });

  test('anybody else may', () => {
    const both = [opened('ada', 'admin'), opened('tom', 'teacher')];
    closeStaffAccount(both, { accountId: id('tom') }).then([closed('tom')]);
    changeStaffAccount(both, { role: 'admin' }).then([{ type: 'StaffRoleChanged', data: { accountId: id('tom'), role: 'admin' } }]);
  });
});

test('what is so already changes nothing; what is not there, or closed, is refused', () => {
  const tom = opened('tom', 'teacher');
  changeStaffAccount([tom], { role: 'teacher' }).nothing();
  closeStaffAccount([tom, closed('tom')], { accountId: id('tom') }).nothing();
  changeStaffAccount([tom, closed('tom')], { role: 'leader' }).refused(noAccount);
  changeStaffAccount([], { role: 'leader' }).refused(noAccount);
  closeStaffAccount([], { accountId: id('tom') }).refused(noAccount);
  given([])
    .when(OpenStaffAccount, { ...person, role: 'student' })
    .invalid('Select a role');
});

describe('the address of an account', () => {
  const lost = { type: 'StaffAddressLost', data: { accountId: id('ada') } } as const;
  const losing = { accountId: id('ada'), email: 'ADA@school.example' };
  const loseStaffAddress = deciding(LoseStaffAddress, losing);

  test('is lost once, and only if the account still has it', () => {
    loseStaffAddress([opened('ada', 'teacher')]).then([lost]);
    loseStaffAddress([opened('ada', 'teacher'), lost]).then([]);
    loseStaffAddress([opened('ada', 'teacher'), closed('ada')]).then([]);
    loseStaffAddress([opened('ada', 'teacher')], { email: 'other@school.example' }).then([]);
  });

  test('that was lost can be given to another, or again to this one', () => {
    inviteStaff([opened('ada', 'teacher'), lost], { teachers: [] }).then([
      { type: 'StaffInvited', data: { accountId: made('account'), role: 'teacher', person } },
    ]);
    changeStaffAccount([opened('ada', 'teacher'), lost], { accountId: id('ada'), email: person.email }, []).then([
      { type: 'StaffDetailsChanged', data: { accountId: id('ada'), person } },
    ]);
  });

  test('is that of one account of the school', () => {
    inviteStaff([opened('ada', 'teacher')], { teachers: [] }).refused(authMessages.addTeacherFailed, 'email');
    inviteStaff([opened('ada', 'teacher'), closed('ada')], { teachers: [] }).then([
      { type: 'StaffInvited', data: { accountId: made('account'), role: 'teacher', person } },
    ]);
  });
});
