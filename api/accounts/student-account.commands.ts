import { account } from '../../events/accounts/account.ts';
import { z } from 'zod';
import { authMessages } from '../contract/auth-messages.ts';
import { id, personName, sameAddress } from '../contract/fields.ts';
import { accountCommands, forgetStudentAccount, openStudentAccount } from './accounts.contract.ts';
import { studentFacts } from '../students/students.facts.ts';
import type { Context } from '../common/command.ts';
import { command, refuse, refuseInput } from '../common/command.ts';
import { resetStudentAccount } from '../contract/auth.ts';
import type { RecordedEvent } from '../../events/registry.ts';
import { nothing } from '../contract/answer.ts';

const ofAccount = { aggregate: account, streamId: ({ accountId }: { readonly accountId: string }): string => accountId };
const ofActor = { aggregate: account, streamId: (_input: unknown, { actor }: Context): string => actor.accountId };

export const OpenStudentAccount = command({
  result: accountCommands.OpenStudentAccount.result,
  input: openStudentAccount.omit({ password: true }),
  aggregate: account,
  streamId: (_input, { newId }) => newId('account'),
  facts: studentFacts,
  decide({ studentId, name, email }, state, facts, { newId }) {
    if (state.status !== 'none') return refuse('refused', 'This account exists already.');
    if (!facts.exists) return refuseInput('studentId', authMessages.noStudent);
    if (facts.hasAccount) return refuse('refused', 'This student has joined already.');
    return [{ type: 'StudentAccountOpened', data: { accountId: newId('account'), studentId, person: { name, email } } }];
  },
  answer: (_input, _events, _facts, { newId }) => ({ accountId: newId('account') }),
});

/** Given by the student; the new account is the actor. api/auth has checked code, date of birth and name. */
export const JoinByCode = command({
  result: z.object({ accountId: id }),
  input: z.strictObject({ studentId: id, subjectId: id, name: personName, email: z.string() }),
  ...ofActor,
  facts: studentFacts,
  decide({ studentId, subjectId, name, email }, state, facts, { actor: { accountId } }) {
    if (state.status !== 'none') return refuse('refused', 'This account exists already.');
    if (!facts.exists) return refuseInput('studentId', authMessages.noStudent);
    if (facts.hasAccount) return refuse('joined-already', authMessages.joinedAlready);
    return [{ type: 'StudentJoined', data: { accountId, studentId, subjectId, person: { name, email } } }];
  },
  answer: (_input, _events, _facts, { actor }) => ({ accountId: actor.accountId }),
});

/** The student's own details, on the profile page. `email`: proved by its owner; left out: as it is. */
export const ChangeStudentDetails = command({
  result: nothing,
  input: z.strictObject({ name: personName, email: z.string().optional() }),
  ...ofActor,
  decide({ name, email }, state, _facts, { actor: { accountId } }) {
    if (state.status !== 'open') return refuse('not-found', 'There is no such account.');
    const before = state.email ?? '';
    const person = { name, email: email ?? before };
    return state.name === name && before === person.email ? [] : [{ type: 'StudentDetailsChanged', data: { accountId, person } }];
  },
});

/** Somebody else has proved that this address is theirs: see api/auth/profile/address-proof.ts. Nothing if the account has another one by now. */
export const LoseStudentAddress = command({
  result: nothing,
  input: z.strictObject({ accountId: id, email: z.string() }),
  ...ofAccount,
  decide({ accountId, email }, state) {
    if (state.status !== 'open' || state.email === undefined || !sameAddress(state.email, email)) return [];
    return [{ type: 'StudentAddressLost', data: { accountId } }];
  },
});

/** api/auth makes the link itself, outside the log. */
export const ResetStudentAccount = command({
  input: resetStudentAccount,
  result: z.object({ reset: z.int() }),
  ...ofAccount,
  decide({ accountId }, state) {
    if (state.status !== 'open') return refuse('not-found', 'There is no such account, or it is closed.');
    return [{ type: 'StudentAccountReset', data: { accountId, reset: state.resets + 1 } }];
  },
  answer: (_input, events) => ({ reset: events.flatMap((event) => (isReset(event) ? [event.data.reset] : []))[0] ?? 0 }),
});

export const CloseStudentAccount = command({
  ...accountCommands.CloseStudentAccount,
  ...ofAccount,
  decide({ accountId }, state) {
    if (state.status === 'none') return refuse('not-found', 'There is no such account.');
    return state.status === 'closed' ? [] : [{ type: 'StudentAccountClosed', data: { accountId } }];
  },
});

/** Part of forgetting the student: see api/auth/forgetting.handler.ts. */
export const ForgetStudentAccount = command({
  input: forgetStudentAccount,
  result: nothing,
  ...ofAccount,
  decide({ accountId }, state) {
    if (state.status === 'none') return refuse('not-found', 'There is no such account.');
    return state.status === 'closed' && state.forgotten ? [] : [{ type: 'StudentAccountForgotten', data: { accountId } }];
  },
});

const isReset = (event: { type: string }): event is Extract<RecordedEvent, { type: 'StudentAccountReset' }> =>
  event.type === 'StudentAccountReset';
