import { z } from 'zod';
import { BEARER_SECONDS } from '../auth/log-in/bearer.ts';
import { ProblemError, validated } from '../common/problems.ts';
import { changeProfile, resetPassword } from '../contract/auth.ts';
import { authMessages } from '../contract/auth-messages.ts';
import { email as emailField } from '../contract/fields.ts';
import { doorCall, message, OWN_PAGE } from './visit.ts';

/** Sign-in, one's own account, and what is sent by mail, with the limits of /api/door and /api/identity. */
export const signInCalls = {
  'POST /oauth/token': doorCall({
    purpose: 'A bearer token for the right password, good for 30 days.',
    takes: z.strictObject({
      grant_type: z.literal('password', 'Only the password grant is known.'),
      client_id: z.union([z.string().max(100), z.int()]).optional(),
      client_secret: z.string().max(1_000).optional(),
      username: z.string().max(254),
      password: z.string().max(128),
      scope: z.string().max(100).optional(),
    }),
    answers: z.object({ token_type: z.literal('Bearer'), expires_in: z.int(), access_token: z.string() }),
    behind: [],
    differs:
      '`client_id`, `client_secret` and `scope` are taken and ignored: a secret that every browser knows protects nothing. An account with two-step sign-in is refused (401, with the reason) and makes its token in its profile. Limited like log-ins. The token is told once and stored as a hash; it stands in the profile among the sessions, and whatever ends sessions ends it. It makes no other token and changes no second step.',
    async answer({ services: { logIns }, isByToken, takes, from }) {
      if (isByToken) throw new ProblemError('forbidden', 'A token makes no other token.');
      const { username: email, password } = await takes();
      const { told } = await logIns.attempt({ email, password, ...from, bearer: true });
      return { token_type: 'Bearer' as const, expires_in: BEARER_SECONDS, access_token: told.join('') };
    },
  }),
  'GET /logout': doorCall({
    purpose: 'Ends the session or the token that sends it.',
    answers: z.object({ name: z.string() }),
    behind: [],
    changes: true,
    differs: OWN_PAGE,
    async answer({ services: { auth }, own, from }) {
      const { actor, session } = await own();
      await auth.sessions.end(session);
      auth.security.note({ kind: 'sessions-ended', actor, about: actor.accountId, name: 'one', address: from.address });
      return { name: actor.name };
    },
  }),
  'POST /report_error': doorCall({
    purpose: 'Reports an error of a page.',
    takes: z.strictObject({
      user: z.string().max(1_000).nullish(),
      school: z.string().max(1_000).nullish(),
      file: z.string().max(100_000).nullish(),
      line: z.int().min(0).max(10_000_000).nullish(),
      message: z.string().max(100_000),
      status: z.int().min(0).max(999).nullish(),
      status_text: z.string().max(100_000).nullish(),
    }),
    answers: z.object({ id: z.string() }),
    behind: [],
    differs: '`user` and `school` are passed over: who reports it is known by the session.',
    async answer({ report }) {
      const { id } = await report(({ file, line, message: text, status, status_text: statusText }) => ({
        message: printable(text).slice(0, 4_000),
        ...(typeof file === 'string' && { file: printable(file).slice(0, 500) }),
        ...(typeof line === 'number' && { line }),
        ...(typeof status === 'number' && { status }),
        ...(typeof statusText === 'string' && { statusText: printable(statusText).slice(0, 200) }),
      }));
      return { id };
    },
  }),
  'POST /forget-password': doorCall({
    purpose: 'Mails a link for a new password, if the address has an account; the answer is the same for every address.',
    asks: z.strictObject({ email: z.string().max(300) }),
    answers: message,
    behind: [],
    async answer({ services: { recovery }, asks, from }) {
      await recovery.forgotten(validated(emailField, asks().email), from.address);
      return { message: authMessages.forgotten };
    },
  }),
  'POST /reset-password': doorCall({
    purpose: 'Sets a password by the token of a mailed link: a new one, or the first of an account that was invited.',
    takes: z.strictObject({
      email: z.string().max(300).optional(),
      password: z.string().max(128),
      password_confirmation: z.string().max(128),
      token: z.string().max(300),
    }),
    answers: message,
    behind: [],
    differs:
      '`email` is passed over: the token knows its account. The token of an invitation activates the account, with the name that it was invited by.',
    async answer({ services: { auth, activation, recovery }, takes }) {
      const { password, password_confirmation: confirmation, token } = await takes();
      const wanted = validated(resetPassword, { token, password, confirmation });
      if (await auth.links.find(['activation'], token)) {
        const { name } = await activation.look(token);
        await activation.accept({ ...wanted, name });
        return { message: authMessages.accountActivated };
      }
      await recovery.reset(wanted);
      return { message: authMessages.passwordChanged };
    },
  }),
  'POST /profile': doorCall({
    purpose: "Verifies one's own password: for 10 minutes the same session or token may change the profile.",
    takes: z.strictObject({ password: z.string().min(1, 'Required.').max(128) }),
    answers: z.object({ verified: z.literal(true), until: z.string() }),
    behind: [],
    async answer({ services: { profile }, ownTakes }) {
      const { actor, session, takes } = await ownTakes();
      return { verified: true as const, until: (await profile.unlock(actor, session, takes.password)).unlockedUntil };
    },
  }),
  'PUT /profile/{id}': doorCall({
    purpose: "Changes one's own name, address or password, once POST profile has verified the password.",
    takes: z.strictObject({
      name: z.string().optional(),
      email: z.string().optional(),
      password: z.string().optional(),
      password_confirmation: z.string().optional(),
    }),
    answers: message,
    behind: [],
    differs: 'A new address counts once its owner has opened the link that is mailed there.',
    async answer({ services: { profile }, ownTakes, id: accountId }) {
      const { actor, session, takes } = await ownTakes();
      const { password_confirmation: confirmation, ...typed } = takes;
      if (accountId !== actor.accountId) throw new ProblemError('not-found', 'This is not your profile.');
      await profile.change(actor, session, validated(changeProfile, { ...typed, ...(confirmation === undefined ? {} : { confirmation }) }));
      return { message: authMessages.profileUpdated };
    },
  }),
};

const printable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
