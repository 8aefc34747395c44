import type { Context } from 'hono';
import { Hono } from 'hono';
import { z } from 'zod';
import { restAccess } from '../../access.ts';
import { admits } from '../../common/rule.ts';
import type { Actor } from '../../actor.ts';
import type { CommandName } from '../../commands.ts';
import type { Problem } from '../../contract/problem.ts';
import type { EventStore } from '../../../events/store/port.ts';
import { channelsOf } from '../../common/models.ts';
import { CHANNELS_HEADER } from '../../contract/channels.ts';
import { ProblemError } from '../../common/problems.ts';
import type { AnyResource, ResourceName } from '../../resources.ts';
import { isResourceName, resources } from '../../resources.ts';
import { parseListQuery } from '../../common/list-query.ts';
import { readPage, readRecord } from '../../common/read.ts';
import type { Values } from '../../common/resource.ts';
import { encoded } from '../../common/encoding.ts';
import type { ReadAs } from '../../common/facts.ts';
import type { Commands } from '../../commands.ts';
import { READ_WAIT_MS } from '../../pipeline/rights.ts';
import type { Asking as Askers } from '../request/asker.ts';
import { askerOf, minPositionOf } from '../request/asker.ts';
import { bodyOf, keyOf } from '../request/request.ts';
import { inJson } from '../in-json.ts';

export type RestOptions = Askers & {
  readonly bus: Commands;
  readonly store: Pick<EventStore, 'head'>;
  readonly readAs: ReadAs;
  /** Fulfilled when the read models have reached the position. @throws ReadModelBehind */
  readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
};

/**
 * `/api/rest/{resource}`: the dialect of ra-data-simple-rest.
 *
 * Every write is a command, with its rights, rules and Idempotency-Key; the response is the record after the command, with the position of
 * the log in `X-Position`. With `If-Match: "<version of the record>"` the response is 412 if the record was changed meanwhile.
 */
export const restRoutes = (options: RestOptions): Hono => {
  const http = new Hono();

  http.get('/:resource', async (c) => {
    const { name, resource, actor } = await reading(options, c);
    const listQuery = parseListQuery(resource, c.req.query());
    sayWhen(options, c, resource);
    const { records, total } = await options.readAs(actor.schoolId, (query) => readPage(query, resource, listQuery, within(name, actor)));
    const range = records.length === 0 ? '*' : `${listQuery.offset}-${listQuery.offset + records.length - 1}`;
    c.header('Content-Range', `${name} ${range}/${total}`);
    const text = JSON.stringify(records);
    return inJson(c, text.length, (encoding) => encoded(text, encoding));
  });

  http.get('/:resource/:id', async (c) => {
    const { name, resource, actor } = await reading(options, c);
    sayWhen(options, c, resource);
    c.header('Cache-Control', 'no-store');
    return c.json(await recordOf(options, { name, resource, actor, id: idOf(c) }));
  });

  http.post('/:resource', async (c) => {
    const { name, resource, actor } = await asking(options, c);
    const { create } = resource;
    if (!create) throw notAllowed();
    const { position, result } = await options.bus.execute(create.command, {
      actor,
      key: keyOf(c),
      body: create.body(values(await bodyOf(c)), actor),
    });
    await shown(options, c, resource, position);
    return c.json(await recordOf(options, { name, resource, actor, id: String(values(result)[create.id]) }), 201);
  });

  http.put('/:resource/:id', async (c) => {
    const { name, resource, actor } = await asking(options, c);
    const { update } = resource;
    if (!update) throw notAllowed();
    const at = { name, resource, actor, id: idOf(c) };
    const sent = values(await bodyOf(c));
    const before = await recordNow(options, at);
    await execute(options, c, at, { command: update.command, body: update.body(sent, before), match: c.req.header('If-Match') });
    return c.json(await recordOf(options, at));
  });

  http.delete('/:resource/:id', async (c) => {
    const { name, resource, actor } = await asking(options, c);
    const { remove } = resource;
    if (!remove) throw notAllowed();
    const at = { name, resource, actor, id: idOf(c) };
    const before = await recordNow(options, at);
    await execute(options, c, at, { command: remove.command, body: remove.body(before), match: c.req.header('If-Match') });
    return c.json(before);
  });

  return http;
};

