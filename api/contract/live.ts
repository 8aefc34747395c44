/**
 * GET /api/live: server-sent events. First `hello`, then `changed` whenever read models that the reader may see have moved. Another `hello`
 * says that changes went unheard: whatever is shown may be old.
 *
 * `hello` tells what was missed before it: an answer whose `X-Read-Position` lies before `since` may be old altogether, one that lies before
 * the position of a topic is old in what it shows of that.
 */
export type LiveHello = {
  readonly since: string;
  readonly topics: Readonly<Record<string, string>>;
};

/** A client asks again for what it shows of the topics, with `X-Min-Position: position`. */
export type LiveChange = {
  /** of the log, as text: bigint does not fit JSON numbers */
  readonly position: string;
  readonly topics: readonly LiveTopic[];
};

/** marks of a subject, shape of a subject (year groups, sets, teachers, assessments), students of the school, staff of the school */
export type LiveTopic = `marks:${string}` | `structure:${string}` | 'roster' | 'staff';

/** POST /api/commands/{name} with Idempotency-Key: what every command answers. */
export type CommandAnswer<Result> = {
  /** Send it as X-Min-Position with the next query, and it shows what the command did. null: nothing was written. */
  readonly position: string | null;
  readonly revision: string | null;
  readonly result: Result;
};
