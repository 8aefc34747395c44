import { z } from 'zod';
import type { Position } from '../../../events/store/port.ts';

/** What has changed for live viewers of a school. `*` is every school, or everything in it. */
export type Change = { readonly schoolId: string; readonly channels: readonly string[] };

/**
 * The served build, as numbers that only increase: version, generation, and 1 once it is stale because the log was replaced. A later build
 * may have an earlier position, after the log was restored to an earlier state.
 */
export type Rank = readonly [version: number, generation: number, stale: 0 | 1];

/** The position of the served build. A stale one has no position in this log. */
export type Reached = { readonly build: Rank; readonly position: Position };

/** What a commit announces: the position of each projection, and the changes. */
export type Announcement = { readonly reached: ReadonlyMap<string, Reached>; readonly changes: readonly Change[] };

/** The newer one of the two. */
export const newer = (one: Reached | undefined, other: Reached): Reached => {
  if (!one) return other;
  const difference = one.build.map((part, i) => part - (other.build[i] ?? 0)).find((part) => part !== 0) ?? 0;
  if (difference !== 0) return difference > 0 ? one : other;
  return one.position > other.position ? one : other;
};

export const CHANNEL = 'marktrail_read';
export const EVERYTHING = '*';

/** Merges several commits into one: the newest position of each projection, and all channels. */
export const merged = (announcements: readonly Announcement[]): Announcement => {
  const reached = new Map<string, Reached>();
  const channels = new Map<string, Set<string>>();
  for (const announcement of announcements) {
    for (const [name, one] of announcement.reached) reached.set(name, newer(reached.get(name), one));
    for (const change of announcement.changes) {
      const all = channels.get(change.schoolId) ?? new Set();
      channels.set(change.schoolId, all);
      for (const channel of change.channels) all.add(channel);
    }
  }
  const changes = [...channels]
    .filter(([, all]) => all.size > 0)
    .map(([schoolId, all]) => ({ schoolId, channels: all.has(EVERYTHING) ? [EVERYTHING] : [...all] }));
  return { reached, changes };
};

/**
 * The payloads of NOTIFY, which PostgreSQL limits to less than 8000 bytes: a school with many channels gets `*`, many schools take several
 * payloads, of which all but the last say that there is `more`. `origin` identifies the sender.
 */
export const payloadsOf = ({ reached, changes }: Announcement, origin: string): string[] => {
  const head: Payload = {
    origin,
    reached: Object.fromEntries(
      [...reached].map(([name, { build, position }]) => [name, { build: [...build], position: String(position) }]),
    ),
    changes: [],
  };
  const payloads = [head];
  for (const { schoolId, channels } of changes) {
    const change = { schoolId, channels: bytes(channels) > MOST_CHANNELS ? [EVERYTHING] : channels };
    const last = payloads.at(-1);
    if (last && bytes(last) + bytes(change) < MOST_BYTES) last.changes.push(change);
    else payloads.push({ ...head, changes: [change] });
  }
  return payloads.map((payload, i) => JSON.stringify(i < payloads.length - 1 ? { ...payload, more: true } : payload));
};

/** Undefined for a payload that is not ours: anybody who can connect can notify. */
export const fromPayload = (text: string): Heard | undefined => {
  const payload = payloadIn(text);
  if (!payload) return undefined;
  const { origin, reached, changes, more = false } = payload;
  return {
    origin,
    more,
    changes,
    reached: new Map(Object.entries(reached).map(([name, { build, position }]) => [name, { build, position: BigInt(position) }])),
  };
};

/** `more`: the announcement goes on in the next payload. */
type Heard = Announcement & { readonly origin: string; readonly more: boolean };

type Payload = z.infer<typeof payloadSchema>;
const payloadSchema = z.object({
  origin: z.string(),
  reached: z.record(
    z.string(),
    z.object({ build: z.tuple([z.int(), z.int(), z.literal([0, 1])]), position: z.string().regex(/^\d{1,19}$/) }),
  ),
  changes: z.array(z.object({ schoolId: z.string(), channels: z.array(z.string()).readonly() })),
  more: z.boolean().optional(),
});

const payloadIn = (text: string): Payload | undefined => {
  try {
    return payloadSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

const MOST_BYTES = 7900;
/** Bytes of the channels of a school: some 150 saves at once, which are told apart. */
const MOST_CHANNELS = 6500;

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
