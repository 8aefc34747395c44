import { account } from '../../events/account.ts';
import { closeStudentAccount, openStudentAccount } from '../contract/structure.ts';
import { noFacts } from '../facts/facts.ts';
import { studentFacts } from '../facts/roster.ts';
import { command, refuse, refuseInput } from './command.ts';

export const OpenStudentAccount = command({
  input: openStudentAccount.omit({ password: true }),
  aggregate: account,
  streamId: (_input, { newId }) => newId('account'),
  facts: studentFacts,
  decide({ studentId, name, email }, state, known, { newId }) {
    if (state.status !== 'none') return refuse('refused', 'This account exists already.');
    if (!known.exists) return refuseInput('studentId', 'There is no such student.');
    if (known.hasAccount) return refuse('refused', 'This student has joined already.');
    return [{ type: 'StudentAccountOpened', data: { accountId: newId('account'), studentId, person: { name, email } } }];
  },
  answer: (_input, _events, _known, { newId }) => ({ accountId: newId('account') }),
});

export const CloseStudentAccount = command({
  input: closeStudentAccount,
  aggregate: account,
  streamId: ({ accountId }) => accountId,
  facts: noFacts,
  decide({ accountId }, state) {
    if (state.status === 'none') return refuse('not-found', 'There is no such account.');
    return state.status === 'closed' ? [] : [{ type: 'StudentAccountClosed', data: { accountId } }];
  },
  answer: () => ({}),
});
