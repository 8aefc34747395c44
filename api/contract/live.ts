/**
 * GET /api/live: server-sent events. First `hello`, then `changed` whenever read models that the user may see have changed. Another `hello`
 * means that changes were missed: everything on the page may be outdated.
 *
 * `hello` also tells what was missed before it: a response whose `X-Read-Position` is before `since` may be outdated in everything, one
 * before the position of a topic is outdated for that topic.
 */
export type LiveHello = {
  readonly since: string;
  readonly topics: Readonly<Record<string, string>>;
};

/** The client repeats its queries about these topics with `X-Min-Position: position`. */
export type LiveChange = {
  /** position of the log, as text, because a bigint does not fit into a JSON number */
  readonly position: string;
  readonly topics: readonly LiveTopic[];
};

/** marks of a subject, structure of a subject (year groups, sets, teachers, assessments), students of the school, staff of the school */
export type LiveTopic = `marks:${string}` | `structure:${string}` | 'roster' | 'staff';

/** The response to every POST /api/commands/{name} (with Idempotency-Key). */
export type CommandAnswer<Result> = {
  /** Send it as X-Min-Position with the next query to see what the command did. null: nothing was written. */
  readonly position: string | null;
  readonly revision: string | null;
  readonly result: Result;
};
