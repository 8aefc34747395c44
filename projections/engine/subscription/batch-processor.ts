import type pg from 'pg';
import { advance, type Decode } from './advance.ts';
import type { Announcer } from '../coordination/announcer.ts';
import { Retired } from '../building/checkpoint.ts';
import { withClient } from '../database.ts';
import { isTransient, sentence, type Member } from '../coordination/instance.ts';
import { halves, type Slice } from './batch.ts';

export type FeederOptions = {
  readonly pool: pg.Pool;
  readonly schema: string;
  readonly decode: Decode;
  readonly announcer: Announcer;
  /** Called for a member that cannot apply an event; everything before the event is applied. */
  readonly onStop: (member: Member, error: Error, lag: number) => void;
  /** Called for a member whose tables are gone. */
  readonly onRetired: (member: Member) => void;
};

/**
 * Applies slices of the log to groups of builds, in one transaction for the group. If that fails, each build is tried by itself, and a
 * failing one stops exactly at the event that it cannot apply.
 */
export class Feeder {
  readonly #options: FeederOptions;

  constructor(options: FeederOptions) {
    this.#options = options;
  }

  /**
   * @param topics announced instead of the projections' own
   * @throws transient errors only: see `isTransient`
   */
  async feed(group: readonly Member[], slice: Slice, topics?: readonly string[]): Promise<void> {
    try {
      await this.#advance(group, slice, topics);
    } catch (error) {
      if (isTransient(error)) throw error;
      for (const member of group) await this.#alone(member, slice, topics);
    }
  }

  async #alone(member: Member, slice: Slice, topics?: readonly string[]): Promise<void> {
    try {
      await this.#stepwise(member, slice, topics);
    } catch (error) {
      if (isTransient(error)) throw error;
      if (error instanceof Retired) return this.#options.onRetired(member);
      const lag = slice.events.filter(({ position }) => position > member.position).length;
      this.#options.onStop(member, error instanceof Error ? error : new Error(String(error)), lag);
    }
  }

  /** Bisects the slice: applies everything before the event that cannot be applied, and throws at that one. */
  async #stepwise(member: Member, slice: Slice, topics?: readonly string[]): Promise<void> {
    try {
      await this.#advance([member], slice, topics);
    } catch (error) {
      if (isTransient(error) || error instanceof Retired) throw error;
      const parts = halves(slice);
      if (!parts) throw new PoisonEvent(slice, error);
      for (const part of parts) await this.#stepwise(member, part, topics);
    }
  }

  async #advance(group: readonly Member[], slice: Slice, topics?: readonly string[]): Promise<void> {
    if (group.length === 0) return;
    const { pool, schema, decode, announcer } = this.#options;
    const changes = await withClient(pool, (client) => advance(client, schema, group, slice, decode));
    const shown = group.filter(({ serving }) => serving);
    if (shown.length === 0) return;
    announcer.announce({
      reached: new Map(shown.map((member) => [member.name, { build: [member.version, member.generation, 0], position: member.position }])),
      changes: topics ? [...new Set(changes.map(({ schoolId }) => schoolId))].map((schoolId) => ({ schoolId, topics })) : changes,
    });
  }
}

/** An event that a projection cannot apply. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
  readonly eventId: string;
  constructor(slice: Slice, cause: unknown) {
    super(`it cannot apply the event ${slice.events[0]?.type} ${slice.lastId}: ${sentence(cause)}`, { cause });
    this.eventId = slice.lastId;
  }
}
