import type { Context } from 'hono';
import { Hono } from 'hono';
import type { Actor } from '../../actor.ts';
import { commandAccess, commandsFromOutside } from '../../access.ts';
import { admits } from '../../common/rule.ts';
import type { CommandName, Commands } from '../../commands.ts';
import { commands, isCommandName } from '../../commands.ts';
import type { CommandAnswer } from '../../contract/live.ts';
import type { CachedSession } from '../../pipeline/optimistic-session.ts';
import { withCachedSession } from '../../pipeline/optimistic-session.ts';
import type { Backpressure } from '../../pipeline/backpressure.ts';
import { ProblemError } from '../../common/problems.ts';
import { jsonAtOnce } from '../in-node.ts';
import { bodyOf } from '../body.ts';
import { isSentFor, keyOf, takesOnly } from '../request/request.ts';
import type { Asking } from '../request/asker.ts';
import { askerOf } from '../request/asker.ts';
import { VIEW_AS_HEADER } from '../request/view-as.ts';

export type CommandOptions = Asking & { readonly bus: Commands };
type RouteOptions = CommandOptions & { readonly backpressure: Pick<Backpressure, 'run'> };

/** `/api/commands/{name}` */
export const commandRoutes = (options: RouteOptions): Hono => {
  const http = new Hono();
  http.post('/:name', async (c) => {
    const name = c.req.param('name');
    if (!isCommandName(name))
      throw new ProblemError('unknown-command', `There is no command ${name}. Known: ${commandsFromOutside.join(', ')}.`);
    return jsonAtOnce(c, await (commands[name].facts.inOne ? executeAtOnce(options, c, name) : execute(options, c, name)));
  });
  http.all('/:name', takesOnly('POST'));
  return http;
};

/**
 * The sender is looked up before the body is read, so that nobody sends what their role may not, and again after it, because rights may be
 * taken away in the minutes that a body can take.
 */
const execute = async (options: RouteOptions, c: Context, name: CommandName): Promise<CommandAnswer<unknown>> => {
  const body = await bodyFrom(options, c, name, await actorOf(options, c));
  return run(options, c, { name, actor: await actorOf(options, c), body });
};

/** Frequent commands, sent while people type: the session is looked up together with the facts instead of before them. */
const executeAtOnce = async (options: RouteOptions, c: Context, name: CommandName): Promise<CommandAnswer<unknown>> => {
  const cached = await cachedSessionOf(options, c);
  const isAdmitted = cached !== undefined && admits(commandAccess[name], cached.actor);
  const body = await bodyFrom(options, c, name, isAdmitted ? cached.actor : await actorOf(options, c));
  return withCachedSession(
    cached,
    () => actorOf(options, c),
    (actor, sessionToCheck) => run(options, c, { name, actor, body, sessionToCheck }),
  );
};

const bodyFrom = async (options: RouteOptions, c: Context, name: CommandName, actor: Actor): Promise<unknown> => {
  options.bus.authorise(name, actor);
  return bodyOf(c, { actor, largest: commands[name].largest });
};

type Given = { readonly name: CommandName; readonly actor: Actor; readonly body: unknown; readonly sessionToCheck?: string | undefined };

const run = ({ bus, backpressure }: RouteOptions, c: Context, { name, ...request }: Given): Promise<CommandAnswer<unknown>> =>
  backpressure.run(request.actor, async () => bus.execute(name, { ...request, key: keyOf(c) }));

/** The user from memory. Undefined: to be looked up, as when the page sends for somebody else or views as somebody. */
const cachedSessionOf = async ({ sessions }: CommandOptions, c: Context): Promise<CachedSession | undefined> => {
  const cached = c.req.header(VIEW_AS_HEADER) === undefined ? sessions.cached(c.req.raw.headers) : undefined;
  return cached && isSentFor(c, cached.actor) ? cached : undefined;
};

const actorOf = (options: CommandOptions, c: Context): Promise<Actor> => options.queries.reader(askerOf(options, c), [], undefined);
