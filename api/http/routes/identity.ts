import type { Actor } from '../../actor.ts';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { z } from 'zod';
import type { AuthServices } from '../../auth/auth.ts';
import type { Entering } from '../../auth/identity/identity.ts';
import { LOCKED_SECONDS, SOCIAL_PROVIDER } from '../../auth/identity/library.ts';
import { LogIn, loginFailed } from '../../auth/log-in/log-in.ts';
import { countingPasswords, wrongPassword } from '../../auth/profile/profile.ts';
import type { SocialSignIn } from '../../auth/identity/social.ts';
import { nothing } from '../../contract/answer.ts';
import { logIn, recoveryCodes, signedIn as signedInAnswer, twoStepCode, twoStepPassword, twoStepStarted } from '../../contract/auth.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import { countRefusal } from '../../common/refusals.ts';
import { addressOf } from '../request/address.ts';
import { anyJson, described } from '../openapi/route-docs.ts';
import { bodyOf } from '../body/body.ts';
import { headersWithAddress, recognised, signedIn, withAddress } from '../request/request.ts';

export type IdentityRoutesOptions = {
  readonly auth: AuthServices;
  /** Undefined: there is none. */
  readonly social?: SocialSignIn | undefined;
};

/** Two-step sign-in: what staff can do with their own account, and what they are answered; and the second step of a log-in. */
const TWO_STEP_ROUTES = {
  enable: {
    does: 'Begins to switch two-step sign-in on: answers what an authenticator needs, and the recovery codes.',
    answers: twoStepStarted,
    // Only its first code switches it on.
    kind: undefined,
  },
  disable: { does: 'Switches two-step sign-in off.', answers: nothing, kind: 'second-step-off' },
  'generate-backup-codes': {
    does: 'Other recovery codes, in place of those before.',
    answers: recoveryCodes,
    kind: 'recovery-codes',
  },
} as const;
const TWO_STEP_ENTRY = {
  'verify-totp': 'The code of an authenticator, each of which is good once: completes a log-in, or switches two-step sign-in on.',
  'verify-backup-code': 'A recovery code in its place.',
};

/**
 * The routes of the identity library that are exposed. Its other routes would change accounts without the log. Its refusals become
 * problems.
 */
export const identityRoutes = ({ auth, social }: IdentityRoutesOptions): Hono => {
  const { identity, limits, security } = auth;
  const http = new Hono();
  const logIns = new LogIn(auth);
  /** The same with a body that was checked, because the library would take more than is described. */
  const askWith = (c: Context, body: object, entering?: Entering): Promise<Response> => {
    const headers = headersWithAddress(c);
    headers.delete('Content-Length');
    return identity.handle(new Request(c.req.url, { method: 'POST', headers, body: JSON.stringify(body) }), entering);
  };

  // Neither a second step nor another session is made, changed or given with a token.
  http.use('/two-factor/*', async (c: Context, next) => {
    if (!identity.bringsToken(c.req.raw.headers)) return next();
    await signedIn(identity, c);
    throw new ProblemError('forbidden', 'A token cannot do this: log in.');
  });

  http.post(
    '/sign-in/email',
    described({ does: 'Logs in: the response sets the session cookie.', takes: logIn, answers: signedInAnswer }),
    async (c) => {
      const typed = logIn.safeParse(await bodyOf(c));
      if (!typed.success) throw loginFailed();
      const attempt = { ...typed.data, address: addressOf(c), browser: c.req.header('User-Agent') };
      const entered = await logIns.attempt(attempt, async () =>
        asOurs(await identity.askForCode(headersWithAddress(c), attempt), loginFailed),
      );
      if (entered instanceof Response) return only(c, entered, signedInAnswer);
      c.header('Set-Cookie', entered.cookie);
      c.header('Cache-Control', 'no-store');
      return c.json({});
    },
  );
  http.post('/sign-out', described({ does: 'Logs out.', takes: noBody, answers: anyJson }), async (c) => {
    const body = validated(noBody, await bodyOf(c));
    // Nobody is signed in: the library, which would answer the same, is dear.
    return (await identity.sessionToken(c.req.raw.headers)) === undefined ? c.json({ success: true }) : askWith(c, body);
  });
  for (const [path, does] of Object.entries(TWO_STEP_ENTRY)) {
    http.post(`/two-factor/${path}`, described({ does, takes: twoStepCode, answers: nothing }), async (c) => {
      const body = validated(twoStepCode, await bodyOf(c));
      const entering = await identity.entering(c.req.raw.headers);
      const { userId } = entering;
      // The library counts by network what it is asked, so whoever has nothing to enter is not let near: others there would be kept out.
      if (userId === undefined) throw twoStepRefused('INVALID_TWO_FACTOR_COOKIE');
      if (!(await identity.totp.has(userId))) throw twoStepRefused('TWO_FACTOR_NOT_ENABLED');
      if (path === 'verify-totp' && !(await identity.totp.take(userId, body.code))) throw twoStepRefused('');
      // Before, because the session is replaced.
      const actor = entering.switchesOn ? await recognised(identity, c) : undefined;
      const answer = await asOurs(await askWith(c, body, entering), twoStepRefused);
      if (actor) {
        await identity.endOthers(actor.accountId, answer);
        security.note({ kind: 'second-step-on', actor, about: actor.accountId, address: addressOf(c) });
      }
      return only(c, answer, nothing);
    });
  }
  for (const [path, { does, answers, kind }] of Object.entries(TWO_STEP_ROUTES)) {
    http.post(`/two-factor/${path}`, described({ does, for: 'staff', takes: twoStepPassword, answers }), async (c) => {
      const body = validated(twoStepPassword, await bodyOf(c, { actor: await staffSignedIn(identity, c) }));
      // Again, because the body may have taken a while.
      const actor = await staffSignedIn(identity, c);
      const { accountId } = actor;
      const answer = await countingPasswords(limits, accountId, async () => asOurs(await askWith(c, body), twoStepRefused));
      if (path === 'enable') await identity.totp.renewed(accountId);
      if (kind !== undefined) security.note({ kind, actor, about: accountId, address: addressOf(c) });
      return only(c, answer, answers);
    });
  }
  const back = described({ does: 'The address that a social sign-in provider redirects to.', answers: 'redirect' });
  http.get(`/callback/${SOCIAL_PROVIDER}`, back, async (c) => {
    if (!social) throw new ProblemError('not-found', 'There is no such address.');
    return social.finish(withAddress(c));
  });
  return http;
};

