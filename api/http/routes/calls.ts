import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { z } from 'zod';
import type { CallName } from '../../access.ts';
import { callAccess } from '../../access.ts';
import type { Actor } from '../../actor.ts';
import type { Call } from '../../calls/call.ts';
import { noParameters } from '../../calls/call.ts';
import type { CallerOptions } from '../../calls/caller.ts';
import { Caller } from '../../calls/caller.ts';
import { calls } from '../../calls/calls.ts';
import { Derived, DerivedAnswers } from '../../calls/derived.ts';
import { idsIn, withListedNames } from '../../calls/named.ts';
import type { AccountOptions, AccountServices } from '../../calls/account-services.ts';
import { accountServices } from '../../calls/account-services.ts';
import type { Visit } from '../../calls/visit.ts';
import { noSuch } from '../../common/about.ts';
import type { Model } from '../../common/models.ts';
import { studentOf } from '../../common/of-student.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import type { RuleAbout } from '../../common/rule.ts';
import { admits } from '../../common/rule.ts';
import { NOTHING } from '../../pipeline/about.ts';
import type { Backpressure } from '../../pipeline/backpressure.ts';
import type { ViewAs } from '../../pipeline/view-as.ts';
import { bodyOf } from '../body.ts';
import { inJson } from '../in-json.ts';
import { whoMay } from '../openapi/who-may.ts';
import { described, EVERYBODY } from '../openapi/route-docs.ts';
import { isQueryName, queries } from '../../queries.ts';
import { isResourceName, resources } from '../../resources.ts';
import type { Asking } from '../request/asker.ts';
import { askerOf, minPositionOf } from '../request/asker.ts';
import { fromOwnPage } from '../request/middleware.ts';
import { viewAsIn } from '../request/view-as.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { addressOf } from '../request/address.ts';
import { keyOf, parametersOf, signedIn, signedInWithSession } from '../request/request.ts';
import type { ErrorOptions } from './errors.ts';
import { reportingErrors } from './errors.ts';

export type CallOptions = Asking & Omit<CallerOptions, 'slowed' | 'derived' | 'services'>;
type RouteOptions = CallOptions & AccountOptions & ErrorOptions & { readonly backpressure: Pick<Backpressure, 'run'> };

/**
 * The documented calls, each under its own address. The sender is looked up before parameters and body are read, so that nobody sends what
 * they may not, and again after a body, because rights may be taken away in the minutes that it can take.
 */
export const callRoutes = (options: RouteOptions): Hono => {
  const http = new Hono();
  const { backpressure } = options;
  const services = accountServices(options);
  const callerOptions: CallerOptions = {
    ...options,
    derived: new DerivedAnswers(),
    services,
    slowed: (actor, work) => backpressure.run(actor, work),
  };
  const visits: VisitOptions = { sessions: options.sessions, services, report: reportingErrors(options) };
  for (const [name, call] of Object.entries(calls) as [CallName, Call][]) {
    const [method = '', path = ''] = name.split(' ');
    http.on(method, path.replaceAll(/\{(\w+)\}/gu, ':id'), describedAs(name, call), async (c) => {
      if (call.changes) await requireOwnWish(options, c);
      if (call.answer) {
        const answer = await call.answer(visitOf(visits, c, call) as never);
        c.header('Cache-Control', 'no-store');
        return answer instanceof Response ? answer : c.json(answer as object);
      }
      const answer = await answered(options, callerOptions, c, name, call);
      const made = answer instanceof Derived ? answer : new Derived(answer);
      return inJson(c, made.length, (encoding) => made.body(encoding));
    });
  }
  return http;
};

const describedAs = (name: CallName, { purpose, asks, takes, largest, answers, adapt }: Call) => {
  const rule: RuleAbout = callAccess[name];
  const who = rule.within === 'self' && !adapt ? EVERYBODY : whoMay(rule).replace(/^For /u, '').replace(/\.$/u, '');
  return described({
    does: purpose,
    ...(rule.roles.length === 0 ? {} : { for: who }),
    ...(asks === undefined ? {} : { asks }),
    ...(takes === undefined ? {} : { takes }),
    ...(largest === undefined ? {} : { largest }),
    ...(adapt ? { viewAs: true } : {}),
    answers,
  });
};

