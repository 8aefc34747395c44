import type { Context } from 'hono';
import { Hono } from 'hono';
import { queryAccess } from '../../access.ts';
import { admits, asOfRoles } from '../../common/rule.ts';
import type { Actor } from '../../actor.ts';
import { mayReadSubject } from '../../actor.ts';
import type { AuthServices } from '../../auth/auth.ts';
import type { RunSql } from '../../common/facts.ts';
import { CHANNELS_HEADER, FOLLOW_HEADER, LINE_HEADER } from '../../contract/channels.ts';
import type { Following } from '../../live/subscriptions.ts';
import { notYourSubject, ProblemError, validated } from '../../common/problems.ts';
import { Slice } from '../../common/yield-to-event-loop.ts';
import type { QueryName } from '../../queries.ts';
import { isQueryName, queries } from '../../queries.ts';
import type { Scope } from '../../common/models.ts';
import { channelsOf } from '../../common/models.ts';
import { encoded } from '../../common/encoding.ts';
import type { Asked, SharedAnswers } from '../../live/query-cache.ts';
import { keyOf, LONGEST_KEY } from '../../live/query-cache.ts';
import type { About, QueryDefinition } from '../../common/query.ts';
import { JsonText } from '../../common/query.ts';
import { addressOf } from '../request/address.ts';
import { inJson } from '../in-json.ts';
import { asOfHeaders, momentAsked } from '../request/as-of.ts';
import type { Reading } from '../request/reader.ts';
import { readerOf } from '../request/reader.ts';
import { bodyOf, lineIn, minPosition, readPosition, signedIn, takesOnly } from '../request/request.ts';
import { viewingAs } from '../request/view-as.ts';

export type QueryOptions = Reading & {
  readonly auth: Pick<AuthServices, 'security'>;
  /** `readAs` at an earlier moment, an ISO instant; `accountId`: whose. `upTo`: the last event that the result includes. */
  readonly readAsOf: <T>(
    view: { readonly schoolId: string; readonly accountId: string; readonly moment: string },
    work: (query: RunSql) => Promise<T>,
  ) => Promise<{ readonly result: T; readonly upTo: { readonly eventId: string; readonly at: string } | undefined }>;
  readonly answers: SharedAnswers;
  readonly following: Following;
  /** How far the read models have come. */
  readonly positions: () => ReadonlyMap<string, bigint>;
};

/** `/api/queries/{name}`: GET with the input as query string, POST with it as JSON. */
export const queryRoutes = (options: QueryOptions): Hono => {
  const http = new Hono();
  http.get('/:name', async (c) => {
    const { asOf: _, ...input } = c.req.query();
    return answer(options, c, () => input);
  });
  http.post('/:name', async (c) => answer(options, c, () => bodyOf(c)));
  http.all('/:name', takesOnly('GET, POST'));
  return http;
};

/** `readInput` is called once the user's right is checked. */
const answer = async (options: QueryOptions, c: Context, readInput: () => unknown): Promise<Response> => {
  const name = c.req.param('name') ?? '';
  if (!isQueryName(name)) throw new ProblemError('unknown-query', `There is no query ${name}. Known: ${Object.keys(queries).join(', ')}.`);
  // Safe: `defineQuery` checked that the parts fit together; the table of queries has forgotten their types.
  const declared = queries[name] as unknown as QueryDefinition<unknown>;
  const { input: schema, models, run } = declared;
  const isOfNow = c.req.query('asOf') === undefined;
  const actor = isOfNow ? await readerOf(options, c, models) : await viewingAs(options, c, await signedIn(options.identity, c));
  if (!admits(queryAccess[name], actor)) throw new ProblemError('forbidden', 'Your account may not see this.');
  if (!isOfNow) requireAsOf(name, actor);
  const body = await readInput();
  const slice = new Slice();
  const asked = validated(schema, body);
  await slice.yield();
  requireSubject(name, actor, asked);
  let scope = scopeOf(asked);
  const about: About = (known) => {
    scope = { ...scope, ...known };
  };
  const { shared } = declared;
  const toShare = { schoolId: actor.schoolId, name, input: shared?.part ? shared.part.whole(asked) : asked };
  if (shared && isOfNow && keyOf(toShare).length <= LONGEST_KEY)
    return sharedAnswer(options, c, actor, { asked: { ...toShare, declared: { ...declared, shared }, scope }, wanted: asked });
  const result = await read(options, c, actor, models, (query) => run(query, asked, actor, about));
  if (isOfNow) c.header(CHANNELS_HEADER, channelsOf(declared, scope).join(' '));
  if (name.startsWith('export-')) options.auth.security.note({ kind: 'export', actor, name, address: addressOf(c) });
  await slice.yield();
  const text = result instanceof JsonText ? result.text : JSON.stringify(result);
  return inJson(c, text.length, (encoding) => encoded(text, encoding));
};

