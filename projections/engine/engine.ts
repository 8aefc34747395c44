import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { EventStore, Position } from '../../events/store/port.ts';
import type { Decode } from './subscription/advance.ts';
import { EVERYTHING } from './coordination/announcement.ts';
import { Announcer } from './coordination/announcer.ts';
import { BACKOFF, pause, waitBefore, type Backoff } from './subscription/backoff.ts';
import { Bell } from './coordination/signal.ts';
import { isSameBuild, type BuildId } from './building/build.ts';
import { Caretaker } from './coordination/coordinator.ts';
import { START } from './building/checkpoint.ts';
import { enginePool, withClient } from './database.ts';
import { Feeder, PoisonEvent } from './subscription/batch-processor.ts';
import { readUp, reload, type CatchUpProgress } from './subscription/catch-up.ts';
import { Following } from './subscription/following.ts';
import { BEAT_MS, type SeenBuild } from './coordination/lease.ts';
import { highest, isFilling, isTransient, newMember, rejoin, retire, sentence, statusOf } from './coordination/instance.ts';
import type { EngineStatus, Member } from './coordination/instance.ts';
import type { Progress } from './progress.ts';
import type { Projection } from './projection.ts';
import { begin, prepare } from './building/schema.ts';
import { MOVED, unknownLog, type Recognise } from './subscription/same-log.ts';
import { serve } from './building/serving.ts';

export type EngineOptions = {
  /** of the owner of the read models */
  readonly databaseUrl: string;
  readonly store: EventStore;
  readonly decode: Decode;
  readonly projections: readonly Projection[];
  readonly progress: Progress;
  /** the schema of the tables; default `read` */
  readonly schema?: string;
  /** how long to wait before retrying a stopped projection or a lost log */
  readonly retry?: Backoff;
  /** whether a log without the last event of a read model may be followed: see same-log.ts. By default none may. @throws WrongLog */
  readonly recognise?: Recognise;
  /** prints a line for the operator, such as why a read model is rebuilt */
  readonly tell?: (line: string) => void;
};

/**
 * Keeps the read models up to date with the log: the state machine of their builds.
 *
 *   standby --(no live process has the lease)--> filling --(caught up with the running builds)--> running; served if it was not
 *                                                  ^  ^                                            |   |
 *                                                  |  +--------(log or PostgreSQL is away)---------+   |
 *                                                  +-----(retry)------ stopped <---(an event that cannot be applied)
 *
 * From any state to standby when another process takes the lease, and to retired when a newer version is served. A filling build reads the
 * log separately (filling.ts); running builds share one subscription, and one transaction for each slice (following.ts, feeder.ts). The
 * lease decides which process works on a build (lease.ts); the checkpoint guarantees, independently of the lease, that nothing is applied
 * twice (advance.ts).
 */
export class Engine {
  readonly #options: Required<EngineOptions>;
  readonly #holder = randomUUID();
  readonly #pool: pg.Pool;
  readonly #caretaker: Caretaker;
  readonly #announcer: Announcer;
  readonly #feeder: Feeder;
  readonly #following: Following;
  readonly #stopping = new AbortController();
  readonly #tasks = new Set<Promise<void>>();
  /** rung when a member changes its state */
  readonly #changes = new Bell();
  readonly #nextBeat = new Bell();
  #members: readonly Member[] = [];
  #trouble: string | undefined;
  #phase: 'not started' | 'catching up' | 'following' = 'not started';
  #onProgress: (progress: CatchUpProgress) => void = () => undefined;

