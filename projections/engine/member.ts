import { StoreUnavailable } from '../../events/store/port.ts';
import { CheckpointMoved, type Standing } from './advance.ts';
import { DatabaseUnavailable } from './database.ts';

/** A projection in this engine. */
export type Member = Standing & {
  state: ProjectionStatus['state'];
  /** its tables are what readers see */
  serving: boolean;
  /** while it is stopped */
  lag: number;
  attempts: number;
  error?: string;
};

export const rejoin = (member: Member): void => {
  member.state = 'running';
  member.lag = 0;
  member.attempts = 0;
  delete member.error;
};

export const retire = (member: Member, why: string): void => {
  member.state = 'retired';
  member.error = why;
};

/** Not the fault of any projection: the log or PostgreSQL is away, or has taken something back. */
export const isTransient = (error: unknown): boolean =>
  error instanceof StoreUnavailable || error instanceof DatabaseUnavailable || error instanceof CheckpointMoved;

export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** For /api/health. Positions as text, because JSON has no bigint. */
export type EngineStatus = {
  readonly log: { readonly state: LogState; readonly error?: string };
  readonly projections: readonly ProjectionStatus[];
};
export type LogState = 'not started' | 'catching up' | 'live' | 'interrupted';
export type ProjectionStatus = {
  readonly name: string;
  readonly version: number;
  readonly position: string;
  /** `stopped` is tried again and again; `retired` has been replaced by a newer version, or stands beyond the end of the log */
  readonly state: 'running' | 'stopped' | 'retired';
  /** events that it has not applied yet, of those that this process has seen */
  readonly lag: number;
  /** a sentence */
  readonly error?: string;
};