/** One that was read once for all who may see it. `wanted`: the input, maybe for a part of it. */
const sharedAnswer = async (
  options: QueryOptions,
  c: Context,
  actor: Actor,
  { asked, wanted }: { readonly asked: Asked; readonly wanted: unknown },
): Promise<Response> => {
  const { shared } = asked.declared;
  const { version: whole, trueAt } = await options.answers.ask(asked, minPosition(c));
  const own = shared.own(whole.facts, actor, wanted);
  const version = whole.at(shared.part?.places(whole.facts, wanted));
  const named = version.tagWith(own);
  const tag = `"${named}"`;
  c.header('X-Read-Position', String(trueAt));
  c.header(CHANNELS_HEADER, version.channels.join(' '));
  c.header('ETag', tag);
  const line = lineIn(c.req.header(LINE_HEADER), actor);
  if (c.req.method === 'GET' && line !== undefined && actor.viewAs?.role !== 'student')
    c.header(FOLLOW_HEADER, options.following.follow(line, { asked, wanted }, whole, named));
  if (c.req.method === 'GET' && isHeld(c.req.header('If-None-Match'), tag)) {
    c.header('Cache-Control', 'no-store');
    return c.body(null, 304);
  }
  return inJson(c, version.length, (encoding) => version.body(own, encoding));
};

/** Whether the client says that it has this version. Proxies that compress mark it as weak. */
const isHeld = (held: string | undefined, tag: string): boolean =>
  (held ?? '').split(',').some((one) => one.trim().replace(/^W\//u, '') === tag);

const scopeOf = (input: unknown): Scope =>
  typeof input === 'object' && input !== null && 'subjectId' in input ? { subjectId: String(input.subjectId) } : {};

/** Runs the query on the read models as they are now, or as they were at the moment asked for. The rights are today's in both cases. */
const read = async (
  options: QueryOptions,
  c: Context,
  { schoolId, accountId }: Actor,
  models: readonly string[],
  run: (query: RunSql) => Promise<unknown>,
): Promise<unknown> => {
  const moment = momentAsked(c.req.query('asOf'));
  if (moment !== undefined) {
    const { result, upTo } = await options.readAsOf({ schoolId, accountId, moment }, run);
    for (const [name, value] of Object.entries(asOfHeaders(upTo))) c.header(name, value);
    return result;
  }
  c.header('X-Read-Position', readPosition(options.positions(), models));
  return options.readAs(schoolId, run);
};

const requireAsOf = (name: QueryName, { role }: Actor): void => {
  const roles = asOfRoles(queryAccess[name]);
  if (roles.length === 0) throw new ProblemError('forbidden', 'This cannot be shown as of an earlier moment.');
  if (!roles.includes(role)) throw new ProblemError('forbidden', 'Your account may see this only as of now.');
};

const requireSubject = (name: QueryName, actor: Actor, input: unknown): void => {
  if (queryAccess[name].within !== 'subject' || typeof input !== 'object' || input === null || !('subjectId' in input)) return;
  if (!mayReadSubject(actor, String(input.subjectId))) throw notYourSubject();
};
