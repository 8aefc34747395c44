import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { EventStore, Position } from '../../events/store/port.ts';
import type { Decode } from './subscription/advance.ts';
import { Announcer } from './announcing/announcer.ts';
import { BACKOFF, pause, pauseWhileAway, waitBefore, type Backoff } from '../../events/async/backoff.ts';
import { Coordinator } from './coordination/coordinator.ts';
import { START } from './building/checkpoint.ts';
import { countGrown } from './building/counting.ts';
import { enginePool, withClient } from './database.ts';
import { announceAll, BatchProcessor, PoisonEvent } from './subscription/batch-processor.ts';
import { fillBare, readUp, reload, type CatchUpProgress } from './subscription/catch-up.ts';
import { Following } from './subscription/following.ts';
import { Heartbeat } from './coordination/heartbeat.ts';
import { highest, isCatchingUp, isTransient, sentence } from './subscription/instance.ts';
import type { BuildInstance, EngineStatus } from './subscription/instance.ts';
import { Instances, type Phase } from './coordination/instances.ts';
import { BEAT_MS, SELDOM_MS } from './coordination/lease.ts';
import type { Progress } from './announcing/progress.ts';
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
 * From any state to standby when another process takes the lease, and to retired when a newer version is served (heartbeat.ts). A build
 * that is catching up (state `filling`) reads the log separately (catch-up.ts); running builds share one subscription, and one transaction
 * for each batch (following.ts, batch-processor.ts). The lease decides which process works on a build (lease.ts); the checkpoint
 * guarantees, independently of the lease, that nothing is applied twice (advance.ts).
 */
export class Engine {
  readonly #options: Required<EngineOptions>;
  readonly #holder = randomUUID();
  readonly #pool: pg.Pool;
  readonly #coordinator: Coordinator;
  readonly #instances: Instances;
  readonly #heartbeat: Heartbeat;
  readonly #announcer: Announcer;
  readonly #processor: BatchProcessor;
  readonly #following: Following;
  readonly #stopping = new AbortController();
  readonly #tasks = new Set<Promise<void>>();
  #phase: Phase = 'not started';
  #onProgress: (progress: CatchUpProgress) => void = () => undefined;
  #isCountDue = false;

