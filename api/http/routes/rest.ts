import { isDeepStrictEqual } from 'node:util';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { Problem } from '../../contract/problem.ts';
import type { EventStore } from '../../../events/store/port.ts';
import { CHANNELS_HEADER } from '../../contract/channels.ts';
import { ProblemError } from '../../common/problems.ts';
import type { AnyResource, OurLists, ResourceName } from '../../resources.ts';
import type { ModelProgress } from '../../common/models.ts';
import { parseListQuery } from '../../common/list-query.ts';
import type { Values } from '../../common/resource.ts';
import { encoded } from '../../common/encoding.ts';
import type { CommandName, Commands } from '../../commands.ts';
import { commands } from '../../commands.ts';
import { READ_WAIT_MS } from '../../pipeline/rights.ts';
import type { Asking as Askers } from '../request/asker.ts';
import { askerOf, minPositionOf } from '../request/asker.ts';
import { bodyOf } from '../body.ts';
import { keyOf } from '../request/request.ts';
import { asOfHeaders } from '../request/as-of.ts';
import type { UpTo } from '../../pipeline/query-bus.ts';
import { inJson } from '../in-json.ts';

export type RestOptions = Askers &
  Pick<ModelProgress, 'waitFor'> & {
    readonly bus: Commands;
    readonly store: Pick<EventStore, 'head'>;
    readonly lists: OurLists;
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
    const { asOf, ...asked } = c.req.query();
    const listQuery = parseListQuery(resource, asked);
    if (asOf === undefined) sayWhen(options, c, name);
    const { result, upTo } = await options.lists.page(name, actor, listQuery, asOf);
    if (asOf !== undefined) await sayMoment(options, c, actor, upTo);
    const { records, total } = result;
    const range = records.length === 0 ? '*' : `${listQuery.offset}-${listQuery.offset + records.length - 1}`;
    c.header('Content-Range', `${name} ${range}/${total}`);
    const text = JSON.stringify(records);
    return inJson(c, text.length, (encoding) => encoded(text, encoding));
  });

  http.get('/:resource/:id', async (c) => {
    const { name, actor } = await reading(options, c);
    const asOf = c.req.query('asOf');
    if (asOf === undefined) sayWhen(options, c, name);
    const { result, upTo } = await options.lists.record(name, actor, idOf(c), asOf);
    if (asOf !== undefined) await sayMoment(options, c, actor, upTo);
    c.header('Cache-Control', 'no-store');
    return c.json(result);
  });

  http.post('/:resource', async (c) => {
    const { name, resource, actor: before } = await asking(options, c);
    const { create } = resource;
    if (!create) throw notAllowed();
    const fields = await sentBy(options, c, create.command, before);
    const { actor } = await asking(options, c);
    const { position, result } = await options.bus.execute(create.command, { actor, key: keyOf(c), body: create.body(fields, actor) });
    await waitUntilShown(options, c, resource, position);
    return c.json((await options.lists.record(name, actor, String(values(result)[create.id]))).result, 201);
  });

  http.put('/:resource/:id', async (c) => {
    const { resource, actor } = await asking(options, c);
    const { update } = resource;
    if (!update) throw notAllowed();
    const id = idOf(c);
    const sent = await sentBy(options, c, update.command, actor);
    const at = await asNow(options, c, id);
    const before = await recordNow(options, at);
    await execute(options, c, at, { command: update.command, body: update.body(sent, before), match: c.req.header('If-Match') });
    return c.json((await options.lists.record(at.name, at.actor, at.id)).result);
  });

  http.delete('/:resource/:id', async (c) => {
    const at = await asNow(options, c, idOf(c));
    const { remove } = at.resource;
    if (!remove) throw notAllowed();
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
const asking = async (options: RestOptions, c: Context, atLeast?: bigint): Promise<Asking> => {
  const name = options.lists.named(c.req.param('resource') ?? '');
  const resource = options.lists.resource(name);
  const actor = await options.queries.reader(askerOf(options, c), resource.models, atLeast);
  options.lists.authorise(name, actor);
  return { name, resource, actor };
};

/** The body from a sender who may give the command. The caller looks up their rights again afterwards. */
const sentBy = async ({ bus }: RestOptions, c: Context, command: CommandName, actor: Actor): Promise<Values> => {
  bus.authorise(command, actor);
  return values(await bodyOf(c, { actor, largest: commands[command].largest }));
};

const asNow = async (options: RestOptions, c: Context, id: string): Promise<At> => ({ ...(await asking(options, c)), id });

/** The same of whoever only reads, at the position asked for. @throws ReadModelBehind too */
const reading = async (options: RestOptions, c: Context): Promise<Asking> => asking(options, c, await minPositionOf(options, c));

/** Sets the headers for the position of the answer and its channels. */
const sayWhen = ({ queries, lists }: RestOptions, c: Context, name: ResourceName): void => {
  c.header('X-Read-Position', String(queries.positionOf(lists.resource(name).models)));
  c.header(CHANNELS_HEADER, lists.channelsOf(name).join(' '));
};

/** The same of an earlier moment, for whoever still has the rights with which it was read: that may have taken a while. */
const sayMoment = async (options: RestOptions, c: Context, before: Actor, upTo: UpTo | undefined): Promise<void> => {
  const { name, actor } = await asking(options, c);
  if (!isDeepStrictEqual(actor, before)) throw new ProblemError('forbidden', `Your rights have changed: ask for ${name} again.`);
  for (const [header, value] of Object.entries(asOfHeaders(upTo))) c.header(header, value);
};

/** The record, once the read models have reached the head of the log. */
const recordNow = async (options: RestOptions, at: At): Promise<Values> => {
  const { models, written = models } = at.resource;
  await options.waitFor(written, await options.store.head(), READ_WAIT_MS);
  return (await options.lists.record(at.name, at.actor, at.id)).result;
};

const execute = async (options: RestOptions, c: Context, at: At, { command, body, match }: Write): Promise<void> => {
  const { position } = await options.bus.execute(command, {
    actor: at.actor,
    key: keyOf(c),
    body,
    ...(match !== undefined && { precondition: async () => requireVersion(await recordNow(options, at), match) }),
  });
  await waitUntilShown(options, c, at.resource, position);
};

const requireVersion = ({ version }: Values, match: string): void => {
  const versions = match.split(',').map((one) => one.trim());
  if (versions.includes('*') || versions.includes(`"${String(version)}"`)) return;
  throw new ProblemError('precondition-failed', 'Somebody else has changed this meanwhile.', {
    detail: 'Look at what it says now, and save again.',
  });
};

/** Waits until the read models show what was written. */
const waitUntilShown = async (
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
