import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { Hono } from 'hono';
import type { z } from 'zod';
import { uuidv5 } from '../../../events/codec/ids.ts';
import { callAccess } from '../../access.ts';
import type { SocialSignIn } from '../../auth/log-in/social.ts';
import { LogIn } from '../../auth/log-in/log-in.ts';
import { BEARER_SECONDS } from '../../auth/log-in/bearer.ts';
import { newTask } from '../../tasks/task-mails.handler.ts';
import { notifyTeachers } from '../../tasks/notify-teachers.ts';
import { Recovery } from '../../auth/password/recovery.ts';
import { Profile } from '../../auth/profile/profile.ts';
import { Activation } from '../../auth/registration/activation.ts';
import { doorCalls } from '../../calls/door.ts';
import type { Call } from '../../calls/call.ts';
import { noParameters } from '../../calls/call.ts';
import { withListedNames } from '../../calls/named.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import { admits } from '../../common/rule.ts';
import { changeProfile, resetPassword } from '../../contract/auth.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { email as emailField } from '../../contract/fields.ts';
import { bodyOf } from '../body.ts';
import { whoMay } from '../openapi/who-may.ts';
import { described, EVERYBODY } from '../openapi/route-docs.ts';
import { addressOf } from '../request/address.ts';
import { askerOf } from '../request/asker.ts';
import { fromOwnPage } from '../request/middleware.ts';
import { keyOf, known, parametersOf, signedIn } from '../request/request.ts';
import { viewAsIn } from '../request/view-as.ts';
import type { AuthOptions } from './auth.ts';
import type { CallOptions } from './calls.ts';
import type { On } from './joining-calls.ts';
import { joiningCalls } from './joining-calls.ts';
import { reportingErrors } from './errors.ts';
import type { ErrorOptions } from './errors.ts';

type Name = keyof typeof doorCalls;
type Options = CallOptions & AuthOptions & ErrorOptions & { readonly social?: SocialSignIn | undefined };

