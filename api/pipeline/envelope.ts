import type { CommandMetadata, Right } from '../../events/codec/event.ts';
import type { Actor } from '../actor.ts';
import { mayWriteSet } from '../actor.ts';
import type { Touched } from '../common/command.ts';
import { ProblemError } from '../common/problems.ts';

export type Signed = {
  readonly commandId: string;
  readonly bodyTag: string;
  readonly actor: Actor;
  /** The subject and sets that the decision concerns; undefined: none. */
  readonly touched: Touched | undefined;
  /** The product's own code asks on behalf of the actor. */
  readonly isInternal: boolean;
  readonly input: unknown;
  /** Undefined: it is an act of its own. */
  readonly partOf: { readonly jobId: string; readonly cause: string | undefined } | undefined;
  readonly at: Date;
};

/** Who did it, by which right, and when: the metadata of every event of a command. @throws ProblemError `not-your-set` */
export const envelope = ({ commandId, bodyTag, actor, touched, isInternal: own, input, partOf, at }: Signed): CommandMetadata => ({
  commandId,
  correlationId: partOf?.jobId ?? commandId,
  causationId: partOf?.cause ?? commandId,
  actor: {
    accountId: actor.accountId,
    role: actor.role,
    ...(actor.viewAs === undefined ? {} : { viewAs: actor.viewAs }),
    right: own ? { by: 'self' } : rightOf(actor, touched),
  },
  at: at.toISOString(),
  ...typedAtOf(input, at),
  bodyTag,
});

/**
 * The time of an event: not before that of the event before it in the stream, although the servers' clocks differ a little, because people read
 * the times of a stream as its order. A clock that is wrong by more than a minute is not followed: all later events would be as wrong.
 *
 * @param last of the stream's newest event, like `now` in ms since 1970; undefined: it is the first
 */
export const timeAfter = (last: number | undefined, now: number): Date =>
  new Date(last !== undefined && last > now && last - now <= MOST_AHEAD_MS ? last : now);

const MOST_AHEAD_MS = 60_000;

/** The right by which it was allowed. Also a second line of defence: a decision that overlooked foreign sets fails here. */
const rightOf = (actor: Actor, touched: Touched | undefined): Right => {
  if (!touched || actor.role === 'admin' || actor.role === 'system') return { by: 'role' };
  const { subjectId, setIds } = touched;
  if (!setIds.every((setId) => mayWriteSet(actor, { setId, subjectId }))) {
    throw new ProblemError('not-your-set', 'You may not enter marks for this class.');
  }
  if (actor.role === 'leader') return { by: 'subject', subjectId };
  return setIds.length > 0 ? { by: 'sets', setIds: [...setIds] } : { by: 'self' };
};

/**
 * When it was typed, as far as the device can be believed: a save may wait offline for days, and the device's clock may be some minutes fast,
 * but nothing was typed later than now. The claim itself is kept separately.
 */
const typedAtOf = (input: unknown, at: Date): Pick<CommandMetadata, 'typedAt' | 'typedAtClaimed'> => {
  if (typeof input !== 'object' || input === null || !('typedAt' in input) || typeof input.typedAt !== 'string') return {};
  const claimed = Date.parse(input.typedAt);
  const believed = Math.min(Math.max(claimed, at.getTime() - LONGEST_WAIT_MS), at.getTime());
  return believed === claimed ? { typedAt: input.typedAt } : { typedAt: new Date(believed).toISOString(), typedAtClaimed: input.typedAt };
};

const LONGEST_WAIT_MS = 30 * 24 * 3_600_000;
