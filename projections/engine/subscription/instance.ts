import { sayable } from '../../../events/store/postgres/without-values.ts';
import { StoreUnavailable, type Position } from '../../../events/store/port.ts';
import { CheckpointMoved, positioned, type Positioned } from './advance.ts';
import { Signal } from '../../../events/async/signal.ts';
import type { BuildId } from '../building/build.ts';
import { START } from '../building/checkpoint.ts';
import { DatabaseUnavailable } from '../database.ts';
import type { Projection } from '../projection.ts';
import type { Batch } from './batch.ts';

/**
 * A build in this engine.
 *
 *   standby   another process works on it, or none yet
 *   filling   reads the log separately until it has reached the running builds
 *   running   follows the log, together with the others
 *   stopped   at an event that it cannot apply; retried regularly
 *   retired   replaced by a newer version
 */
export type State = 'standby' | 'filling' | 'running' | 'stopped' | 'retired';

export type BuildInstance = Positioned & {
  state: State;
  /** how often the state has changed */
  turn: number;
  /** readers see its tables */
  serving: boolean;
  /** it was built from another log than this one */
  stale: boolean;
  /** number of events not applied, while it is stopped */
  lag: number;
  attempts: number;
  error?: string;
  /** id of the event that it has stopped at */
  stoppedAt: string | null;
  /** the error as recorded in the database */
  recordedError: string | null;
  /** raised to retry a stopped instance before its pause is over */
  readonly again: Signal;
};

export const newInstance = (
  projection: Projection,
  schema: string,
  { generation }: Pick<BuildId, 'generation'>,
  position = START,
): BuildInstance => ({
  ...positioned(projection, schema, position, generation),
  state: 'standby',
  turn: 0,
  serving: false,
  lag: 0,
  stale: false,
  attempts: 0,
  stoppedAt: null,
  recordedError: null,
  again: new Signal(),
});

export const rejoin = (instance: BuildInstance): void => {
  instance.state = 'running';
  instance.lag = 0;
  instance.attempts = 0;
  instance.stoppedAt = null;
  delete instance.error;
};

export const retire = (instance: BuildInstance, why: string): void => {
  instance.state = 'retired';
  instance.error = why;
};

export const isCatchingUp = ({ state }: Pick<BuildInstance, 'state'>): boolean => state === 'filling';

/** The instances that the batch advances. */
export const laggingAt = <One extends Pick<BuildInstance, 'position'>>(instances: readonly One[], batch: Pick<Batch, 'position'>): One[] =>
  instances.filter(({ position }) => position < batch.position);

/** The lowest position. */
export const lowest = (instances: readonly Pick<BuildInstance, 'position'>[]): Position =>
  instances.reduce<Position | undefined>((low, { position }) => (low === undefined || position < low ? position : low), undefined) ?? START;

/** The highest position. */
export const highest = (instances: readonly Pick<BuildInstance, 'position'>[]): Position =>
  instances.reduce((high, { position }) => (position > high ? position : high), START);

/** Not the fault of a projection: the log or PostgreSQL is away, or has lost commits. */
export const isTransient = (error: unknown): boolean =>
  error instanceof StoreUnavailable || error instanceof DatabaseUnavailable || error instanceof CheckpointMoved;

export const sentence = (error: unknown): string => sayable(error);

/** The state as seen by this process. Positions are text, because JSON has no bigint. */
export type EngineStatus = {
  readonly log: { readonly state: LogState; readonly error?: string };
  readonly projections: readonly ProjectionStatus[];
};
export type LogState = 'not started' | 'catching up' | 'live' | 'interrupted' | 'standing by';
export type ProjectionStatus = {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  readonly serving: boolean;
  readonly position: string;
  readonly state: State;
  /** number of events that this process has seen but not applied */
  readonly lag: number;
  /** a sentence */
  readonly error?: string;
};

export const statusOf = (instance: BuildInstance, pending: number): ProjectionStatus => {
  const { name, version, generation, serving, position, error } = instance;
  // A retry has not succeeded yet.
  const state = instance.state === 'filling' && error !== undefined ? 'stopped' : instance.state;
  const lag = state === 'running' ? pending : instance.lag;
  return { name, version, generation, serving, position: String(position), state, lag, ...(error === undefined ? {} : { error }) };
};