/** The documented calls about sign-in and one's own account, on what /api/door and /api/identity are built of, with their limits. */
export const accountCallRoutes = (options: Options): Hono => {
  const { auth, queries, bus, joinCodes } = options;
  const { sessions, security } = auth;
  const http = new Hono();
  const [logIns, recovery, activation] = [new LogIn(auth), new Recovery(auth), new Activation(auth)];
  const profile = new Profile(auth);
  const report = reportingErrors(options);
  const on: On = (name, answer) => {
    const [method = '', path = ''] = name.split(' ');
    http.on(method, path.replace('{id}', ':id'), describedAs(name), async (c) => {
      if (rows[name].asks === undefined) withListedNames('parameter', noParameters, parametersOf(c));
      const found = await answer(c);
      if (found instanceof Response) return found;
      c.header('Cache-Control', 'no-store');
      return c.json(found);
    });
  };
  const own = async (c: Context) => {
    const actor = await signedIn(sessions, c);
    return { actor, session: sessions.tokenIn(c.req.raw.headers) ?? known(undefined).accountId };
  };

  on('POST /oauth/token', async (c) => {
    if (sessions.bringsToken(c.req.raw.headers)) throw new ProblemError('forbidden', 'A token makes no other token.');
    const { username: email, password } = validated(doorCalls['POST /oauth/token'].takes, await bodyOf(c));
    const attempt = { email, password, address: addressOf(c), browser: c.req.header('User-Agent'), bearer: true };
    const { told } = await logIns.attempt(attempt);
    return { token_type: 'Bearer', expires_in: BEARER_SECONDS, access_token: told.join('') };
  });
  on('GET /logout', async (c) => {
    const { actor, session } = await own(c);
    if (!sessions.bringsToken(c.req.raw.headers)) fromOwnPage(c);
    if (viewAsIn(c)?.role === 'student') throw new ProblemError('view-only', authMessages.viewOnly);
    await sessions.end(session);
    security.note({ kind: 'sessions-ended', actor, about: actor.accountId, name: 'one', address: addressOf(c) });
    return { name: actor.name };
  });
  on('POST /report_error', async (c) => {
    const { id } = await report(c, async (sender) => {
      const {
        file,
        line,
        message,
        status,
        status_text: statusText,
      } = validated(doorCalls['POST /report_error'].takes, await bodyOf(c, sender));
      return {
        message: printable(message).slice(0, 4_000),
        ...(typeof file === 'string' && { file: printable(file).slice(0, 500) }),
        ...(typeof line === 'number' && { line }),
        ...(typeof status === 'number' && { status }),
        ...(typeof statusText === 'string' && { statusText: printable(statusText).slice(0, 200) }),
      };
    });
    return { id };
  });
  on('POST /forget-password', async (c) => {
    const { email } = asked(c, doorCalls['POST /forget-password'].asks);
    await recovery.forgotten(validated(emailField, email), addressOf(c));
    return { message: authMessages.forgotten };
  });
  on('POST /reset-password', async (c) => {
    const { password, password_confirmation: confirmation, token } = validated(doorCalls['POST /reset-password'].takes, await bodyOf(c));
    const wanted = validated(resetPassword, { token, password, confirmation });
    if (await auth.links.find(['activation'], token)) {
      const { name } = await activation.look(token);
      await activation.accept({ ...wanted, name });
      return { message: authMessages.accountActivated };
    }
    await recovery.reset(wanted);
    return { message: authMessages.passwordChanged };
  });
  on('PUT /users_students/code', async (c) => {
    const actor = await queries.reader(askerOf(options, c), [], undefined);
    requireRole('PUT /users_students/code', actor);
    const { subject: subjectId, domain, forcenew } = asked(c, doorCalls['PUT /users_students/code'].asks);
    const { schoolId } = actor;
    const key = keyOf(c) ?? randomUUID();
    const before = await joinCodes.show(schoolId, subjectId);
    const isNew = before.code === null || (forcenew !== undefined && !['', '0', 'false'].includes(forcenew));
    if (domain !== undefined && domain !== (before.domain ?? ''))
      await bus.execute('ChangeJoinDomain', { actor, key: uuidv5('domain', key), body: { subjectId, domain } });
    if (isNew) await bus.execute('IssueJoinCode', { actor, key: uuidv5('code', key), body: { subjectId } });
    const { code, domain: now } = await joinCodes.show(schoolId, subjectId);
    return { code, domain: now };
  });
  on('POST /profile', async (c) => {
    const { actor: sender } = await own(c);
    const { password } = validated(doorCalls['POST /profile'].takes, await bodyOf(c, { actor: sender }));
    const { actor, session } = await own(c);
    return { verified: true, until: (await profile.unlock(actor, session, password)).unlockedUntil };
  });
  on('PUT /profile/{id}', async (c) => {
    const { actor: sender } = await own(c);
    const { password_confirmation: confirmation, ...typed } = validated(
      doorCalls['PUT /profile/{id}'].takes,
      await bodyOf(c, { actor: sender }),
    );
    const { actor, session } = await own(c);
    if (c.req.param('id') !== actor.accountId) throw new ProblemError('not-found', 'This is not your profile.');
    await profile.change(actor, session, validated(changeProfile, { ...typed, ...(confirmation === undefined ? {} : { confirmation }) }));
    return { message: authMessages.profileUpdated };
  });
  on('POST /feedback', async (c) => {
    const actor = await queries.reader(askerOf(options, c), [], undefined);
    requireRole('POST /feedback', actor);
    const { task_id: taskId } = asked(c, doorCalls['POST /feedback'].asks);
    await queries.ask('task', actor, { taskId });
    const { notified } = await notifyTeachers(auth.taskMails, actor, newTask(taskId));
    return { message: `${notified} ${notified === 1 ? 'teacher is' : 'teachers are'} told by mail` };
  });
  joiningCalls(on, options);
  return http;
};

const rows: Readonly<Record<Name, Call>> = doorCalls;

const describedAs = (name: Name) => {
  const { purpose, asks, takes, answers } = rows[name];
  const rule = callAccess[name];
  const signed = rule.within === 'self' ? EVERYBODY : whoMay(rule).replace(/^For /u, '').replace(/\.$/u, '');
  return described({
    does: purpose,
    ...(rule.roles.length === 0 ? {} : { for: signed }),
    ...(asks === undefined ? {} : { asks }),
    ...(takes === undefined ? {} : { takes }),
    answers,
  });
};

const requireRole = (name: Name, actor: Parameters<typeof admits>[1]): void => {
  if (!admits(callAccess[name], actor)) throw new ProblemError('forbidden', 'Your account may not do this.');
};

const asked = <Shape extends z.ZodObject>(c: Context, shape: Shape) =>
  validated(shape, withListedNames('parameter', shape, parametersOf(c)));

const printable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
