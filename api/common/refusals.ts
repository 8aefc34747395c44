/**
 * How often each limit has refused since the process began, for `/api/metrics`. A limit is known by its name in the code; whom it refused is
 * not kept.
 */
const counts = new Map<string, number>();

/**
 * Counts a refusal. `Limits` (auth/limits.ts) does so by itself; every other limit calls this where it refuses, also where the response
 * does not say so. `limit`: a constant, because each name is a series that Prometheus keeps.
 */
export const countRefusal = (limit: string): void => void counts.set(limit, (counts.get(limit) ?? 0) + 1);

/** By the name of the limit. */
export const refusals = (): ReadonlyMap<string, number> => counts;