  constructor(options: EngineOptions) {
    this.#options = { schema: 'read', retry: BACKOFF, recognise: unknownLog, tell: () => undefined, ...options };
    const { databaseUrl, schema, decode, progress, store, projections, tell } = this.#options;
    this.#pool = enginePool(databaseUrl, this.#holder);
    this.#caretaker = new Caretaker({ databaseUrl, schema, holder: this.#holder, projections, tell });
    this.#announcer = new Announcer(this.#pool, progress);
    this.#feeder = new Feeder({
      pool: this.#pool,
      schema,
      decode,
      announcer: this.#announcer,
      onStop: (member, error, lag) => this.#stopAt(member, error, lag),
      onRetired: (member) => this.#standBy(member),
    });
    this.#following = new Following({
      store,
      progress,
      feeder: this.#feeder,
      runners: () => this.#in('running'),
      onSlice: ({ events }) => this.#members.forEach((member) => (member.lag += member.error === undefined ? 0 : events.length)),
      signal: this.#signal,
    });
  }

  /**
   * Creates the tables and waits until every read model is served in this program's version and has reached the head of the log, whichever
   * process applies the events. Await it before serving requests. It does not wait for a projection that has stopped at an event; it does
   * wait for a log or database that is away.
   *
   * @throws ReadModelsDoNotFit, ReaderRoleMissing, or an error of PostgreSQL when creating the tables
   */
  async catchUp({ onProgress = () => undefined }: { onProgress?: (progress: CatchUpProgress) => void } = {}): Promise<void> {
    const { projections, schema, store } = this.#options;
    await withClient(this.#pool, (client) => prepare(client, schema, projections));
    this.#phase = 'catching up';
    this.#onProgress = onProgress;
    const head = await this.#persist(async () => {
      await this.#beat();
      return store.head();
    });
    this.#spawn(this.#keepBeating());
    while (!this.#signal.aborted && !this.#isSettled(head ?? START)) await this.#changes.heard(BEAT_MS, this.#signal);
    await this.#caretaker.sweep();
    this.#onProgress = () => undefined;
  }

  /** Follows the log from the end of `catchUp` until `stop`. */
  start(): void {
    if (this.#phase === 'following') return;
    this.#phase = 'following';
    this.#spawn(this.#follow());
  }

  /** Stops after the current slice, and releases the leases so that others can take over at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
    await this.#announcer.idle();
    await Promise.all([this.#caretaker.leave({ hasBegun: this.#phase !== 'not started' }), this.#pool.end()]);
  }

  status(): EngineStatus {
    const { pending, live } = this.#following;
    const projections = this.#options.projections.flatMap(({ name }) =>
      this.#members.filter((member) => member.name === name).map((member) => statusOf(member, pending)),
    );
    if (this.#trouble !== undefined) return { log: { state: 'interrupted', error: this.#trouble }, projections };
    const isIdle = this.#members.length > 0 && this.#members.every(({ state }) => state === 'standby' || state === 'retired');
    const state = this.#phase === 'not started' ? this.#phase : isIdle ? 'standing by' : live ? 'live' : 'catching up';
    return { log: { state }, projections };
  }

  // standby -> filling, anything -> standby or retired

  async #keepBeating(): Promise<void> {
    for (; !this.#signal.aborted; await this.#nextBeat.heard(BEAT_MS, this.#signal)) {
      // If the database is away, the next beat tries again.
      await this.#beat().catch((error: unknown) => {
        if (!isTransient(error)) this.#options.tell(`The read models cannot be maintained: ${sentence(error)}`);
      });
    }
  }

  /** Sends a heartbeat, and handles what has happened to this program's builds. */
  async #beat(): Promise<void> {
    const known = this.#members;
    const positionsBefore = new Map(known.map((member) => [member, member.position]));
    const { builds, shown } = await this.#caretaker.beat();
    for (const seen of builds) this.#see(seen, positionsBefore);
    const isSeen = (member: Member, mine = false): boolean => builds.some((seen) => isSameBuild(seen, member) && (seen.mine || !mine));
    this.#leave(
      known.filter((member) => member.state !== 'retired' && !isSeen(member)),
      shown,
    );
    await this.#caretaker.report(this.#in('filling', 'running', 'stopped'));
    const gained = this.#in('standby').filter((member) => isSeen(member, true));
    if (gained.length > 0) this.#fill(gained);
    this.#spawn(this.#caretaker.sweep());
  }

  /** `positionsBefore`: the members' positions before the heartbeat. */
  #see(seen: SeenBuild, positionsBefore: ReadonlyMap<Member, Position>): void {
    const member = this.#members.find((one) => isSameBuild(one, seen)) ?? this.#enlist(seen);
    // Another build is served instead, perhaps switched by another process.
    if (member.serving && !seen.serving) this.#caretaker.sweepSoon();
    member.serving = seen.serving;
    member.stale = seen.stale;
    if (member.state === 'retired') return;
    if (!seen.mine) {
      this.#standBy(member);
      member.position = seen.position;
      if (seen.trouble === null) delete member.error;
      else member.error = seen.trouble;
    } else if (member.state === 'stopped' && member.recordedError !== null && seen.trouble === null) {
      // An operator has fixed the cause.
      member.again.ring();
    } else if (member.state === 'running' && seen.position < (positionsBefore.get(member) ?? START)) {
      // Its tables were dropped and created again meanwhile.
      this.#fill([member]);
    }
    member.recordedError = seen.trouble;
  }

  #enlist(build: BuildId): Member {
    const projection = this.#options.projections.find(({ name }) => name === build.name);
    if (!projection) throw new Error(`there is no read model ${build.name}`);
    const member = newMember(projection, this.#options.schema, build);
    this.#members = [...this.#members, member];
    return member;
  }

  #standBy(member: Member): void {
    if (member.state !== 'standby') this.#become(member, 'standby');
    // A process on standby has no trouble of its own.
    if (this.#in('filling', 'running', 'stopped').length === 0) this.#trouble = undefined;
  }

  /** Their tables are gone: a newer version is served, or another build of the same version, which is a separate member. */
  #leave(gone: readonly Member[], serving: ReadonlyMap<string, number>): void {
    for (const member of gone) {
      const version = serving.get(member.name) ?? 0;
      this.#become(member, 'retired');
      if (version > member.version)
        retire(member, `version ${member.version} was replaced by version ${version}, which this program does not know`);
      else this.#members = this.#members.filter((one) => one !== member);
    }
  }

  // filling -> running

  #fill(group: readonly Member[]): void {
    for (const member of group) this.#become(member, 'filling');
    this.#spawn(this.#fillUntilDone(new Map(group.map((member) => [member, member.turn]))));
  }

  /** `turns`: the `turn` of each member when it began to fill. */
  async #fillUntilDone(turns: Map<Member, number>): Promise<void> {
    const isOurs = (member: Member): boolean => isFilling(member) && turns.get(member) === member.turn;
    const group = (): Member[] => [...turns.keys()].filter(isOurs);
    const { store, schema, recognise } = this.#options;
    const options = { pool: this.#pool, schema, store, feeder: this.#feeder, signal: this.#signal };
    await this.#persist(async () => {
      try {
        const { here, gone, elsewhere } = await reload(options, group());
        for (const member of gone) this.#standBy(member);
        const isMoved = elsewhere.length > 0 && (await recognise()) === 'moved';
        for (const { member, why } of elsewhere) here.push(...(await this.#replace(member, isMoved ? MOVED : why)));
        for (const member of here) if (!turns.has(member)) turns.set(member, member.turn);
        const others = (): Position | undefined => this.#following.taken;
        const onProgress = (progress: CatchUpProgress): void => this.#onProgress(progress);
        await readUp({ ...options, others, onProgress, isOurs, reached: (member) => this.#join(member) }, here);
      } catch (error) {
        if (isTransient(error)) throw error;
        for (const member of group()) this.#stopAt(member, error);
      }
    });
  }

  /** Replaces a build that was filled from another log by a new one. */
  async #replace(member: Member, why: string): Promise<Member[]> {
    const { schema, tell } = this.#options;
    const reason = `The read model ${member.name} is rebuilt: ${why}.`;
    const beginning = { reason, holder: this.#holder, replaces: member };
    const build = await withClient(this.#pool, (client) => begin(client, schema, member.projection, beginning));
    this.#standBy(member);
    if (!build) return [];
    tell(reason);
    member.stale = true;
    this.#caretaker.sweepSoon();
    if (member.serving) {
      const reached = new Map([[member.name, { build: [member.version, member.generation, 1], position: START } as const]]);
      this.#announcer.announce({ reached, changes: [] });
    }
    const successor = this.#enlist(build);
    this.#become(successor, 'filling');
    return [successor];
  }

  #join(member: Member): void {
    rejoin(member);
    this.#trouble = undefined;
    this.#become(member, 'running');
    if (!member.serving) this.#spawn(this.#show(member));
  }

  /** Serves the build as soon as no reader blocks the switch and its predecessor is not ahead of it. */
  async #show(member: Member): Promise<void> {
    const { schema, retry, tell } = this.#options;
    for (let attempt = 1; !this.#signal.aborted && !member.serving && member.state !== 'standby'; attempt++) {
      const done = await withClient(this.#pool, (client) => serve(client, schema, member.projection, member)).catch((error: unknown) => {
        if (!isTransient(error)) tell(`The read model ${member.name} cannot be served: ${sentence(error)}`);
        return false;
      });
      if (!done) {
        await pause(waitBefore(attempt, retry), this.#signal);
        continue;
      }
      member.serving = true;
      this.#caretaker.sweepSoon();
      this.#announcer.announce({
        reached: new Map([[member.name, { build: [member.version, member.generation, 0], position: member.position }]]),
        changes: [{ schoolId: EVERYTHING, topics: [EVERYTHING] }],
      });
      this.#changed();
    }
  }

  // filling or running -> stopped -> filling

  #stopAt(member: Member, error: unknown, lag = 0): void {
    if (member.error === undefined) member.lag = lag;
    member.error = sentence(error);
    member.stoppedAt = error instanceof PoisonEvent ? error.eventId : null;
    this.#become(member, 'stopped');
    this.#spawn(this.#tryAgain(member));
  }

  async #tryAgain(member: Member): Promise<void> {
    member.attempts++;
    await member.again.heard(waitBefore(member.attempts, this.#options.retry), this.#signal);
    if (member.state === 'stopped' && !this.#signal.aborted) this.#fill([member]);
  }

  // running

  async #follow(): Promise<void> {
    for (let attempt = 1; !this.#signal.aborted;) {
      const runners = this.#in('running');
      if (runners.length === 0) {
        await this.#changes.heard(BEAT_MS, this.#signal);
        continue;
      }
      const from = highest(runners);
      this.#fill(runners.filter(({ position }) => position < from));
      try {
        await this.#following.run(from);
        attempt = 1;
      } catch (error) {
        if (this.#signal.aborted) return;
        if (!isTransient(error)) this.#options.tell(`Following the log was interrupted: ${sentence(error)}`);
        if (highest(this.#members) > from) attempt = 1;
        if (this.#in('running').length > 0) this.#trouble = sentence(error);
        await this.#pauseWhileAway(attempt++);
      }
      // They continue from their checkpoints, if the log is still the same.
      this.#fill(this.#in('running'));
    }
  }

  // helpers

  #become(member: Member, state: Member['state']): void {
    member.state = state;
    member.turn++;
    member.again.ring();
    this.#changed();
  }

  #changed(): void {
    this.#changes.ring();
    if (this.#phase !== 'not started') this.#nextBeat.ring();
  }

  #in(...states: Member['state'][]): Member[] {
    return this.#members.filter(({ state }) => states.includes(state));
  }

  #isSettled(head: Position): boolean {
    const isSettled = ({ state, serving, stale, position, error }: Member): boolean => {
      if (state === 'standby') return serving && !stale && (position >= head || error !== undefined);
      return state === 'running' ? serving : state === 'retired' || error !== undefined;
    };
    return this.#options.projections.every(({ name }) => this.#members.some((member) => member.name === name && isSettled(member)));
  }

  /** Retries transient errors until it succeeds or the engine stops. */
  async #persist<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    for (let attempt = 1; !this.#signal.aborted; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (this.#signal.aborted) break;
        if (!isTransient(error)) throw error;
        if (this.#following.taken === undefined) this.#trouble = sentence(error);
        this.#onProgress({ fraction: 0, events: 0, trouble: sentence(error) });
        await this.#pauseWhileAway(attempt);
      }
    }
    return undefined;
  }

  /** Retries often, because once the log is back, commands wait only for the read models. */
  async #pauseWhileAway(attempt: number): Promise<void> {
    const { firstMs, longestMs } = this.#options.retry;
    await pause(waitBefore(attempt, { firstMs, longestMs: Math.min(longestMs, LONGEST_AWAY_MS) }), this.#signal);
  }

  #spawn(task: Promise<void>): void {
    const tracked = task.finally(() => this.#tasks.delete(tracked));
    this.#tasks.add(tracked);
  }

  get #signal(): AbortSignal {
    return this.#stopping.signal;
  }
}

const LONGEST_AWAY_MS = 5_000;
