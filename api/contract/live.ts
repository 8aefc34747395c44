import { z } from 'zod';
import type { Answer } from './answer.ts';

const position = z.string().regex(/^\d{1,19}$/);

/**
 * GET /api/live: server-sent events. First `hello`, then `changed` whenever read models that the user may see have changed. Another `hello`
 * means that changes were missed: everything on the page may be outdated.
 *
 * `hello` also tells what was missed before it: a response whose `X-Read-Position` is before `since` may be outdated in everything, one
 * before the position of a topic is outdated for that topic.
 */
export const liveHello = z.object({ since: position, topics: z.record(z.string(), position) });
export type LiveHello = Answer<typeof liveHello>;

/** marks of a subject, structure of a subject (year groups, sets, teachers, assessments), students of the school, staff of the school */
const liveTopic = z.union([
  z.templateLiteral(['marks:', z.string()]),
  z.templateLiteral(['structure:', z.string()]),
  z.enum(['roster', 'staff']),
]);
export type LiveTopic = z.infer<typeof liveTopic>;

/** The client repeats its queries about these topics with `X-Min-Position: position`. */
export const liveChange = z.object({
  position: position.describe('position of the log, as text, because a bigint does not fit into a JSON number'),
  topics: z.array(liveTopic),
});
export type LiveChange = Answer<typeof liveChange>;

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
