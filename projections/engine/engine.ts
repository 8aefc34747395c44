import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { EventStore, Position } from '../../events/store/port.ts';
import type { Decode } from './subscription/advance.ts';
import { Announcer } from './coordination/announcer.ts';
import { BACKOFF, pause, waitBefore, type Backoff } from './subscription/backoff.ts';
import { Signal } from './coordination/signal.ts';
import { isSameBuild, type BuildId } from './building/build.ts';
import { Coordinator } from './coordination/coordinator.ts';
import { START } from './building/checkpoint.ts';
import { enginePool, withClient } from './database.ts';
import { announceAll, BatchProcessor, PoisonEvent } from './subscription/batch-processor.ts';
import { fillBare, readUp, reload, type CatchUpProgress } from './subscription/catch-up.ts';
import { Following } from './subscription/following.ts';
import { BEAT_MS, type SeenBuild } from './coordination/lease.ts';
import { highest, isCatchingUp, isTransient, newInstance, rejoin, retire, sentence, statusOf } from './coordination/instance.ts';
import type { BuildInstance, EngineStatus } from './coordination/instance.ts';
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
 * From any state to standby when another process takes the lease, and to retired when a newer version is served. A build that is
 * catching up (state `filling`) reads the log separately (catch-up.ts); running builds share one subscription, and one transaction for each
 * batch (following.ts, batch-processor.ts). The lease decides which process works on a build (lease.ts); the checkpoint guarantees,
 * independently of the lease, that nothing is applied twice (advance.ts).
 */
export class Engine {
  readonly #options: Required<EngineOptions>;
  readonly #holder = randomUUID();
  readonly #pool: pg.Pool;
  readonly #coordinator: Coordinator;
  readonly #announcer: Announcer;
  readonly #processor: BatchProcessor;
  readonly #following: Following;
  readonly #stopping = new AbortController();
  readonly #tasks = new Set<Promise<void>>();
  /** raised when an instance changes its state */
  readonly #changes = new Signal();
  readonly #nextBeat = new Signal();
  #instances: readonly BuildInstance[] = [];
  #trouble: string | undefined;
  #phase: 'not started' | 'catching up' | 'following' = 'not started';
  #onProgress: (progress: CatchUpProgress) => void = () => undefined;

