/**
 * How often each limit has refused since the process began, for `/api/metrics`. Limits are named as in the code; whom they refused is not
 * kept.
 */
const counts = new Map<string, number>();

/**
 * Counts a refusal. `Limits` (auth/limits.ts) does so by itself; every other limit calls this, even if the response does not mention it.
 * `limit`: a constant, because Prometheus keeps a series for each name.
 */
export const countRefusal = (limit: string): void => void counts.set(limit, (counts.get(limit) ?? 0) + 1);

/** By the name of the limit. */
export const refusals = (): ReadonlyMap<string, number> => counts;
