import { Hono } from 'hono';
import { z } from 'zod';
import type { AuthServices } from '../../auth/auth.ts';
import { SessionList } from '../../auth/log-in/session-list.ts';
import { Profile } from '../../auth/profile/profile.ts';
import { nothing } from '../../contract/answer.ts';
import { endSession, endSessionOf, makeToken, sessions as sessionsShown, tokenMade } from '../../contract/auth.ts';
import { id } from '../../contract/fields.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import { addressOf } from '../request/address.ts';
import { EVERYBODY, getJson, postJsonAs } from '../openapi/route-docs.ts';
import { signedIn, signedInAdmin, signedInWithSession } from '../request/request.ts';

/** `/api/door/profile/sessions` and `/api/door/sessions`: where an account is signed in; and the tokens of its programs. */
export const sessionRoutes = (auth: AuthServices): Hono => {
  const { pool, sessions, security } = auth;
  const http = new Hono();
  const get = getJson(http);
  const postAs = postJsonAs(http, async (c) => ({ actor: await signedIn(sessions, c) }));
  const postAsAdmin = postJsonAs(http, async (c) => ({ actor: await signedInAdmin(sessions, c) }));
  const postAsStaff = postJsonAs(http, async (c) => {
    const caller = await signedInWithSession(sessions, c);
    if (sessions.bringsToken(c.req.raw.headers)) throw new ProblemError('forbidden', 'A token makes no other token.');
    if (caller.actor.role === 'student') throw new ProblemError('forbidden', 'Your account may not do this.');
    return caller;
  });
  const list = new SessionList(pool);

  const listing = { does: 'Where the account is signed in.', for: EVERYBODY, answers: sessionsShown };
  get('/profile/sessions', listing, async (c) => {
    const actor = await signedIn(sessions, c);
    return list.of(actor, sessions.tokenIn(c.req.raw.headers));
  });
  const ending = { does: "Ends one of the user's own sessions.", for: EVERYBODY, takes: endSession, answers: nothing };
  postAs('/profile/sessions/end', ending, async (c, { sessionId }, { actor }) => {
    await list.end(actor, sessionId);
    security.note({ kind: 'sessions-ended', actor, about: actor.accountId, name: 'one', address: addressOf(c) });
    return {};
  });

  const making = {
    does: 'Makes a bearer token for a program, once the profile is unlocked.',
    for: 'staff',
    takes: makeToken,
    answers: tokenMade,
  };
  postAsStaff('/profile/tokens', making, async (c, wanted, { actor, session }) =>
    new Profile(auth).makeToken(actor, session, { ...wanted, address: addressOf(c) }),
  );

  const accountQuery = z.object({ accountId: id });
  const theirs = { does: 'Where an account of the school is signed in.', for: 'admin', asks: accountQuery, answers: sessionsShown };
  get('/sessions', theirs, async (c) => {
    const { schoolId } = await signedInAdmin(sessions, c);
    const { accountId } = validated(accountQuery, c.req.query());
    return list.of({ accountId, schoolId }, sessions.tokenIn(c.req.raw.headers));
  });
  const endingTheirs = {
    does: 'Ends a session of an account of the school.',
    for: 'admin',
    takes: endSessionOf,
    answers: nothing,
  };
  postAsAdmin('/sessions/end', endingTheirs, async (c, { accountId, sessionId }, { actor }) => {
    await list.end({ accountId, schoolId: actor.schoolId }, sessionId);
    security.note({ kind: 'sessions-ended', actor, about: accountId, name: 'one', address: addressOf(c) });
    return {};
  });
  return http;
};
