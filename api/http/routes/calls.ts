import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { Hono } from 'hono';
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
import type { Model } from '../../common/models.ts';
import { ProblemError, validated } from '../../common/problems.ts';
import { admits } from '../../common/rule.ts';
import { NOTHING } from '../../pipeline/about.ts';
import type { Backpressure } from '../../pipeline/backpressure.ts';
import type { ViewAs } from '../../pipeline/view-as.ts';
import { bodyOf } from '../body.ts';
import { inJson } from '../in-json.ts';
import { whoMay } from '../openapi/who-may.ts';
import { described } from '../openapi/route-docs.ts';
import { isQueryName, queries } from '../../queries.ts';
import { isResourceName, resources } from '../../resources.ts';
import type { Asking } from '../request/asker.ts';
import { askerOf, minPositionOf } from '../request/asker.ts';
import { fromOwnPage } from '../request/middleware.ts';
import { viewAsIn } from '../request/view-as.ts';
import { authMessages } from '../../contract/auth-messages.ts';
import { keyOf, parametersOf, signedIn } from '../request/request.ts';

export type CallOptions = Asking & Omit<CallerOptions, 'slowed' | 'derived'>;
type RouteOptions = CallOptions & { readonly backpressure: Pick<Backpressure, 'run'> };

/**
 * The documented calls, each under its own address. The sender is looked up before parameters and body are read, so that nobody sends what
 * they may not, and again after a body, because rights may be taken away in the minutes that it can take.
 */
export const callRoutes = (options: RouteOptions): Hono => {
  const http = new Hono();
  const { backpressure } = options;
  const callerOptions: CallerOptions = {
    ...options,
    derived: new DerivedAnswers(),
    slowed: (actor, work) => backpressure.run(actor, work),
  };
  for (const [name, call] of Object.entries(calls) as [CallName, Call][]) {
    if (call.adapt === undefined) continue;
    const [method = '', path = ''] = name.split(' ');
    http.on(method, path.replaceAll(/\{(\w+)\}/gu, ':id'), describedAs(name, call), async (c) => {
      const answer = await answered(options, callerOptions, c, name, call);
      const made = answer instanceof Derived ? answer : new Derived(answer);
      return inJson(c, made.length, (encoding) => made.body(encoding));
    });
  }
  return http;
};

const describedAs = (name: CallName, { purpose, asks, takes, largest, answers }: Call) =>
  described({
    does: purpose,
    for: whoMay(callAccess[name]).replace(/^For /u, '').replace(/\.$/u, ''),
    ...(asks === undefined ? {} : { asks }),
    ...(takes === undefined ? {} : { takes }),
    ...(largest === undefined ? {} : { largest }),
    viewAs: true,
    answers,
  });

const answered = async (options: RouteOptions, callerOptions: CallerOptions, c: Context, name: CallName, call: Call): Promise<unknown> => {
  const identify = (viewAs?: ViewAs): Promise<Actor> => identifyFor(options, c, name, call, viewAs);
  const { asks: parameters = noParameters, takes, largest, viewed, changes } = call;
  if (changes && viewAsIn(c)?.role === 'student') {
    await signedIn(options.sessions, c);
    throw new ProblemError('view-only', authMessages.viewOnly);
  }
  const first = await identify();
  if (changes && !options.sessions.bringsToken(c.req.raw.headers)) fromOwnPage(c);
  const asks = validated(parameters, withListedNames('parameter', parameters, parametersOf(c)));
  const body = takes === undefined ? undefined : validated(takes, await bodyOf(c, { actor: first, largest }));
  const viewing = viewed && first.studentId === null ? viewed(asks as never) : undefined;
  const again = (): Promise<Actor> => identify(viewing === undefined ? undefined : { role: 'student', id: viewing });
  const actor = takes === undefined && viewing === undefined ? first : await again();
  const caller = new Caller(callerOptions, actor, { key: keyOf(c) ?? randomUUID(), again });
  const rule = callAccess[name];
  // Of what students ask too, the call finds what is the student's own.
  const ofOwn = actor.studentId !== null && rule.roles.some((role) => role === 'student');
  const about = ofOwn ? NOTHING : await caller.about(rule, idsIn(asks));
  return call.adapt?.(caller, { asks, takes: body, id: c.req.param('id') ?? '', about } as never);
};

/** Whoever sends it, once the read models that the answer is made of have reached the position asked for. */
const identifyFor = async (options: RouteOptions, c: Context, name: CallName, call: Call, viewAs?: ViewAs): Promise<Actor> => {
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