const noBody = z.strictObject({});

/** @throws ProblemError `not-authenticated`, `forbidden` */
const staffSignedIn = async (identity: AuthServices['identity'], c: Context): Promise<Actor> => {
  const actor = await signedIn(identity, c);
  if (actor.role === 'student') throw new ProblemError('forbidden', 'Your account may not do this.');
  return actor;
};

/** The library's answer, with its refusals as problems; `refused` translates its code. @throws ProblemError */
const asOurs = async (answer: Response, refused: (code: string) => ProblemError): Promise<Response> => {
  if (answer.ok) return answer;
  if (answer.status >= 500) throw new Error(`the identity library answered ${answer.status}: ${await answer.text()}`);
  if (answer.status === 429) {
    countRefusal('two-step sign-in');
    const retryAfter = Number(answer.headers.get('X-Retry-After') ?? LOCKED_SECONDS);
    throw new ProblemError('rate-limited', authMessages.tooMany, { retryAfter });
  }
  const body: unknown = await answer.json().catch(() => undefined);
  throw refused(typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '');
};

/** The cookies of the library's answer, and of its content only what is described: it tells scripts the session's token. */
const only = async (c: Context, answer: Response, described: z.ZodObject): Promise<Response> => {
  const content = described.parse(await answer.json());
  for (const cookie of answer.headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true });
  c.header('Cache-Control', 'no-store');
  return c.json(content);
};

const twoStepRefused = (code: string): ProblemError => {
  switch (code) {
    case 'INVALID_PASSWORD':
      return wrongPassword();
    // A log-in allows only a few wrong codes.
    case 'INVALID_TWO_FACTOR_COOKIE':
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return new ProblemError('not-authenticated', authMessages.twoStepAgain);
    case 'TOTP_ALREADY_ENABLED':
      return new ProblemError('refused', 'Two-step sign-in is switched on already.');
    case 'TOTP_NOT_ENABLED':
    case 'TWO_FACTOR_NOT_ENABLED':
    case 'BACKUP_CODES_NOT_ENABLED':
      return new ProblemError('refused', 'Two-step sign-in is not switched on.');
    default:
      return new ProblemError('wrong-code', authMessages.wrongTwoStepCode, {
        errors: [{ path: 'code', message: authMessages.wrongTwoStepCode }],
      });
  }
};
