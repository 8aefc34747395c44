import type { Context } from 'hono';
import { Hono } from 'hono';
import { z } from 'zod';
import type { AuthServices } from '../../auth/auth.ts';
import { LogIn, loginFailed } from '../../auth/log-in/log-in.ts';
import type { CodeKind } from '../../auth/log-in/second-step.ts';
import type { From } from '../../auth/log-in/sessions.ts';
import type { SocialSignIn } from '../../auth/log-in/social.ts';
import { SOCIAL_PROVIDER } from '../../auth/log-in/social.ts';
import { nothing } from '../../contract/answer.ts';
import { logIn, recoveryCodes, signedIn as signedInAnswer, twoStepCode, twoStepPassword, twoStepStarted } from '../../contract/auth.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import { addressOf } from '../request/address.ts';
import { anyJson, described } from '../openapi/route-docs.ts';
import { bodyOf } from '../body.ts';
import { recognised, signedIn, signedInWithSession } from '../request/request.ts';

/** Where log-ins are. (`/api/auth/*` is left to the documented calls.) */
export const IDENTITY_PATH = '/api/identity';

export type IdentityRoutesOptions = {
  readonly auth: AuthServices;
  /** Undefined: there is none. */
  readonly social?: SocialSignIn | undefined;
};

/** The second step of a log-in, and how it is switched on. */
const ENTRY: Readonly<Record<string, { readonly kind: CodeKind; readonly does: string }>> = {
  'verify-totp': {
    kind: 'authenticator',
    does: 'The code of an authenticator, each of which is good once: completes a log-in, or switches two-step sign-in on.',
  },
  'verify-backup-code': { kind: 'recovery', does: 'A recovery code in its place.' },
};

/** Log-ins and the second step. */
export const identityRoutes = ({ auth, social }: IdentityRoutesOptions): Hono => {
  const { sessions, secondStep, security } = auth;
  const http = new Hono();
  const logIns = new LogIn(auth);
  const answer = (c: Context, content: object, cookies: readonly string[] = []): Response => {
    for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true });
    c.header('Cache-Control', 'no-store');
    return c.json(content);
  };

  // Neither a second step nor another session is made, changed or given with a token.
  http.use('/two-factor/*', async (c: Context, next) => {
    if (!sessions.bringsToken(c.req.raw.headers)) return next();
    await signedIn(sessions, c);
    throw new ProblemError('forbidden', 'A token cannot do this: log in.');
  });

  http.post(
    '/sign-in/email',
    described({ does: 'Logs in: the response sets the session cookie.', takes: logIn, answers: signedInAnswer }),
    async (c) => {
      const typed = logIn.safeParse(await bodyOf(c));
      if (!typed.success) throw loginFailed();
      const { told, isHalfWay } = await logIns.attempt({ ...typed.data, ...fromOf(c) });
      return answer(c, isHalfWay ? { twoFactorRedirect: true } : {}, told);
    },
  );
  http.post('/sign-out', described({ does: 'Logs out.', takes: noBody, answers: anyJson }), async (c) => {
    validated(noBody, await bodyOf(c));
    const token = sessions.tokenIn(c.req.raw.headers);
    return answer(c, { success: true }, token === undefined ? [] : [await sessions.end(token)]);
  });
  for (const [path, { kind, does }] of Object.entries(ENTRY)) {
    http.post(`/two-factor/${path}`, described({ does, takes: twoStepCode, answers: nothing }), async (c) => {
      const { code } = validated(twoStepCode, await bodyOf(c));
      // Before, because the session may be replaced.
      const actor = await recognised(sessions, c);
      const { by, accountId, cookies } = await secondStep.enter(c.req.raw.headers, kind, code, fromOf(c));
      if (by === 'switching on') security.note({ kind: 'second-step-on', actor, about: accountId, address: addressOf(c) });
      return answer(c, {}, cookies);
    });
  }
  const enabling = described({
    does: 'Begins to switch two-step sign-in on: answers what an authenticator needs, and the recovery codes.',
    for: 'staff',
    takes: twoStepPassword,
    answers: twoStepStarted,
  });
  http.post('/two-factor/enable', enabling, async (c) => answer(c, await secondStep.start((await passwordOf(auth, c)).proof)));
  const disabling = described({ does: 'Switches two-step sign-in off.', for: 'staff', takes: twoStepPassword, answers: nothing });
  http.post('/two-factor/disable', disabling, async (c) => {
    const { actor, proof } = await passwordOf(auth, c);
    const cookie = await secondStep.stop(proof, fromOf(c));
    security.note({ kind: 'second-step-off', actor, about: actor.accountId, address: addressOf(c) });
    return answer(c, {}, [cookie]);
  });
  const renewing = described({
    does: 'Other recovery codes, in place of those before.',
    for: 'staff',
    takes: twoStepPassword,
    answers: recoveryCodes,
  });
  http.post('/two-factor/generate-backup-codes', renewing, async (c) => {
    const { actor, proof } = await passwordOf(auth, c);
    const backupCodes = await secondStep.renewRecoveryCodes(proof);
    security.note({ kind: 'recovery-codes', actor, about: actor.accountId, address: addressOf(c) });
    return answer(c, { backupCodes });
  });
  const back = described({ does: 'The address that a social sign-in provider redirects to.', answers: 'redirect' });
  http.get(`/callback/${SOCIAL_PROVIDER}`, back, async (c) => {
    if (!social) throw new ProblemError('not-found', 'There is no such address.');
    return social.finish(c.req.raw, fromOf(c));
  });
  return http;
};

const noBody = z.strictObject({});

const fromOf = (c: Context): From => ({ address: addressOf(c), browser: c.req.header('User-Agent') });

/** Whose second step it is, in which session, and the password that was typed again. */
const passwordOf = async ({ sessions }: AuthServices, c: Context) => {
  const { password } = validated(twoStepPassword, await bodyOf(c, await staffSignedIn(sessions, c)));
  // Again, because the body may have taken a while.
  const { actor, session } = await staffSignedIn(sessions, c);
  return { actor, proof: { accountId: actor.accountId, session, password } };
};

/** @throws ProblemError `not-authenticated`, `forbidden` */
const staffSignedIn = async (sessions: AuthServices['sessions'], c: Context) => {
  const caller = await signedInWithSession(sessions, c);
  if (caller.actor.role === 'student') throw new ProblemError('forbidden', 'Your account may not do this.');
  return caller;
};