/** A problem in the format that ra-data-simple-rest passes to a form: a message, and one for each field. */
export const inDialect = (problem: Problem): object => ({
  ...problem,
  message: problem.title,
  ...(problem.errors === undefined
    ? {}
    : { errors: Object.fromEntries(problem.errors.toReversed().map(({ path, message }) => [path, message])) }),
});

type Asking = { readonly name: ResourceName; readonly resource: AnyResource; readonly actor: Actor };
type At = Asking & { readonly id: string };
type Write = { readonly command: CommandName; readonly body: Values; readonly match: string | undefined };

/** @throws ProblemError `not-authenticated`, `not-found`, `forbidden` */
const asking = async (options: RestOptions, c: Context): Promise<Asking> =>
  asked(c, await options.queries.reader(askerOf(options, c), [], undefined));

/** The same of whoever only reads, at the position asked for. @throws ReadModelBehind too */
const reading = async (options: RestOptions, c: Context): Promise<Asking> => {
  const name = c.req.param('resource') ?? '';
  const models = isResourceName(name) ? resources[name].models : [];
  return asked(c, await options.queries.reader(askerOf(options, c), models, await minPositionOf(options, c)));
};

const asked = (c: Context, actor: Actor): Asking => {
  const name = c.req.param('resource') ?? '';
  if (!isResourceName(name))
    throw new ProblemError('not-found', `There is no resource ${name}. Known: ${Object.keys(resources).join(', ')}.`);
  if (!admits(restAccess[name], actor)) throw new ProblemError('forbidden', 'Your account may not see this.');
  return { name, resource: resources[name], actor };
};

/** The subjects whose records the user may see; undefined: all. */
const within = (name: ResourceName, { role, subjectIds }: Actor): readonly string[] | undefined =>
  restAccess[name].within === 'school' || role === 'admin' || role === 'auditor' ? undefined : subjectIds;

/** As of when it is read, and what changes it. */
const sayWhen = ({ queries }: RestOptions, c: Context, resource: AnyResource): void => {
  c.header('X-Read-Position', String(queries.positionOf(resource.models)));
  c.header(CHANNELS_HEADER, channelsOf(resource).join(' '));
};

/** @throws ProblemError `not-found` */
const recordOf = async ({ readAs }: RestOptions, { name, resource, actor, id }: At): Promise<Values> => {
  const record = await readAs(actor.schoolId, (query) => readRecord(query, resource, id, within(name, actor)));
  if (!record) throw new ProblemError('not-found', 'There is no such record, or it has been removed.');
  return record;
};

/** The record, once the read models have reached the head of the log. */
const recordNow = async (options: RestOptions, at: At): Promise<Values> => {
  const { models, written = models } = at.resource;
  await options.waitFor(written, await options.store.head(), READ_WAIT_MS);
  return recordOf(options, at);
};

const execute = async (options: RestOptions, c: Context, at: At, { command, body, match }: Write): Promise<void> => {
  const { position } = await options.bus.execute(command, {
    actor: at.actor,
    key: keyOf(c),
    body,
    ...(match !== undefined && { precondition: async () => requireVersion(await recordNow(options, at), match) }),
  });
  await shown(options, c, at.resource, position);
};

const requireVersion = ({ version }: Values, match: string): void => {
  const versions = match.split(',').map((one) => one.trim());
  if (versions.includes('*') || versions.includes(`"${String(version)}"`)) return;
  throw new ProblemError('precondition-failed', 'Somebody else has changed this meanwhile.', {
    detail: 'Look at what it says now, and save again.',
  });
};

/** Waits until the read models show what was written. */
const shown = async (
  { waitFor }: RestOptions,
  c: Context,
  { models, written = models }: AnyResource,
  position: string | null,
): Promise<void> => {
  if (position === null) return;
  c.header('X-Position', position);
  await waitFor(written, BigInt(position), READ_WAIT_MS);
};

const idOf = (c: Context): string => {
  const id = z.guid().safeParse(c.req.param('id'));
  if (!id.success) throw new ProblemError('not-found', 'There is no such record, or it has been removed.');
  return id.data;
};

const values = (body: unknown): Values => {
  const object = z.record(z.string(), z.unknown()).safeParse(body);
  if (!object.success) throw new ProblemError('invalid-input', 'A record is a JSON object.');
  return object.data;
};

const notAllowed = (): ProblemError => new ProblemError('not-allowed', 'This resource cannot be changed in this way.');
