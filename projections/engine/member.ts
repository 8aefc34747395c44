import { StoreUnavailable, type Position } from '../../events/store/port.ts';
import { CheckpointMoved, standing, type Standing } from './advance.ts';
import { Bell } from './bell.ts';
import type { BuildId } from './build.ts';
import { START } from './checkpoint.ts';
import { DatabaseUnavailable } from './database.ts';
import type { Projection } from './projection.ts';
import type { Slice } from './slice.ts';

/**
 * A build in this engine.
 *
 *   standby   another process brings it along, or nobody does yet
 *   filling   reads the log by itself until it has reached the others
 *   running   follows the log, together with the others
 *   stopped   at an event that it cannot apply; tried again and again
 *   retired   a newer version has taken its place
 */
export type State = 'standby' | 'filling' | 'running' | 'stopped' | 'retired';

export type Member = Standing & {
  state: State;
  /** how often the state has changed */
  turn: number;
  /** its tables are what readers see */
  serving: boolean;
  /** it was filled from another log than this one */
  stale: boolean;
  /** while it is stopped */
  lag: number;
  attempts: number;
  error?: string;
  /** the event that it has stopped at */
  stoppedAt: string | null;
  /** what the database says of the error */
  told: string | null;
  /** rung when what it stopped at has been put right, or it is not ours any more */
  readonly again: Bell;
};

export const newMember = (
  projection: Projection,
  schema: string,
  { generation }: Pick<BuildId, 'generation'>,
  position = START,
): Member => ({
  ...standing(projection, schema, position, generation),
  state: 'standby',
  turn: 0,
  serving: false,
  lag: 0,
  stale: false,
  attempts: 0,
  stoppedAt: null,
  told: null,
  again: new Bell(),
});

export const rejoin = (member: Member): void => {
  member.state = 'running';
  member.lag = 0;
  member.attempts = 0;
  member.stoppedAt = null;
  delete member.error;
};

export const retire = (member: Member, why: string): void => {
  member.state = 'retired';
  member.error = why;
};

export const isFilling = ({ state }: Pick<Member, 'state'>): boolean => state === 'filling';

/** Those whom the slice brings further. */
export const behind = <One extends Pick<Member, 'position'>>(members: readonly One[], slice: Pick<Slice, 'position'>): One[] =>
  members.filter(({ position }) => position < slice.position);

/** Where the slowest stands. */
export const lowest = (members: readonly Pick<Member, 'position'>[]): Position =>
  members.reduce<Position | undefined>((low, { position }) => (low === undefined || position < low ? position : low), undefined) ?? START;

/** Where the furthest stands. */
export const highest = (members: readonly Pick<Member, 'position'>[]): Position =>
  members.reduce((high, { position }) => (position > high ? position : high), START);

/** Not the fault of any projection: the log or PostgreSQL is away, or has taken something back. */
export const isTransient = (error: unknown): boolean =>
  error instanceof StoreUnavailable || error instanceof DatabaseUnavailable || error instanceof CheckpointMoved;

export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** As this process sees it. Positions as text, because JSON has no bigint. */
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
  /** events that it has not applied yet, of those that this process has seen */
  readonly lag: number;
  /** a sentence */
  readonly error?: string;
};

export const statusOf = (member: Member, pending: number): ProjectionStatus => {
  const { name, version, generation, serving, position, error } = member;
  // While it tries again it has not got over its error yet.
  const state = member.state === 'filling' && error !== undefined ? 'stopped' : member.state;
  const lag = state === 'running' ? pending : member.lag;
  return { name, version, generation, serving, position: String(position), state, lag, ...(error === undefined ? {} : { error }) };
};
