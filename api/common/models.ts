import type { Committed } from '../../projections/engine/announcing/progress.ts';
import type { Channel } from '../contract/channels.ts';
import { ANY_CHANGE } from '../contract/channels.ts';
import type { About } from './about.ts';

/** What an answer is about. The less of it is known, the more changes concern the answer. `part`: a year group or an assessment. */
export type Scope = { readonly subjectId?: string | undefined; readonly part?: string | undefined };

type Follows = Channel | typeof ANY_CHANGE;
type ChannelOf = (scope: Scope) => Follows;

const structure: ChannelOf = ({ subjectId }) => (subjectId === undefined ? 'structure' : `structure:${subjectId}`);

const tasks: ChannelOf = ({ subjectId }) => (subjectId === undefined ? 'tasks' : `tasks:${subjectId}`);

/** The read models that may be asked, and the channel on which the changes of each are announced (see `topics` of the projections). */
const channelOf = {
  structure,
  assessments: structure,
  mappings: structure,
  revision_lists: structure,
  roster: () => 'roster',
  accounts: () => 'staff',
  looks: () => 'staff',
  results: ({ subjectId, part }) => {
    if (subjectId === undefined) return 'marks';
    return part === undefined ? `marks:${subjectId}` : `marks:${subjectId}/${part}`;
  },
  grade_profiles: tasks,
  tasks,
  prior: ({ subjectId }) => (subjectId === undefined ? 'prior' : `prior:${subjectId}`),
  record: () => ANY_CHANGE,
} as const satisfies Readonly<Record<string, ChannelOf>>;

export type Model = keyof typeof channelOf;

/**
 * What a query or list declares: the read models in its SQL. A request with X-Min-Position waits for them, and the answer follows their
 * changes live. `live` narrows that if only a part of a model is shown; null: its changes do not matter. `marks`: only the marks of the year
 * group or assessment of the request matter.
 */
export type Declared = {
  readonly models: readonly Model[];
  readonly live?: Readonly<Partial<Record<Model, ChannelOf | null>>>;
  readonly marks?: 'yearGroup' | 'assessment';
};

/** How far the read models have come, as this process knows. */
export type ModelProgress = {
  readonly positions: () => ReadonlyMap<string, bigint>;
  /** The same as the database has it: one read. */
  readonly storedPositions: () => Promise<ReadonlyMap<string, bigint>>;
  /** Fulfilled when the read models have reached the position. @throws ReadModelBehind */
  readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
  /** Calls the listener after each commit of any process; returns a function that ends that. */
  readonly onCommitted: (listener: (committed: Committed) => void) => () => void;
};

/** The scope of an answer, from what its request is about. */
export const scopeOf = ({ marks }: Declared, { subjectId, yearGroupId, testId }: About): Scope =>
  subjectId === '' ? {} : { subjectId, part: marks === 'assessment' ? testId : marks === 'yearGroup' ? yearGroupId : undefined };

/** The live channels of an answer, as the header `X-Channels` names them. */
export const channelsOf = ({ models, live = {} }: Declared, scope: Scope = {}): readonly Follows[] => [
  ...new Set(
    models.flatMap((model) => {
      const narrowed = live[model];
      return narrowed === null ? [] : [(narrowed ?? channelOf[model])(scope)];
    }),
  ),
];
