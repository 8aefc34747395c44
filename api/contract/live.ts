import { z } from 'zod';
import type { Answer } from './answer.ts';
import type { Delta } from './delta.ts';

const position = z.string().regex(/^\d{1,19}$/);

/**
 * GET /api/live: server-sent events. First `hello`, then `changed` whenever read models that the user may see have changed. Another `hello`
 * means that changes were missed: everything on the page may be outdated.
 *
 * `hello` also tells what was missed before it: a response whose `X-Read-Position` is before `since` may be outdated in everything, one
 * before the position of a channel is outdated for that channel.
 *
 * Which channels (channels.ts) a page follows is told by the answers themselves, in `X-Channels`: they follow from the read models that a
 * query declares. `topics` are the channels that have changed.
 */
export const liveHello = z.object({
  since: position,
  epoch: z
    .string()
    .exactOptional()
    .describe('Another one after a restart, a rebuild or a restored log: then everything on the page may be outdated.'),
  topics: z.record(z.string(), position),
});
export type LiveHello = Answer<typeof liveHello>;

const channel = z.union([
  z.templateLiteral(['marks:', z.string()]),
  z.templateLiteral(['structure:', z.string()]),
  z.templateLiteral(['prior:', z.string()]),
  z.templateLiteral(['tasks:', z.string()]),
  z.enum(['marks', 'structure', 'prior', 'tasks', 'subjects', 'roster', 'staff']),
]);

/** The client repeats its queries about these channels with `X-Min-Position: position`. */
export const liveChange = z.object({
  position: position.describe('position of the log, as text, because a bigint does not fit into a JSON number'),
  topics: z.array(channel),
});
export type LiveChange = Answer<typeof liveChange>;

/**
 * How an answer has changed that the page holds: its request named the connection (LINE_HEADER), and its response had FOLLOW_HEADER.
 * `from` is the version that the difference starts from: a page that holds it then holds version `tag`, one that holds another asks again.
 * Without `tag` every page asks again. Either way it is true up to `position`, as of `epoch` (see `liveHello`).
 */
export const liveAnswer = z.object({
  id: z.string(),
  position,
  epoch: z.string(),
  from: z.string().exactOptional(),
  tag: z.string().exactOptional(),
  change: z.unknown().optional().describe('See api/contract/delta.ts. Left out: nothing has changed.'),
  own: z.record(z.string(), z.unknown()).exactOptional().describe("The fields that are the reader's own, if they have changed."),
});
export type LiveAnswer = Omit<Answer<typeof liveAnswer>, 'change'> & { readonly change?: Delta };

/** The response to every POST /api/commands/{name} (with Idempotency-Key). */
export const commandAnswer = <Result extends z.ZodType>(result: Result) =>
  z.object({
    position: position
      .nullable()
      .describe('Send it as X-Min-Position with the next query to see what the command did. null: nothing was written.'),
    revision: position.nullable(),
    result,
  });
export type CommandAnswer<Result> = { readonly position: string | null; readonly revision: string | null; readonly result: Result };
