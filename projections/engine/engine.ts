import type pg from 'pg';
import { StoreUnavailable, type EventStore, type Position } from '../../events/store/port.ts';
import { advance, standing, type Decode } from './advance.ts';
import { EVERYTHING } from './announcement.ts';
import { Announcer } from './announcer.ts';
import { BACKOFF, pause, waitBefore, type Backoff } from './backoff.ts';
import { checkpointsOf, Retired, servingCheckpoints, START } from './checkpoint.ts';
import { enginePool, withClient } from './database.ts';
import { isTransient, rejoin, retire, sentence, type EngineStatus, type LogState, type Member } from './member.ts';
import type { Progress } from './progress.ts';
import type { Projection } from './projection.ts';
import { prepare, serve } from './schema.ts';
import { halves, slicesIn, slicesOf, type Slice } from './slice.ts';

export type EngineOptions = {
  /** of the owner of the read models */
  readonly databaseUrl: string;
  readonly store: EventStore;
  readonly decode: Decode;
  readonly projections: readonly Projection[];
  readonly progress: Progress;
  /** where the tables lie; default `read` */
  readonly schema?: string;
  /** how long to wait before a stopped projection, or a lost log, is tried again */
  readonly retry?: Backoff;
};

export type CatchUpProgress = {
  /** how far between where it began and the head of the log, 0 to 1 */
  readonly fraction: number;
  /** events handled so far */
  readonly events: number;
  /** what keeps it waiting, if something does: a sentence */
  readonly trouble?: string;
};

/**
 * Brings the read models along with the log. One subscription feeds all projections; each slice of the log is one transaction for all
 * that are well. One that cannot apply an event stops there, alone; it is tried again with growing pauses, and once it can go on, reads
 * the log by itself until it has reached the others.
 */
export class Engine {
  readonly #options: Required<EngineOptions>;
  readonly #pool: pg.Pool;
  readonly #announcer: Announcer;
  readonly #stopping = new AbortController();
  readonly #recoveries = new Set<Promise<void>>();
  #members: readonly Member[] = [];
  /** Position up to which the common subscription has taken slices: whoever has come that far may join it. */
  #taken: Position = START;
  #pending = 0;
  #log: { state: LogState; error?: string } = { state: 'not started' };
  #following: Promise<void> | undefined;

  constructor(options: EngineOptions) {
    this.#options = { schema: 'read', retry: BACKOFF, ...options };
    this.#pool = enginePool(options.databaseUrl);
    this.#announcer = new Announcer(this.#pool, options.progress);
  }

