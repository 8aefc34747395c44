import { Hono } from 'hono';
import { Activation } from '../../auth/registration/activation.ts';
import type { AuthServices } from '../../auth/auth.ts';
import type { JoinCodes } from '../../auth/joining/join-codes.ts';
import { Profile } from '../../auth/profile/profile.ts';
import { Recovery, RESETS } from '../../auth/password/recovery.ts';
import { Registration } from '../../auth/registration/registration.ts';
import type { RobotCheck } from '../../auth/registration/robot.ts';
import * as contract from '../../contract/auth.ts';
import { ProblemError } from '../../common/problems.ts';
import { nothing } from '../../contract/answer.ts';
import type { Done, Site } from '../../contract/auth.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { addressOf } from '../request/address.ts';
import { anyJson, described, EVERYBODY, getJson, postJson, postJsonAs } from '../openapi/route-docs.ts';
import { recognised, signedIn, signedInWithSession } from '../request/request.ts';
import { joiningRoutes } from './joining.ts';
import { sessionRoutes } from './sessions.ts';

export type AuthOptions = { readonly auth: AuthServices; readonly robot: RobotCheck; readonly joinCodes: JoinCodes; readonly site?: Site };

/** `/api/door/*`: everything before a log-in, and one's own account. Listed in docs/accounts.md. */
export const authRoutes = ({ auth, robot, joinCodes, site = { operator: {} } }: AuthOptions): Hono => {
  const http = new Hono();
  http.use(async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
  });

  const get = getJson(http);
  get('/site', { does: 'Public information for every page.', answers: contract.site }, async () => site);
  const asking = { does: 'Who asks, for pages that are open to everybody: nobody is no error.', answers: contract.visitor };
  get('/visitor', asking, async (c) => {
    const role = (await recognised(auth.sessions, c))?.role;
    return { role: role === undefined || role === 'system' ? null : role };
  });

  const registration = new Registration(auth, robot, site);
  get('/robot-check', { does: 'An ALTCHA challenge (version 2, PBKDF2/SHA-256).', answers: anyJson }, async () => {
    registration.requireOpen();
    return { ...(await robot.challenge()) };
  });
  registrationRoutes(http, auth, registration);
  passwordRoutes(http, auth);
  activationRoutes(http, auth);
  profileRoutes(http, auth);
  http.route('/', joiningRoutes(auth, joinCodes));
  http.route('/', sessionRoutes(auth));
  return http;
};

const registrationRoutes = (http: Hono, auth: AuthServices, registration: Registration): void => {
  const post = postJson(http);
  const profile = new Profile(auth);

  const registering = { does: 'Registers a new school: a mail follows.', takes: contract.register, answers: contract.done } as const;
  post('/registration', registering, async (c, body) => {
    registration.requireOpen();
    await registration.register(await body(), addressOf(c));
    return done(authMessages.registered);
  });
  const finalising = { does: 'Opens a registered school with its first admin.', takes: contract.finalise, answers: contract.done } as const;
  post('/registration/finalise', finalising, async (_c, body) => {
    registration.requireOpen();
    await registration.finalise(await body());
    return done(authMessages.finalised);
  });
  const verifying = { does: 'Opens a mailed link: of a registration, or of an e-mail address.', takes: contract.verify } as const;
  post('/verify', { ...verifying, answers: contract.verified }, async (c, body) => {
    const { token } = await body();
    const link = await auth.links.find(['registration', 'email'], token);
    if (link?.purpose !== 'email') return registration.look(token);
    await profile.confirmEmail(token, auth.sessions.tokenIn(c.req.raw.headers));
    return { kind: 'email' as const, message: authMessages.emailConfirmed };
  });
};

const passwordRoutes = (http: Hono, auth: AuthServices): void => {
  const post = postJson(http);
  const recovery = new Recovery(auth);

  const forgetting = {
    does: 'Mails a link for a new password, if the address has an account.',
    takes: contract.forgottenPassword,
  } as const;
  post('/password/forgotten', { ...forgetting, answers: contract.done }, async (c, body) => {
    const { email } = await body();
    await recovery.forgotten(email, addressOf(c));
    return done(authMessages.forgotten);
  });
  const resetting = { does: 'Sets a new password by a mailed link.', takes: contract.resetPassword, answers: contract.done } as const;
  post('/password/new', resetting, async (_c, body) => {
    await recovery.reset(await body());
    return done(authMessages.passwordChanged);
  });
};

const activationRoutes = (http: Hono, auth: AuthServices): void => {
  const post = postJson(http);
  const activation = new Activation(auth);

  const looking = {
    does: 'What a link for a password is for: the person that it invites, or a new password.',
    takes: contract.activation,
    answers: contract.passwordLink,
  } as const;
  post('/activation', looking, async (_c, body) => {
    const { token } = await body();
    const reset = await auth.links.find(RESETS, token);
    if (reset) return { kind: 'password' as const, email: reset.about };
    return { kind: 'invitation' as const, ...(await activation.look(token)) };
  });
  const activating = { does: 'Activates an invited account.', takes: contract.activate, answers: contract.done } as const;
  post('/activation/accept', activating, async (_c, body) => {
    await activation.accept(await body());
    return done(authMessages.accountActivated);
  });
};

const profileRoutes = (http: Hono, auth: AuthServices): void => {
  const get = getJson(http);
  const post = postJsonAs(http, (c) => signedInWithSession(auth.sessions, c));
  const profile = new Profile(auth);

  get('/profile', { does: "One's own account.", for: EVERYBODY, answers: contract.profile }, async (c) => {
    const { actor, session } = await signedInWithSession(auth.sessions, c);
    return profile.show(actor, session);
  });
  const unlocking = {
    does: "Opens one's own account for changes.",
    for: EVERYBODY,
    takes: contract.unlock,
    answers: contract.unlocked,
  } as const;
  post('/profile/unlock', unlocking, (_c, { password }, { actor, session }) => profile.unlock(actor, session, password));
  const changing = { does: "Changes one's own account, once it is unlocked.", for: EVERYBODY, takes: contract.changeProfile } as const;
  post('/profile', { ...changing, answers: contract.done }, async (_c, changes, { actor, session }) => {
    await profile.change(actor, session, changes);
    return done(authMessages.profileUpdated);
  });
  const leaving = { does: 'Ends every session of the account.', for: EVERYBODY, answers: nothing };
  http.post('/profile/sign-out-everywhere', described(leaving), async (c) => {
    const actor = await signedIn(auth.sessions, c);
    if (auth.sessions.bringsToken(c.req.raw.headers)) throw new ProblemError('forbidden', authMessages.tokenEndsNoOther);
    await profile.signOutEverywhere(actor);
    auth.security.note({ kind: 'sessions-ended', actor, about: actor.accountId, name: 'everywhere', address: addressOf(c) });
    return c.json({});
  });
  const data = {
    does: 'A file of what is stored about the user; of a student without hidden and deleted assessments.',
    for: EVERYBODY,
    answers: anyJson,
  };
  get('/profile/data', data, async (c) => {
    const actor = await signedIn(auth.sessions, c);
    auth.security.note({ kind: 'export', actor, about: actor.accountId, name: 'own data', address: addressOf(c) });
    c.header('Content-Disposition', 'attachment; filename="my-data.json"');
    return { ...(await profile.data(actor)) };
  });
};

const done = (message: string): Done => ({ message });
