import type { Context } from 'hono';
import { Hono } from 'hono';
import { commandsFromOutside } from '../../access.ts';
import type { Identity } from '../../auth/identity/identity.ts';
import { isCommandName } from '../../commands.ts';
import type { CommandAnswer } from '../../contract/live.ts';
import { ProblemError } from '../../pipeline/problems.ts';
import { asPresumed } from '../request/presumed.ts';
import { bodyOf, keyOf, signedIn, takesOnly } from '../request/request.ts';
import type { Eyes } from '../request/view-as.ts';
import { throughEyes, VIEW_AS_HEADER } from '../request/view-as.ts';

export type CommandOptions = Eyes & { readonly identity: Identity };

/** `/api/commands/{name}` */
export const commandRoutes = (options: CommandOptions): Hono => {
  const { identity, bus } = options;
  const http = new Hono();
  http.post('/:name', async (c) => {
    const name = c.req.param('name');
    if (!isCommandName(name))
      throw new ProblemError('unknown-command', `There is no command ${name}. Known: ${commandsFromOutside.join(', ')}.`);
    if (name === 'EnterMarks') return c.json(await enterMarks(options, c));
    const actor = await throughEyes(options, c, await signedIn(identity, c));
    return c.json(await bus.execute(name, { actor, key: keyOf(c), body: await bodyOf(c) }));
  });
  http.all('/:name', takesOnly('POST'));
  return http;
};

/** The most frequent command, sent while people type: the session is looked up together with the facts instead of before them. */
const enterMarks = async (options: CommandOptions, c: Context): Promise<CommandAnswer<unknown>> => {
  const { identity, bus } = options;
  return asPresumed(
    c.req.header(VIEW_AS_HEADER) === undefined ? await identity.presume(c.req.raw.headers) : undefined,
    async () => throughEyes(options, c, await signedIn(identity, c)),
    async (actor, presumedBy) => bus.execute('EnterMarks', { actor, key: keyOf(c), body: await bodyOf(c), presumedBy }),
  );
};
