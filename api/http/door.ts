import type { Context } from 'hono';
import { Hono } from 'hono';
import type { z } from 'zod';
import { Activation } from '../auth/activation.ts';
import type { Door } from '../auth/door.ts';
import { Joining } from '../auth/joining.ts';
import type { JoinCodes } from '../auth/join-codes.ts';
import { Profile } from '../auth/profile.ts';
import { Recovery } from '../auth/recovery.ts';
import { Registration } from '../auth/registration.ts';
import type { RobotCheck } from '../auth/robot.ts';
import * as contract from '../contract/door.ts';
import type { Done, Site, Verified } from '../contract/door.ts';
import { doorWords } from '../contract/door-words.ts';
import { id } from '../contract/fields.ts';
import { ProblemError, validated } from '../pipeline/problems.ts';
import { addressOf } from './address.ts';
import { bodyOf, known, signedIn } from './request.ts';

export type DoorOptions = { readonly door: Door; readonly robot: RobotCheck; readonly joinCodes: JoinCodes; readonly site?: Site };

/** Everything that is asked before somebody is signed in, and about one's own account: `/api/door/*`. docs/accounts.md lists it. */
export const doorRoutes = ({ door, robot, joinCodes, site = { operator: {} } }: DoorOptions): Hono => {
  const { identity, links } = door;
  const http = new Hono();
  const recovery = new Recovery(door);
  const activation = new Activation(door);
  const registration = new Registration(door, robot);
  const joining = new Joining(door, joinCodes);
  const profile = new Profile(door);

  http.use(async (c, next) => {
    await next();
    c.header('Cache-Control', 'no-store');
  });

  http.get('/site', (c) => c.json(site));
  http.get('/robot-check', async (c) => c.json(await robot.challenge()));

  http.post('/registration', async (c) => {
    await registration.register(await input(c, contract.register), addressOf(c));
    return done(c, doorWords.registered);
  });
  http.post('/registration/finalise', async (c) => {
    await registration.finalise(await input(c, contract.finalise));
    return done(c, doorWords.finalised);
  });
  http.post('/verify', async (c) => {
    const { token } = await input(c, contract.verify);
    const link = await links.find(['registration', 'email'], token);
    if (link?.purpose !== 'email') return c.json(await registration.look(token));
    await profile.confirmEmail(token);
    return c.json({ kind: 'email', message: doorWords.emailConfirmed } satisfies Verified);
  });

  http.post('/password/forgotten', async (c) => {
    const { email } = await input(c, contract.forgottenPassword);
    await recovery.forgotten(email, addressOf(c));
    return done(c, doorWords.forgotten);
  });
  http.post('/password/new', async (c) => {
    await recovery.reset(await input(c, contract.resetPassword));
    return done(c, doorWords.passwordChanged);
  });

  http.post('/activation', async (c) => c.json(await activation.look((await input(c, contract.activation)).token)));
  http.post('/activation/accept', async (c) => {
    await activation.accept(await input(c, contract.activate));
    return done(c, doorWords.accountActivated);
  });

  http.post('/join/code', async (c) => c.json(await joining.code((await input(c, contract.joinCode)).code, addressOf(c))));
  http.post('/join/birthday', async (c) => c.json(await joining.birthday(await input(c, contract.joinBirthday), addressOf(c))));
  http.post('/join/name', async (c) => {
    await joining.name(await input(c, contract.joinName), addressOf(c));
    return c.json({});
  });
  http.post('/join/account', async (c) => {
    c.header('Set-Cookie', await joining.account(await input(c, contract.joinAccount), addressOf(c)));
    return c.json({});
  });
  http.get('/join-code', async (c) => {
    const { role, schoolId } = await signedIn(identity, c);
    if (role !== 'admin') throw new ProblemError('forbidden', 'Your account may not see this.');
    const shown = await joinCodes.show(schoolId, validated(id, c.req.query('subjectId')));
    const link = shown.code === null ? null : `${door.publicUrl}/code?code=${shown.code}`;
    return c.json({ ...shown, link } satisfies contract.JoinCode);
  });

  http.get('/profile', async (c) => {
    const { actor, session } = await own(door, c);
    return c.json(await profile.show(actor, session));
  });
  http.post('/profile/unlock', async (c) => {
    const { actor, session } = await own(door, c);
    return c.json(await profile.unlock(actor, session, (await input(c, contract.unlock)).password));
  });
  http.post('/profile', async (c) => {
    const { actor, session } = await own(door, c);
    await profile.change(actor, session, await input(c, contract.changeProfile));
    return done(c, doorWords.profileUpdated);
  });
  http.post('/profile/sign-out-everywhere', async (c) => {
    const { actor } = await own(door, c);
    await profile.signOutEverywhere(actor);
    return c.json({});
  });
  http.get('/profile/data', async (c) => {
    const { actor } = await own(door, c);
    c.header('Content-Disposition', 'attachment; filename="my-data.json"');
    return c.json(await profile.data(actor));
  });
  return http;
};

const input = async <Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> => validated(schema, await bodyOf(c));

const done = (c: Context, message: string): Response => c.json({ message } satisfies Done);

/** Who asks about himself, and in which session. */
const own = async ({ identity }: Door, c: Context) => {
  const actor = await signedIn(identity, c);
  return { actor, session: (await identity.sessionToken(c.req.raw.headers)) ?? known(undefined).accountId };
};
