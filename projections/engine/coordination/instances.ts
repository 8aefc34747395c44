import type { Position } from '../../../events/store/port.ts';
import { isSameBuild, type BuildId } from '../building/build.ts';
import type { Projection } from '../projection.ts';
import { newInstance, rejoin, statusOf, type BuildInstance, type EngineStatus, type State } from '../subscription/instance.ts';
import { Signal } from '../../../events/async/signal.ts';

/** of the process */
export type Phase = 'not started' | 'catching up' | 'following';

/** The builds that this process knows, each in a state of its own. */
export class Instances {
  readonly #projections: readonly Projection[];
  readonly #schema: string;
  #all: readonly BuildInstance[] = [];
  /** raised when one changes its state */
  readonly changes = new Signal();
  /** why this process cannot read the log or write to PostgreSQL; a sentence */
  trouble: string | undefined;

  constructor(projections: readonly Projection[], schema: string) {
    this.#projections = projections;
    this.#schema = schema;
  }

  get all(): readonly BuildInstance[] {
    return this.#all;
  }

  in(...states: State[]): BuildInstance[] {
    return this.#all.filter(({ state }) => states.includes(state));
  }

  /** All follow the log. */
  get areSteady(): boolean {
    return this.#all.length > 0 && this.#all.every(({ state }) => state === 'running');
  }

  /** The instance of the build; one that is new is on standby. */
  of(build: BuildId): BuildInstance {
    const existing = this.#all.find((one) => isSameBuild(one, build));
    if (existing) return existing;
    const projection = this.#projections.find(({ name }) => name === build.name);
    if (!projection) throw new Error(`there is no read model ${build.name}`);
    const instance = newInstance(projection, this.#schema, build);
    this.#all = [...this.#all, instance];
    return instance;
  }

  become(instance: BuildInstance, state: State): void {
    instance.state = state;
    instance.turn++;
    instance.again.raise();
    this.changes.raise();
  }

  standBy(instance: BuildInstance): void {
    instance.isUnannounced = true;
    if (instance.state !== 'standby') this.become(instance, 'standby');
    // A process on standby has no trouble of its own.
    if (this.in('filling', 'running', 'stopped').length === 0) this.trouble = undefined;
  }

  /** It has caught up with the running ones. */
  join(instance: BuildInstance): void {
    rejoin(instance);
    this.trouble = undefined;
    this.become(instance, 'running');
  }

  remove(instance: BuildInstance): void {
    this.#all = this.#all.filter((one) => one !== instance);
  }

  /** Every read model is served and has reached `head`, or waits for an operator. */
  isSettled(head: Position): boolean {
    const isSettled = ({ state, serving, stale, position, error }: BuildInstance): boolean => {
      if (state === 'standby') return serving && !stale && (position >= head || error !== undefined);
      return state === 'running' ? serving : state === 'retired' || error !== undefined;
    };
    return this.#projections.every(({ name }) => this.#all.some((instance) => instance.name === name && isSettled(instance)));
  }

  /** `pending`, `live`: of the subscription that the running ones share. */
  status({ phase, pending, live }: { phase: Phase; pending: number; live: boolean }): EngineStatus {
    const projections = this.#projections.flatMap(({ name }) =>
      this.#all.filter((instance) => instance.name === name).map((instance) => statusOf(instance, pending)),
    );
    if (this.trouble !== undefined) return { log: { state: 'interrupted', error: this.trouble }, projections };
    const isIdle = this.#all.length > 0 && this.#all.every(({ state }) => state === 'standby' || state === 'retired');
    const state = phase === 'not started' ? phase : isIdle ? 'standing by' : live ? 'live' : 'catching up';
    return { log: { state }, projections };
  }
}
