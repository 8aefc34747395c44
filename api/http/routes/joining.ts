import { Hono } from 'hono';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { AuthServices } from '../../auth/auth.ts';
import type { JoinCodes } from '../../auth/joining/join-codes.ts';
import { Joining } from '../../auth/joining/joining.ts';
import { Places } from '../../auth/joining/places.ts';
import type { Limit } from '../../auth/limits.ts';
import { nothing } from '../../contract/answer.ts';
import * as contract from '../../contract/auth.ts';
import { id } from '../../contract/fields.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import { addressOf } from '../request/address.ts';
import { getJson, postJson, postJsonAs } from '../openapi/route-docs.ts';
import { signedIn, signedInAdmin } from '../request/request.ts';

/** Of a subject, whoever clears them: each time a guesser can begin again. */
const WAITS_CLEARED: Limit = { name: 'waits for joining cleared', most: 3, seconds: 3_600 };

/** `/api/door/join/*`, and what staff see and do about waiting students. */
export const joiningRoutes = (auth: AuthServices, joinCodes: JoinCodes): Hono => {
  const http = new Hono();
  const places = new Places(auth.pool, auth.limits, auth.secrets);
  studentRoutes(http, new Joining(auth, joinCodes, places));

  const subjectQuery = z.object({ subjectId: id });
  const get = getJson(http);
  get('/join-code', { does: 'A joining code.', for: 'admin', asks: subjectQuery, answers: contract.joinCodeShown }, async (c) => {
    const { schoolId } = await signedInAdmin(auth.sessions, c);
    const { subjectId } = validated(subjectQuery, c.req.query());
    const shown = await joinCodes.show(schoolId, subjectId);
    const link = shown.code === null ? null : `${auth.publicUrl}/code?code=${shown.code}`;
    return { ...shown, link };
  });

  const codeTagOf = async (actor: Actor, subjectId: string): Promise<string> => {
    if (!isStaffOf(actor, subjectId)) throw new ProblemError('forbidden', 'Your account may not do this.');
    const codeTag = await joinCodes.newest(actor.schoolId, subjectId);
    if (codeTag === undefined) throw new ProblemError('not-found', 'This subject has no joining code.');
    return codeTag;
  };
  const waiting = { does: 'How many students wait for a place to join.', for: 'staff of the subject', asks: subjectQuery } as const;
  get('/join/waiting', { ...waiting, answers: contract.joiningWait }, async (c) => {
    const actor = await signedIn(auth.sessions, c);
    const { subjectId } = validated(subjectQuery, c.req.query());
    if (!isStaffOf(actor, subjectId)) throw new ProblemError('forbidden', 'Your account may not see this.');
    const codeTag = await joinCodes.newest(actor.schoolId, subjectId);
    return { waiting: codeTag === undefined ? 0 : await places.waiting(codeTag) };
  });
  const clearing = { does: 'Lets the students go on who wait for a place to join.', for: 'staff of the subject' } as const;
  postJsonAs(http, async (c) => ({ actor: await signedIn(auth.sessions, c) }))(
    '/join/clear',
    { ...clearing, takes: contract.ofSubject, answers: contract.joiningCleared },
    async (c, { subjectId }, { actor }) => {
      const codeTag = await codeTagOf(actor, subjectId);
      if ((await places.waiting(codeTag)) === 0) return { cleared: 0 };
      await auth.limits.count(WAITS_CLEARED, actor.schoolId, subjectId);
      auth.security.note({ kind: 'joining-cleared', actor, about: subjectId, address: addressOf(c) });
      return { cleared: await places.clear(codeTag, addressOf(c)) };
    },
  );
  return http;
};

/** Auditors only read. */
const isStaffOf = ({ role, subjectIds }: Actor, subjectId: string): boolean =>
  role === 'admin' || ((role === 'leader' || role === 'teacher') && subjectIds.includes(subjectId));

const studentRoutes = (http: Hono, joining: Joining): void => {
  const post = postJson(http);
  const code = { does: 'Joining: the code of a subject.', takes: contract.joinCode, answers: contract.joinSchool } as const;
  post('/join/code', code, async (c, body) => joining.code((await body()).code, addressOf(c)));
  const birthday = {
    does: 'Joining: the names to choose from, or what to wait for.',
    takes: contract.joinBirthday,
    answers: contract.joinChoices,
  } as const;
  post('/join/birthday', birthday, async (c, body) => {
    const { patience = 0, ...born } = await body();
    return joining.birthday(born, addressOf(c), { seconds: patience, gone: c.req.raw.signal });
  });
  post('/join/name', { does: 'Joining: the chosen name.', takes: contract.joinName, answers: nothing }, async (c, body) => {
    await joining.name(await body(), addressOf(c));
    return {};
  });
  const account = {
    does: 'Joining: opens the account and signs in with the cookie of the response.',
    takes: contract.joinAccount,
  } as const;
  post('/join/account', { ...account, answers: nothing }, async (c, body) => {
    c.header('Set-Cookie', await joining.account(await body(), addressOf(c)));
    return {};
  });
};
