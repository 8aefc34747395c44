import type { Context } from 'hono';
import { Hono } from 'hono';
import { z } from 'zod';
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
import { validated } from '../pipeline/problems.ts';
import { addressOf } from './address.ts';
import { described, EVERYBODY } from './described.ts';
import { bodyOf, known, signedIn, signedInAdmin } from './request.ts';

export type DoorOptions = { readonly door: Door; readonly robot: RobotCheck; readonly joinCodes: JoinCodes; readonly site?: Site };

/** `/api/door/*`: everything before a log-in, and one's own account. Listed in docs/accounts.md. */
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

  http.get('/site', described({ does: 'What every page may know before anybody is signed in.', answers: 'site' }), (c) => c.json(site));
  http.get('/robot-check', described({ does: 'A challenge of ALTCHA (version 2, PBKDF2/SHA-256).', answers: 'some' }), async (c) =>
    c.json(await robot.challenge()),
  );

  http.post(
    '/registration',
    described({ does: 'Registers a new school: a mail follows.', takes: contract.register, answers: 'done' }),
    async (c) => {
      await registration.register(await input(c, contract.register), addressOf(c));
      return done(c, doorWords.registered);
    },
  );
  http.post(
    '/registration/finalise',
    described({ does: 'Opens a registered school with its first admin.', takes: contract.finalise, answers: 'done' }),
    async (c) => {
      await registration.finalise(await input(c, contract.finalise));
      return done(c, doorWords.finalised);
    },
  );
  http.post(
    '/verify',
    described({ does: 'Opens the link of a registration or of an e-mail address.', takes: contract.verify, answers: 'verified' }),
    async (c) => {
      const { token } = await input(c, contract.verify);
      const link = await links.find(['registration', 'email'], token);
      if (link?.purpose !== 'email') return c.json(await registration.look(token));
      await profile.confirmEmail(token);
      return c.json({ kind: 'email', message: doorWords.emailConfirmed } satisfies Verified);
    },
  );

  http.post(
    '/password/forgotten',
    described({
      does: 'Mails a link for a new password, if there is such an address.',
      takes: contract.forgottenPassword,
      answers: 'done',
    }),
    async (c) => {
      const { email } = await input(c, contract.forgottenPassword);
      await recovery.forgotten(email, addressOf(c));
      return done(c, doorWords.forgotten);
    },
  );
  http.post(
    '/password/new',
    described({ does: 'Sets a new password by a mailed link.', takes: contract.resetPassword, answers: 'done' }),
    async (c) => {
      await recovery.reset(await input(c, contract.resetPassword));
      return done(c, doorWords.passwordChanged);
    },
  );

  http.post('/activation', described({ does: 'Whom an invitation is for.', takes: contract.activation, answers: 'invited' }), async (c) =>
    c.json(await activation.look((await input(c, contract.activation)).token)),
  );
  http.post(
    '/activation/accept',
    described({ does: 'Activates an invited account.', takes: contract.activate, answers: 'done' }),
    async (c) => {
      await activation.accept(await input(c, contract.activate));
      return done(c, doorWords.accountActivated);
    },
  );

  http.post(
    '/join/code',
    described({ does: 'Joining: the code of a subject.', takes: contract.joinCode, answers: 'joinSchool' }),
    async (c) => c.json(await joining.code((await input(c, contract.joinCode)).code, addressOf(c))),
  );
  http.post(
    '/join/birthday',
    described({ does: 'Joining: the names to choose from.', takes: contract.joinBirthday, answers: 'joinChoices' }),
    async (c) => c.json(await joining.birthday(await input(c, contract.joinBirthday), addressOf(c))),
  );
  http.post('/join/name', described({ does: 'Joining: the chosen name.', takes: contract.joinName, answers: 'nothing' }), async (c) => {
    await joining.name(await input(c, contract.joinName), addressOf(c));
    return c.json({});
  });
  http.post(
    '/join/account',
    described({
      does: 'Joining: the account, which is signed in by the cookie of the answer.',
      takes: contract.joinAccount,
      answers: 'nothing',
    }),
    async (c) => {
      c.header('Set-Cookie', await joining.account(await input(c, contract.joinAccount), addressOf(c)));
      return c.json({});
    },
  );
  http.get(
    '/join-code',
    described({ does: 'The joining code of a subject.', for: 'admin', asks: z.object({ subjectId: id }), answers: 'joinCode' }),
    async (c) => {
      const { schoolId } = await signedInAdmin(identity, c);
      const shown = await joinCodes.show(schoolId, validated(id, c.req.query('subjectId')));
      const link = shown.code === null ? null : `${door.publicUrl}/code?code=${shown.code}`;
      return c.json({ ...shown, link } satisfies contract.JoinCode);
    },
  );

  http.get('/profile', described({ does: "One's own account.", for: EVERYBODY, answers: 'profile' }), async (c) => {
    const { actor, session } = await own(door, c);
    return c.json(await profile.show(actor, session));
  });
  http.post(
    '/profile/unlock',
    described({ does: "Opens one's own account for changes.", for: EVERYBODY, takes: contract.unlock, answers: 'unlocked' }),
    async (c) => {
      const { actor, session } = await own(door, c);
      return c.json(await profile.unlock(actor, session, (await input(c, contract.unlock)).password));
    },
  );
  http.post(
    '/profile',
    described({ does: "Changes one's own account, once it is unlocked.", for: EVERYBODY, takes: contract.changeProfile, answers: 'done' }),
    async (c) => {
      const { actor, session } = await own(door, c);
      await profile.change(actor, session, await input(c, contract.changeProfile));
      return done(c, doorWords.profileUpdated);
    },
  );
  http.post(
    '/profile/sign-out-everywhere',
    described({ does: 'Ends every session of the account.', for: EVERYBODY, answers: 'nothing' }),
    async (c) => {
      const { actor } = await own(door, c);
      await profile.signOutEverywhere(actor);
      return c.json({});
    },
  );
  http.get(
    '/profile/data',
    described({ does: 'A file of all that is stored about the asker.', for: EVERYBODY, answers: 'some' }),
    async (c) => {
      const { actor } = await own(door, c);
      c.header('Content-Disposition', 'attachment; filename="my-data.json"');
      return c.json(await profile.data(actor));
    },
  );
  return http;
};

const input = async <Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> => validated(schema, await bodyOf(c));

const done = (c: Context, message: string): Response => c.json({ message } satisfies Done);

/** The asker and the session, for requests about one's own account. */
const own = async ({ identity }: Door, c: Context) => {
  const actor = await signedIn(identity, c);
  return { actor, session: (await identity.sessionToken(c.req.raw.headers)) ?? known(undefined).accountId };
};