/** Of a read that changes something. @throws ProblemError `not-authenticated`, `view-only`, `cross-site` */
const requireOwnWish = async ({ sessions }: Asking, c: Context): Promise<void> => {
  await signedIn(sessions, c);
  if (viewAsIn(c)?.role === 'student') throw new ProblemError('view-only', authMessages.viewOnly);
  if (!sessions.bringsToken(c.req.raw.headers)) fromOwnPage(c);
};

type VisitOptions = Pick<Asking, 'sessions'> & { readonly services: AccountServices; readonly report: ReturnType<typeof reportingErrors> };

/** What a call about sessions and accounts needs of its request. Parameters are refused where it has none. */
const visitOf = (
  { sessions, services, report }: VisitOptions,
  c: Context,
  { asks, takes = z.undefined() }: Call,
): Visit<unknown, unknown> => {
  const { headers, signal: gone } = c.req.raw;
  const parameters = (schema: z.ZodObject) => validated(schema, withListedNames('parameter', schema, parametersOf(c)));
  if (asks === undefined) parameters(noParameters);
  const body = async (actor?: Actor) => validated(takes, await bodyOf(c, { actor }));
  const own = () => signedInWithSession(sessions, c);
  return {
    services,
    id: c.req.param('id') ?? '',
    from: { address: addressOf(c), browser: c.req.header('User-Agent') },
    cookie: c.req.header('Cookie') ?? '',
    isByToken: sessions.bringsToken(headers),
    gone,
    asks: () => parameters(asks ?? noParameters),
    takes: () => body(),
    own,
    ownTakes: async () => {
      const takes = await body((await own()).actor);
      return { takes, ...(await own()) };
    },
    setCookie: (cookie) => c.header('Set-Cookie', cookie),
    report: (reportOf) => report(c, async ({ actor }) => reportOf(await body(actor ?? undefined))),
  };
};

const answered = async (options: RouteOptions, callerOptions: CallerOptions, c: Context, name: CallName, call: Call): Promise<unknown> => {
  const sender = (viewAs?: ViewAs): Promise<Actor> => senderOf(options, c, name, call, viewAs);
  const { asks: schema = noParameters, takes, largest, viewed } = call;
  const first = await sender();
  const asks = validated(schema, withListedNames('parameter', schema, parametersOf(c)));
  const body = takes === undefined ? undefined : validated(takes, await bodyOf(c, { actor: first, largest }));
  const viewing = viewed && first.studentId === null ? viewed(asks as never) : undefined;
  const again = (): Promise<Actor> => sender(viewing === undefined ? undefined : { role: 'student', id: viewing });
  const actor = takes === undefined && viewing === undefined ? first : await again();
  // The student's own, or that of the student as whom staff view.
  if (viewed && studentOf(actor) !== viewed(asks as never)) throw noSuch('student');
  const caller = new Caller(callerOptions, actor, { key: keyOf(c) ?? randomUUID(), again });
  const rule = callAccess[name];
  // Of what students ask too, the call finds what is the student's own.
  const ofOwn = actor.studentId !== null && rule.roles.some((role) => role === 'student');
  const about = ofOwn ? NOTHING : await caller.about(rule, idsIn(asks));
  return call.adapt?.(caller, { asks, takes: body, id: c.req.param('id') ?? '', about } as never);
};

/** Whoever sends it, once the read models that the answer is made of have reached the position asked for. */
const senderOf = async (options: RouteOptions, c: Context, name: CallName, call: Call, viewAs?: ViewAs): Promise<Actor> => {
  const asker = askerOf(options, c);
  const actor = await options.queries.reader(
    viewAs === undefined ? asker : { ...asker, viewAs },
    modelsOf(call),
    await minPositionOf(options, c),
  );
  if (!admits(callAccess[name], actor)) throw new ProblemError('forbidden', 'Your account may not do this.');
  return actor;
};

/** What is behind a call that reads, and what it reads itself. Commands wait for what they need. */
const modelsOf = ({ behind, models = [] }: Call): readonly Model[] => [
  ...new Set([
    ...models,
    ...behind.flatMap((one) => (isQueryName(one) ? queries[one].models : isResourceName(one) ? resources[one].models : [])),
  ]),
];