  constructor(options: EngineOptions) {
    this.#options = { schema: 'read', retry: BACKOFF, recognise: unknownLog, tell: () => undefined, ...options };
    const { databaseUrl, schema, decode, progress, store, projections, tell } = this.#options;
    this.#pool = enginePool(databaseUrl, this.#holder);
    this.#coordinator = new Coordinator({
      databaseUrl,
      schema,
      holder: this.#holder,
      projections,
      tell,
      onNews: () => this.#instances.changes.raise(),
    });
    this.#instances = new Instances(projections, schema);
    this.#heartbeat = new Heartbeat({
      coordinator: this.#coordinator,
      instances: this.#instances,
      onGained: (instances) => this.#beginCatchUp(instances),
    });
    this.#announcer = new Announcer(this.#pool, progress);
    this.#processor = new BatchProcessor({
      pool: this.#pool,
      schema,
      decode,
      announcer: this.#announcer,
      onStop: (instance, error, lag) => this.#stopAt(instance, error, lag),
      onRetired: (instance) => this.#instances.standBy(instance),
      tell,
    });
    this.#following = new Following({
      store,
      progress,
      processor: this.#processor,
      runners: () => this.#instances.in('running'),
      onBatch: ({ events }) =>
        this.#instances.all.forEach((instance) => (instance.lag += instance.error === undefined ? 0 : events.length)),
      onStored: () => this.#countSoon(),
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
    while (!this.#signal.aborted && !this.#instances.isSettled(head ?? START)) await this.#instances.changes.raised(BEAT_MS, this.#signal);
    await this.#count(this.#instances.all);
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
    return this.#instances.status({ phase: this.#phase, pending, live });
  }

  /** Fulfilled when a read model has changed its state, or `abort` aborts. */
  changed(abort: AbortSignal): Promise<void> {
    return this.#instances.changes.raised(LOOK_MS, abort);
  }

  // standby -> filling, anything -> standby or retired

  async #beat(): Promise<boolean> {
    const isAlone = await this.#heartbeat.beat();
    this.#spawn(this.#coordinator.sweep());
    return isAlone;
  }

  async #keepBeating(): Promise<void> {
    const { changes } = this.#instances;
    while (!this.#signal.aborted) {
      const before = changes.times;
      // If the database is away, the next beat tries again.
      const isAlone = await this.#beat().catch((error: unknown) => {
        if (!isTransient(error)) this.#options.tell(`The read models cannot be maintained: ${sentence(error)}`);
        return undefined;
      });
      // What has changed meanwhile is not slept through.
      if (isAlone === undefined || changes.times === before) await changes.raised(isAlone === true ? SELDOM_MS : BEAT_MS, this.#signal);
    }
  }

  // filling -> running

  #beginCatchUp(group: readonly BuildInstance[]): void {
    for (const instance of group) this.#instances.become(instance, 'filling');
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
        for (const instance of gone) this.#instances.standBy(instance);
        const isMoved = elsewhere.length > 0 && (await recognise()) === 'moved';
        for (const { instance, why } of elsewhere) here.push(...(await this.#replace(instance, isMoved ? MOVED : why)));
        // The process that worked on them before may have been killed between a commit and its announcement.
        const unannounced = here.filter(({ serving, isUnannounced }) => serving && isUnannounced);
        if (unannounced.length > 0) announceAll(this.#announcer, unannounced);
        for (const instance of here) if (!turns.has(instance)) turns.set(instance, instance.turn);
        const others = (): Position | undefined => this.#following.position;
        const onProgress = (progress: CatchUpProgress): void => this.#onProgress(progress);
        await fillBare({ ...options, onProgress, isOurs }, here);
        await this.#count(here);
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
    this.#instances.standBy(instance);
    if (!build) return [];
    tell(reason);
    instance.stale = true;
    this.#coordinator.sweepSoon();
    if (instance.serving) {
      const reached = new Map([[instance.name, { build: [instance.version, instance.generation, 1], position: START } as const]]);
      this.#announcer.announce({ reached, changes: [] });
    }
    const successor = this.#instances.of(build);
    this.#instances.become(successor, 'filling');
    return [successor];
  }

  #join(instance: BuildInstance): void {
    this.#instances.join(instance);
    this.#countSoon();
    if (!instance.serving) this.#spawn(this.#show(instance));
  }

  /** What is stored in the meantime is counted with it. */
  #countSoon(): void {
    if (this.#isCountDue) return;
    this.#isCountDue = true;
    this.#spawn(
      pause(COUNT_MS, this.#signal).then(async () => {
        this.#isCountDue = false;
        if (!this.#signal.aborted) await this.#count(this.#instances.in('running'));
      }),
    );
  }

  /** Without it everything is right, and slower for a minute. */
  async #count(builds: readonly BuildInstance[]): Promise<void> {
    const { schema, tell } = this.#options;
    await withClient(this.#pool, (client) => countGrown(client, schema, builds)).catch((error: unknown) => {
      if (!isTransient(error)) tell(`The read models cannot be counted: ${sentence(error)}`);
    });
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
      this.#instances.changes.raise();
    }
  }

  // filling or running -> stopped -> filling

  #stopAt(instance: BuildInstance, error: unknown, lag = 0): void {
    if (instance.error === undefined) instance.lag = lag;
    instance.error = sentence(error);
    instance.stoppedAt = error instanceof PoisonEvent ? error.eventId : null;
    this.#instances.become(instance, 'stopped');
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
      const runners = this.#instances.in('running');
      if (runners.length === 0) {
        await this.#instances.changes.raised(BEAT_MS, this.#signal);
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
        // Also without new events: the next interruption is independent of those before.
        if (this.#following.wasLive || highest(this.#instances.all) > from) attempt = 1;
        if (this.#instances.in('running').length > 0) this.#instances.trouble = sentence(error);
        await pauseWhileAway(attempt++, this.#options.retry, this.#signal);
      }
      // They continue from their checkpoints, if the log is still the same.
      this.#beginCatchUp(this.#instances.in('running'));
    }
  }

  /** Retries transient errors until it succeeds or the engine stops. */
  async #persist<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    for (let attempt = 1; !this.#signal.aborted; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (this.#signal.aborted) break;
        if (!isTransient(error)) throw error;
        if (this.#following.position === undefined) this.#instances.trouble = sentence(error);
        this.#onProgress({ fraction: 0, events: 0, trouble: sentence(error) });
        await pauseWhileAway(attempt, this.#options.retry, this.#signal);
      }
    }
    return undefined;
  }

  #spawn(task: Promise<void>): void {
    const tracked = task.finally(() => this.#tasks.delete(tracked));
    this.#tasks.add(tracked);
  }

  get #signal(): AbortSignal {
    return this.#stopping.signal;
  }
}

/** How long after a change tables are looked at that may have grown. */
const COUNT_MS = 250;
/** The longest time for which a change may go unnoticed that nobody has told. */
const LOOK_MS = 60_000;