  constructor(options: EngineOptions) {
    this.#options = { schema: 'read', retry: BACKOFF, recognise: unknownLog, tell: () => undefined, ...options };
    const { databaseUrl, schema, decode, progress, store, projections, tell } = this.#options;
    this.#pool = enginePool(databaseUrl, this.#holder);
    this.#coordinator = new Coordinator({ databaseUrl, schema, holder: this.#holder, projections, tell });
    this.#announcer = new Announcer(this.#pool, progress);
    this.#processor = new BatchProcessor({
      pool: this.#pool,
      schema,
      decode,
      announcer: this.#announcer,
      onStop: (instance, error, lag) => this.#stopAt(instance, error, lag),
      onRetired: (instance) => this.#standBy(instance),
    });
    this.#following = new Following({
      store,
      progress,
      processor: this.#processor,
      runners: () => this.#in('running'),
      onBatch: ({ events }) => this.#instances.forEach((instance) => (instance.lag += instance.error === undefined ? 0 : events.length)),
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
    while (!this.#signal.aborted && !this.#isSettled(head ?? START)) await this.#changes.raised(BEAT_MS, this.#signal);
    await this.#coordinator.sweep();
    this.#onProgress = () => undefined;
  }

  /** Follows the log from the end of `catchUp` until `stop`. */
  start(): void {
    if (this.#phase === 'following') return;
    this.#phase = 'following';
    this.#spawn(this.#follow());
  }

  /** Stops after the current batch, and releases the leases so that others can take over at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
    await this.#announcer.end();
    await Promise.all([this.#coordinator.leave({ hasBegun: this.#phase !== 'not started' }), this.#pool.end()]);
  }

  status(): EngineStatus {
    const { pending, live } = this.#following;
    const projections = this.#options.projections.flatMap(({ name }) =>
      this.#instances.filter((instance) => instance.name === name).map((instance) => statusOf(instance, pending)),
    );
    if (this.#trouble !== undefined) return { log: { state: 'interrupted', error: this.#trouble }, projections };
    const isIdle = this.#instances.length > 0 && this.#instances.every(({ state }) => state === 'standby' || state === 'retired');
    const state = this.#phase === 'not started' ? this.#phase : isIdle ? 'standing by' : live ? 'live' : 'catching up';
    return { log: { state }, projections };
  }

  // standby -> filling, anything -> standby or retired

  async #keepBeating(): Promise<void> {
    for (; !this.#signal.aborted; await this.#nextBeat.raised(BEAT_MS, this.#signal)) {
      // If the database is away, the next beat tries again.
      await this.#beat().catch((error: unknown) => {
        if (!isTransient(error)) this.#options.tell(`The read models cannot be maintained: ${sentence(error)}`);
      });
    }
  }

  /** Sends a heartbeat, and handles what has happened to this program's builds. */
  async #beat(): Promise<void> {
    const known = this.#instances;
    const positionsBefore = new Map(known.map((instance) => [instance, instance.position]));
    const { builds, shown } = await this.#coordinator.beat();
    for (const seen of builds) this.#see(seen, positionsBefore);
    const isSeen = (instance: BuildInstance, mine = false): boolean =>
      builds.some((seen) => isSameBuild(seen, instance) && (seen.mine || !mine));
    this.#leave(
      known.filter((instance) => instance.state !== 'retired' && !isSeen(instance)),
      shown,
    );
    await this.#coordinator.report(this.#in('filling', 'running', 'stopped'));
    const gained = this.#in('standby').filter((instance) => isSeen(instance, true));
    if (gained.length > 0) this.#beginCatchUp(gained);
    this.#spawn(this.#coordinator.sweep());
  }

  /** `positionsBefore`: the instances' positions before the heartbeat. */
  #see(seen: SeenBuild, positionsBefore: ReadonlyMap<BuildInstance, Position>): void {
    const instance = this.#instances.find((one) => isSameBuild(one, seen)) ?? this.#enlist(seen);
    // Another build is served instead, perhaps switched by another process.
    if (instance.serving && !seen.serving) this.#coordinator.sweepSoon();
    instance.serving = seen.serving;
    instance.stale = seen.stale;
    if (instance.state === 'retired') return;
    if (!seen.mine) {
      this.#standBy(instance);
      instance.position = seen.position;
      if (seen.trouble === null) delete instance.error;
      else instance.error = seen.trouble;
    } else if (instance.state === 'stopped' && instance.recordedError !== null && seen.trouble === null) {
      // An operator has fixed the cause.
      instance.again.raise();
    } else if (instance.state === 'running' && seen.position < (positionsBefore.get(instance) ?? START)) {
      // Its tables were dropped and created again meanwhile.
      this.#beginCatchUp([instance]);
    }
    instance.recordedError = seen.trouble;
  }

  #enlist(build: BuildId): BuildInstance {
    const projection = this.#options.projections.find(({ name }) => name === build.name);
    if (!projection) throw new Error(`there is no read model ${build.name}`);
    const instance = newInstance(projection, this.#options.schema, build);
    this.#instances = [...this.#instances, instance];
    return instance;
  }

  #standBy(instance: BuildInstance): void {
    instance.untold = true;
    if (instance.state !== 'standby') this.#become(instance, 'standby');
    // A process on standby has no trouble of its own.
    if (this.#in('filling', 'running', 'stopped').length === 0) this.#trouble = undefined;
  }

  /** Their tables are gone: a newer version is served, or another build of the same version, which is a separate instance. */
  #leave(gone: readonly BuildInstance[], serving: ReadonlyMap<string, number>): void {
    for (const instance of gone) {
      const version = serving.get(instance.name) ?? 0;
      this.#become(instance, 'retired');
      if (version > instance.version)
        retire(instance, `version ${instance.version} was replaced by version ${version}, which this program does not know`);
      else this.#instances = this.#instances.filter((one) => one !== instance);
    }
  }

  // filling -> running

  #beginCatchUp(group: readonly BuildInstance[]): void {
    for (const instance of group) this.#become(instance, 'filling');
    this.#spawn(this.#catchUpUntilDone(new Map(group.map((instance) => [instance, instance.turn]))));
  }

  /** `turns`: the `turn` of each instance when it began to catch up. */
  async #catchUpUntilDone(turns: Map<BuildInstance, number>): Promise<void> {
    const isOurs = (instance: BuildInstance): boolean => isCatchingUp(instance) && turns.get(instance) === instance.turn;
    const group = (): BuildInstance[] => [...turns.keys()].filter(isOurs);
    const { store, schema, recognise } = this.#options;
    const options = { pool: this.#pool, schema, store, processor: this.#processor, signal: this.#signal };
    await this.#persist(async () => {
      try {
        const { here, gone, elsewhere } = await reload(options, group());
        for (const instance of gone) this.#standBy(instance);
        const isMoved = elsewhere.length > 0 && (await recognise()) === 'moved';
        for (const { instance, why } of elsewhere) here.push(...(await this.#replace(instance, isMoved ? MOVED : why)));
        // Whoever worked on them before may have been killed between a commit and its announcement.
        const untold = here.filter(({ serving, untold: mayBe }) => serving && mayBe);
        if (untold.length > 0) announceAll(this.#announcer, untold);
        for (const instance of here) if (!turns.has(instance)) turns.set(instance, instance.turn);
        const others = (): Position | undefined => this.#following.taken;
        const onProgress = (progress: CatchUpProgress): void => this.#onProgress(progress);
        await fillBare({ ...options, onProgress, isOurs }, here);
        await readUp({ ...options, others, onProgress, isOurs, reached: (instance) => this.#join(instance) }, here);
      } catch (error) {
        if (isTransient(error)) throw error;
        for (const instance of group()) this.#stopAt(instance, error);
      }
    });
  }

  /** Replaces a build of another log by a new one. */
  async #replace(instance: BuildInstance, why: string): Promise<BuildInstance[]> {
    const { schema, tell } = this.#options;
    const reason = `The read model ${instance.name} is rebuilt: ${why}.`;
    const beginning = { reason, holder: this.#holder, replaces: instance };
    const build = await withClient(this.#pool, (client) => begin(client, schema, instance.projection, beginning));
    this.#standBy(instance);
    if (!build) return [];
    tell(reason);
    instance.stale = true;
    this.#coordinator.sweepSoon();
    if (instance.serving) {
      const reached = new Map([[instance.name, { build: [instance.version, instance.generation, 1], position: START } as const]]);
      this.#announcer.announce({ reached, changes: [] });
    }
    const successor = this.#enlist(build);
    this.#become(successor, 'filling');
    return [successor];
  }

  #join(instance: BuildInstance): void {
    rejoin(instance);
    this.#trouble = undefined;
    this.#become(instance, 'running');
    if (!instance.serving) this.#spawn(this.#show(instance));
  }

  /** Serves the build as soon as no reader blocks the switch and its predecessor is not ahead of it. */
  async #show(instance: BuildInstance): Promise<void> {
    const { schema, retry, tell } = this.#options;
    for (let attempt = 1; !this.#signal.aborted && !instance.serving && instance.state !== 'standby'; attempt++) {
      const done = await withClient(this.#pool, (client) => serve(client, schema, instance.projection, instance)).catch(
        (error: unknown) => {
          if (!isTransient(error)) tell(`The read model ${instance.name} cannot be served: ${sentence(error)}`);
          return false;
        },
      );
      if (!done) {
        await pause(waitBefore(attempt, retry), this.#signal);
        continue;
      }
      instance.serving = true;
      this.#coordinator.sweepSoon();
      announceAll(this.#announcer, [instance]);
      this.#changed();
    }
  }

  // filling or running -> stopped -> filling

  #stopAt(instance: BuildInstance, error: unknown, lag = 0): void {
    if (instance.error === undefined) instance.lag = lag;
    instance.error = sentence(error);
    instance.stoppedAt = error instanceof PoisonEvent ? error.eventId : null;
    this.#become(instance, 'stopped');
    this.#spawn(this.#tryAgain(instance));
  }

  async #tryAgain(instance: BuildInstance): Promise<void> {
    instance.attempts++;
    await instance.again.raised(waitBefore(instance.attempts, this.#options.retry), this.#signal);
    if (instance.state === 'stopped' && !this.#signal.aborted) this.#beginCatchUp([instance]);
  }

  // running

  async #follow(): Promise<void> {
    for (let attempt = 1; !this.#signal.aborted;) {
      const runners = this.#in('running');
      if (runners.length === 0) {
        await this.#changes.raised(BEAT_MS, this.#signal);
        continue;
      }
      const from = highest(runners);
      this.#beginCatchUp(runners.filter(({ position }) => position < from));
      try {
        await this.#following.run(from);
        attempt = 1;
      } catch (error) {
        if (this.#signal.aborted) return;
        if (!isTransient(error)) this.#options.tell(`Following the log was interrupted: ${sentence(error)}`);
        // Also without new events: the next interruption has nothing to do with those before.
        if (this.#following.wasLive || highest(this.#instances) > from) attempt = 1;
        if (this.#in('running').length > 0) this.#trouble = sentence(error);
        await this.#pauseWhileAway(attempt++);
      }
      // They continue from their checkpoints, if the log is still the same.
      this.#beginCatchUp(this.#in('running'));
    }
  }

  // helpers

  #become(instance: BuildInstance, state: BuildInstance['state']): void {
    instance.state = state;
    instance.turn++;
    instance.again.raise();
    this.#changed();
  }

  #changed(): void {
    this.#changes.raise();
    if (this.#phase !== 'not started') this.#nextBeat.raise();
  }

  #in(...states: BuildInstance['state'][]): BuildInstance[] {
    return this.#instances.filter(({ state }) => states.includes(state));
  }

  #isSettled(head: Position): boolean {
    const isSettled = ({ state, serving, stale, position, error }: BuildInstance): boolean => {
      if (state === 'standby') return serving && !stale && (position >= head || error !== undefined);
      return state === 'running' ? serving : state === 'retired' || error !== undefined;
    };
    return this.#options.projections.every(({ name }) => this.#instances.some((instance) => instance.name === name && isSettled(instance)));
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
