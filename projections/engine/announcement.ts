import { z } from 'zod';
import type { Position } from '../../events/store/port.ts';

/** What somebody who watches a school would have to look at again. `*` is every school, or everything in it. */
export type Change = { readonly schoolId: string; readonly topics: readonly string[] };

/** What a commit tells: how far each projection has come, and what changed on the way. */
export type Announcement = { readonly positions: ReadonlyMap<string, Position>; readonly changes: readonly Change[] };

export const CHANNEL = 'marktrail_read';
export const EVERYTHING = '*';

/** Several commits as one: positions only grow, topics add up. */
export const merged = (announcements: readonly Announcement[]): Announcement => {
  const positions = new Map<string, Position>();
  const topics = new Map<string, Set<string>>();
  for (const announcement of announcements) {
    for (const [name, position] of announcement.positions) positions.set(name, position);
    for (const change of announcement.changes) {
      const all = topics.get(change.schoolId) ?? new Set();
      topics.set(change.schoolId, all);
      for (const topic of change.topics) all.add(topic);
    }
  }
  const changes = [...topics]
    .filter(([, all]) => all.size > 0)
    .map(([schoolId, all]) => ({ schoolId, topics: all.has(EVERYTHING) ? [EVERYTHING] : [...all] }));
  return { positions, changes };
};

/**
 * As payloads of NOTIFY. PostgreSQL takes less than 8000 bytes in one: a school with many topics gets `*`, many schools get several
 * payloads. `origin` names the sender.
 */
export const payloadsOf = ({ positions, changes }: Announcement, origin: string): string[] => {
  const head: Payload = {
    origin,
    positions: Object.fromEntries([...positions].map(([name, position]) => [name, String(position)])),
    changes: [],
  };
  const payloads = [head];
  for (const { schoolId, topics } of changes) {
    const change = { schoolId, topics: bytes(topics) > MOST_TOPICS ? [EVERYTHING] : topics };
    const last = payloads.at(-1);
    if (last && bytes(last) + bytes(change) < MOST_BYTES) last.changes.push(change);
    else payloads.push({ ...head, changes: [change] });
  }
  return payloads.map((payload) => JSON.stringify(payload));
};

/** Undefined for what is none of ours: anybody who may connect may notify. */
export const fromPayload = (text: string): (Announcement & { origin: string }) | undefined => {
  const payload = payloadIn(text);
  if (!payload) return undefined;
  const { origin, positions, changes } = payload;
  return { origin, changes, positions: new Map(Object.entries(positions).map(([name, position]) => [name, BigInt(position)])) };
};

type Payload = z.infer<typeof payloadSchema>;
const payloadSchema = z.object({
  origin: z.string(),
  positions: z.record(z.string(), z.string().regex(/^\d{1,19}$/)),
  changes: z.array(z.object({ schoolId: z.string(), topics: z.array(z.string()).readonly() })),
});

const payloadIn = (text: string): Payload | undefined => {
  try {
    return payloadSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

const MOST_BYTES = 7900;
const MOST_TOPICS = 2000;

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
