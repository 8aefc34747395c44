import { Hono } from 'hono';
import { z } from 'zod';
import type { Door } from '../../auth/door.ts';
import { SessionList } from '../../auth/log-in/session-list.ts';
import { endSession, endSessionOf } from '../../contract/door.ts';
import { id } from '../../contract/fields.ts';
import { validated } from '../../pipeline/problems.ts';
import { addressOf } from '../request/address.ts';
import { described, EVERYBODY, taking } from '../openapi/described.ts';
import { signedIn, signedInAdmin } from '../request/request.ts';

/** `/api/door/profile/sessions` and `/api/door/sessions`: where an account is signed in. */
export const sessionRoutes = ({ pool, identity, security }: Door): Hono => {
  const http = new Hono();
  const post = taking(http);
  const list = new SessionList(pool);

  const own = described({ does: 'Where one is signed in.', for: EVERYBODY, answers: 'sessions' });
  http.get('/profile/sessions', own, async (c) => {
    const actor = await signedIn(identity, c);
    return c.json(await list.of(actor, await identity.sessionToken(c.req.raw.headers)));
  });
  const ending = { does: 'Ends one of the own sessions.', for: EVERYBODY, takes: endSession, answers: 'nothing' } as const;
  post('/profile/sessions/end', ending, async (c, body) => {
    const actor = await signedIn(identity, c);
    await list.end(actor, (await body()).sessionId);
    security.note({ kind: 'sessions-ended', actor, about: actor.accountId, name: 'one', address: addressOf(c) });
    return c.json({});
  });

  const asked = z.object({ accountId: id });
  const theirs = described({ does: 'Where an account of the school is signed in.', for: 'admin', asks: asked, answers: 'sessions' });
  http.get('/sessions', theirs, async (c) => {
    const { schoolId } = await signedInAdmin(identity, c);
    const { accountId } = validated(asked, c.req.query());
    return c.json(await list.of({ accountId, schoolId }, await identity.sessionToken(c.req.raw.headers)));
  });
  const endingTheirs = {
    does: 'Ends a session of an account of the school.',
    for: 'admin',
    takes: endSessionOf,
    answers: 'nothing',
  } as const;
  post('/sessions/end', endingTheirs, async (c, body) => {
    const actor = await signedInAdmin(identity, c);
    const { accountId, sessionId } = await body();
    await list.end({ accountId, schoolId: actor.schoolId }, sessionId);
    security.note({ kind: 'sessions-ended', actor, about: accountId, name: 'one', address: addressOf(c) });
    return c.json({});
  });
  return http;
};