  /**
   * Makes the tables, brings every projection to the head of the log, and then lets readers see what is new. To be awaited before the
   * product serves. A projection that stops at an event is left behind; a log or database that is away is waited for.
   *
   * @throws ReadModelsDoNotFit, ReaderRoleMissing, or whatever PostgreSQL says to the making of the tables
   */
  async catchUp({ onProgress }: { onProgress?: (progress: CatchUpProgress) => void } = {}): Promise<void> {
    const { projections, schema } = this.#options;
    await withClient(this.#pool, (client) => prepare(client, schema, projections));
    const shown = await withClient(this.#pool, (client) => servingCheckpoints(client, schema));
    this.#members = projections.map((projection) => ({
      ...standing(projection, schema, START),
      state: 'running',
      lag: 0,
      attempts: 0,
      serving: shown.some((row) => row.projection === projection.name && row.version === projection.version),
    }));
    this.#log = { state: 'catching up' };
    const tell = onProgress ?? ((): void => undefined);
    await this.#persist(
      () => this.#readToHead(tell),
      (trouble) => tell({ fraction: 0, events: 0, trouble }),
    );
    for (const member of this.#running()) await this.#serve(member);
  }

  /** Follows the log from where `catchUp` ended, until `stop`. */
  start(): void {
    this.#following ??= this.#persist(() => this.#follow());
  }

  /** Ends after the slice that is being applied. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
    await Promise.all(this.#recoveries);
    await this.#announcer.idle();
    await this.#pool.end();
  }

  status(): EngineStatus {
    return {
      log: { ...this.#log },
      projections: this.#members.map(({ projection: { name, version }, position, state, lag, error }) => ({
        name,
        version,
        state,
        position: String(position),
        lag: state === 'running' ? this.#pending : lag,
        ...(error === undefined ? {} : { error }),
      })),
    };
  }

  /** Again and again until it succeeds, for ever: each time from what is committed. */
  async #persist(work: () => Promise<void>, onTrouble?: (trouble: string) => void): Promise<void> {
    let attempt = 0;
    while (!this.#signal.aborted) {
      const before = this.#taken;
      try {
        await this.#reload(this.#running());
        if (!this.#signal.aborted) await work();
        return;
      } catch (error) {
        if (this.#signal.aborted) return;
        attempt = this.#taken > before ? 1 : attempt + 1;
        this.#log = { state: 'interrupted', error: sentence(error) };
        onTrouble?.(sentence(error));
        const { firstMs, longestMs } = this.#options.retry;
        await pause(waitBefore(attempt, { firstMs, longestMs: Math.min(longestMs, LONGEST_AWAY_MS) }), this.#signal);
      }
    }
  }

  async #readToHead(onProgress: (progress: CatchUpProgress) => void): Promise<void> {
    const { store } = this.#options;
    const head = await store.head();
    for (const member of this.#running()) {
      if (member.position > head) retire(member, 'it stands beyond the end of the log, which was restored or replaced: rebuild it');
    }
    const from = this.#from();
    this.#log = { state: 'catching up' };
    this.#taken = from;
    let events = 0;
    onProgress({ fraction: head > from ? 0 : 1, events });
    if (head <= from) return;
    for await (const slice of slicesIn(store.readAll(from === START ? 'start' : from), from)) {
      this.#signal.throwIfAborted();
      await this.#take(slice, [EVERYTHING]);
      events += slice.events.length;
      onProgress({ fraction: Math.min(1, Number(slice.position - from) / Number(head - from)), events });
    }
  }

  async #follow(): Promise<void> {
    let after = this.#from();
    this.#log = { state: 'catching up' };
    this.#taken = after;
    for await (const batch of this.#options.store.subscribe(after === START ? 'start' : after, { signal: this.#signal })) {
      this.#pending = batch.events.length;
      for (const slice of slicesOf(batch, after)) {
        await this.#take(slice);
        after = slice.position;
        this.#pending -= slice.events.length;
        if (this.#signal.aborted) return;
      }
      this.#log = { state: batch.live ? 'live' : 'catching up' };
      // What is written meanwhile is one transaction: one for each save would cost more than the saves.
      if (batch.live && batch.events.length > 0) await this.#options.progress.untilWanted(BREATH_MS);
    }
    if (!this.#signal.aborted) throw new StoreUnavailable('the subscription has ended');
  }

  /** `topics`: instead of the projections' own. */
  async #take(slice: Slice, topics?: readonly string[]): Promise<void> {
    const group = this.#running().filter(({ position }) => position < slice.position);
    for (const member of this.#members) if (member.state === 'stopped') member.lag += slice.events.length;
    this.#taken = slice.position;
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
      member.lag = slice.events.filter(({ position }) => position > member.position).length;
      this.#halt(member, error);
    }
  }

  /** Halves the slice until what remains is the one event that cannot be applied; everything before it is. */
  async #stepwise(member: Member, slice: Slice, topics?: readonly string[]): Promise<void> {
    try {
      await this.#advance([member], slice, topics);
    } catch (error) {
      if (isTransient(error) || error instanceof Retired) throw error;
      const parts = halves(slice);
      if (!parts)
        throw new Error(`it cannot apply the event ${slice.events[0]?.type} ${slice.lastId}: ${sentence(error)}`, { cause: error });
      for (const part of parts) await this.#stepwise(member, part, topics);
    }
  }

  /** One slice, one transaction. */
  async #advance(group: readonly Member[], slice: Slice, topics?: readonly string[]): Promise<void> {
    if (group.length === 0) return;
    const { schema, decode } = this.#options;
    const changes = await withClient(this.#pool, (client) => advance(client, schema, group, slice, decode));
    const shown = group.filter(({ serving }) => serving);
    if (shown.length === 0) return;
    this.#announcer.tell({
      positions: new Map(shown.map(({ projection, position }) => [projection.name, position])),
      changes: topics ? [...new Set(changes.map(({ schoolId }) => schoolId))].map((schoolId) => ({ schoolId, topics })) : changes,
    });
  }

  #halt(member: Member, error: unknown): void {
    if (error instanceof Retired) return retire(member, sentence(error));
    member.state = 'stopped';
    member.error = sentence(error);
    const recovery = this.#recover(member).finally(() => this.#recoveries.delete(recovery));
    this.#recoveries.add(recovery);
  }

  /** Tries a stopped projection again and again, until it has reached the others or there is nothing to reach. */
  async #recover(member: Member): Promise<void> {
    while (member.state === 'stopped') {
      member.attempts++;
      await pause(waitBefore(member.attempts, this.#options.retry), this.#signal);
      if (this.#signal.aborted) return;
      try {
        await this.#reload([member]);
        await this.#reachOthers(member);
        await this.#serve(member);
      } catch (error) {
        if (error instanceof Retired) retire(member, sentence(error));
        else member.error = sentence(error);
      }
    }
  }

  async #reachOthers(member: Member): Promise<void> {
    const from = member.position;
    for await (const slice of slicesIn(this.#options.store.readAll(from === START ? 'start' : from), from)) {
      if (this.#signal.aborted) return;
      await this.#stepwise(member, slice);
      member.attempts = 0;
      member.lag = Math.max(0, member.lag - slice.events.length);
      if (member.position >= this.#taken) break;
    }
    // Nothing is awaited between this comparison and the next slice's choice of its group: no slice can pass unseen.
    if (member.position >= this.#taken) rejoin(member);
  }

  /** Shows readers this version, as soon as no reader stands in the way and no other process has brought the old one further. */
  async #serve(member: Member): Promise<void> {
    const { schema, retry } = this.#options;
    const { projection } = member;
    for (let attempt = 1; !this.#signal.aborted; attempt++) {
      const done = await withClient(this.#pool, (client) => serve(client, schema, projection)).catch((error: unknown) => {
        if (isTransient(error)) return false;
        throw error;
      });
      if (done) break;
      await pause(waitBefore(attempt, retry), this.#signal);
    }
    if (member.serving || this.#signal.aborted) return;
    member.serving = true;
    this.#announcer.tell({
      positions: new Map([[projection.name, member.position]]),
      changes: [{ schoolId: EVERYTHING, topics: [EVERYTHING] }],
    });
  }

  /** From memory to what is committed. */
  async #reload(members: readonly Member[]): Promise<void> {
    if (members.length === 0) return;
    const checkpoints = await withClient(this.#pool, (client) =>
      checkpointsOf(
        client,
        this.#options.schema,
        members.map(({ projection }) => projection),
      ),
    );
    for (const member of members) {
      const { name, version } = member.projection;
      const checkpoint = checkpoints.find((row) => row.projection === name && row.version === version);
      if (checkpoint) member.position = checkpoint.position;
      else retire(member, sentence(new Retired(name, version)));
    }
  }

  /** Where the slowest of those that are well stands. */
  #from(): Position {
    const positions = this.#running().map(({ position }) => position);
    return positions.length === 0 ? this.#taken : positions.reduce((lowest, position) => (position < lowest ? position : lowest));
  }

  #running(): Member[] {
    return this.#members.filter(({ state }) => state === 'running');
  }

  get #signal(): AbortSignal {
    return this.#stopping.signal;
  }
}

/** A log or database that is away is asked for at least this often: when it is back, commands wait for nothing but the read models. */
const LONGEST_AWAY_MS = 5_000;
/** Between two transactions for what is just being written, unless somebody waits to read it. Nobody who looks at a screen notices. */
const BREATH_MS = 50;
