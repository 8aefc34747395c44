import type { CommandMetadata, Right } from '../../events/codec/event.ts';
import type { Actor } from '../actor.ts';
import { mayWriteSet } from '../actor.ts';
import type { Touched } from '../commands/command.ts';
import { ProblemError } from './problems.ts';

export type Signed = {
  readonly commandId: string;
  readonly bodyTag: string;
  readonly actor: Actor;
  /** The subject and sets that the decision concerns; undefined: none. */
  readonly touched: Touched | undefined;
  /** The product's own code asks on behalf of the actor. */
  readonly own: boolean;
  readonly input: unknown;
  readonly at: Date;
};

/** Who did it, by which right, and when: the metadata of every event of a command. @throws ProblemError `not-your-set` */
export const envelope = ({ commandId, bodyTag, actor, touched, own, input, at }: Signed): CommandMetadata => ({
  commandId,
  correlationId: commandId,
  causationId: commandId,
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

/** The right by which it was allowed. Also a second line of defence: a decision that overlooked foreign sets fails here. */
const rightOf = (actor: Actor, touched: Touched | undefined): Right => {
  if (!touched || actor.role === 'admin' || actor.role === 'system') return { by: 'role' };
  const { subjectId, setIds } = touched;
  if (!setIds.every((setId) => mayWriteSet(actor, { setId, subjectId }))) {
    throw new ProblemError('not-your-set', 'You may not write in this class.');
  }
  if (actor.role === 'leader') return { by: 'subject', subjectId };
  return setIds.length > 0 ? { by: 'sets', setIds: [...setIds] } : { by: 'self' };
};

/**
 * When it was typed, as far as the device can be believed: a save waits offline for days, and its clock may be some minutes fast, but
 * nothing was typed later than now. The claim itself is kept apart.
 */
const typedAtOf = (input: unknown, at: Date): Pick<CommandMetadata, 'typedAt' | 'typedAtClaimed'> => {
  if (typeof input !== 'object' || input === null || !('typedAt' in input) || typeof input.typedAt !== 'string') return {};
  const claimed = Date.parse(input.typedAt);
  const believed = Math.min(Math.max(claimed, at.getTime() - LONGEST_WAIT_MS), at.getTime());
  return believed === claimed ? { typedAt: input.typedAt } : { typedAt: new Date(believed).toISOString(), typedAtClaimed: input.typedAt };
};

const LONGEST_WAIT_MS = 30 * 24 * 3_600_000;
