import { setTimeout as pause } from 'node:timers/promises';
import type { Staff } from '../../events/accounts/staff.ts';
import { staff } from '../../events/accounts/staff.ts';
import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import type { StreamId } from '../../events/store/port.ts';
import { EventIdTaken } from '../../events/store/port.ts';
import { noSuch, noSuchSentence } from '../common/about.ts';
import type { Command, Context } from '../common/command.ts';
import { isDoubtful, refuse, Refused } from '../common/command.ts';
import type { CommandAnswer } from '../contract/live.ts';
import type { Appender } from './appending.ts';
import { isRevisionConflict } from './as-problem.ts';
import type { Signed } from './envelope.ts';
import { envelope, timeAfter } from './envelope.ts';
import type { Fold, Folds } from './folds.ts';
import type { FactsReader } from './facts-reader.ts';
import { ProblemError } from '../common/problems.ts';
import type { RuleAbout } from '../common/rule.ts';
import { Slice } from '../common/yield-to-event-loop.ts';
import { notStanding, stands } from './standing.ts';

/** A validated command with everything that its execution needs to know about the request. */
export type Job = {
  readonly command: Command<unknown, unknown, unknown>;
  /** Who may give it, and what it is about: see api/access.ts. */
  readonly rule: RuleAbout;
  readonly stream: StreamId;
  readonly input: unknown;
  readonly context: Context;
  readonly bodyTag: string;
  /** The session by which the actor was identified from memory; undefined: the actor is certain. */
  readonly sessionToCheck: string | undefined;
  readonly isInternal: boolean;
  /** The author's standing is asked of the log, for a leader in this subject; undefined: it is not asked. See `standing` in api/access.ts. */
  readonly standing: { readonly subjectId: string | undefined } | undefined;
  /** See `InternalRequest`; undefined: now. */
  readonly at: Date | undefined;
  /** See `InternalRequest`. */
  readonly partOf: Signed['partOf'];
  readonly precondition: (() => Promise<void>) | undefined;
  /** The stream must belong to one of these subjects, or it is refused; undefined: to any. Set where the input does not name a subject. */
  readonly mustBeOf: { readonly subjectIds: readonly string[]; readonly otherwise: ProblemError } | undefined;
};

export type ExecutionOptions = {
  readonly folds: Folds;
  readonly facts: FactsReader;
  readonly appender: Appender;
  /** Whether a subject was removed, from the log itself. */
  readonly isRemoved: (schoolId: string, subjectId: string) => Promise<boolean>;
  /** The accounts of the staff, from the log itself. */
  readonly staffOf: (schoolId: string) => Promise<Staff>;
};

/**
 * How long a command is retried while others write to its stream, and the minimum number of attempts: an append in many parts may take
 * longer.
 */
const CONFLICT_MS = 5_000;
const LEAST_ATTEMPTS = 3;

/**
 * Executes a command on its stream: fold the stream and read the facts, answer a repeated command from its events, otherwise decide and
 * append at the revision that was read. When another writer was faster, fold and decide again.
 */
export class Execution {
  readonly #options: ExecutionOptions;
  #retries = 0;

  constructor(options: ExecutionOptions) {
    this.#options = options;
  }

  /** How many times a command was decided again since the start because another writer was faster. */
  get retries(): number {
    return this.#retries;
  }

  /** @throws ProblemError, or an error that `asProblem` translates */
  async run(job: Job): Promise<CommandAnswer<unknown>> {
    return (await this.#onFoldInMemory(job)) ?? this.#onNewestFold(job);
  }

  /**
   * Saves a round trip where the fold in memory is up to date. Only an append at its revision proves that it is, so a refusal and a
   * decision that changes nothing do not count: undefined then.
   */
  async #onFoldInMemory(job: Job): Promise<CommandAnswer<unknown> | undefined> {
    const fold = this.#options.folds.recent(job.stream, job.command.aggregate);
    if (!fold) return undefined;
    const outcome = await this.#decide(job, fold);
    switch (outcome.kind) {
      case 'repeated':
        return outcome.answer;
      case 'events':
        return this.#append(job, outcome).catch((error: unknown) => {
          if (!isRevisionConflict(error)) throw error;
          return undefined;
        });
      case 'refused':
      case 'nothing':
        return undefined;
    }
  }

  async #onNewestFold(job: Job): Promise<CommandAnswer<unknown>> {
    const giveUpAt = performance.now() + CONFLICT_MS;
    let idTaken = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#decide(job, this.#options.folds.newest(job.stream, job.command.aggregate), idTaken);
      if (outcome.kind === 'refused') throw outcome.problem;
      if (outcome.kind !== 'events') return outcome.answer;
      try {
        return await this.#append(job, outcome);
      } catch (error) {
        if (!isRevisionConflict(error) || (performance.now() > giveUpAt && attempt >= LEAST_ATTEMPTS)) throw error;
        this.#retries += 1;
        idTaken = error instanceof EventIdTaken;
        await pause(Math.random() * 20 * attempt);
      }
    }
  }

  /** @param idTaken an append has just found the command's event ids elsewhere in the log */
  async #decide(job: Job, folding: Fold<unknown> | Promise<Fold<unknown>>, idTaken = false): Promise<Outcome> {
    const { command, rule, input, context, sessionToCheck, precondition, mustBeOf } = job;
    const factsNow = (wait?: true) =>
      this.#options.facts.read({ ...command, rule }, input, context.actor, wait ? { wait } : { sessionToCheck });
    // In parallel, because each is a round trip and neither needs the other.
    const [foldResult, factsResult, removedResult] = await Promise.allSettled([
      folding,
      factsNow(),
      this.#isOfRemovedSubject(job, folding),
    ]);
    let { facts, missing } = valueOf(factsResult);
    const decided = (): readonly MarktrailEvent[] | Refused =>
      missing ? refuse('not-found', noSuchSentence(missing)) : command.decide(input, fold.state, facts, context);
    const fold = valueOf(foldResult);

    if (mustBeOf && !mustBeOf.subjectIds.includes(command.subjectOf?.(fold.state) ?? ''))
      return { kind: 'refused', problem: mustBeOf.otherwise };
    const earlier = findEarlier(fold, job);
    if (earlier) {
      if (!(await this.#stands(job, fold))) return { kind: 'refused', problem: notStanding() };
      const events = await this.#options.folds.eventsOf(job.stream, earlier.commandId, earlier.revision);
      return { kind: 'repeated', answer: answered(command.answer(input, events, facts, { ...context, repeated: true }), events.at(-1)) };
    }
    // The ids are in the log but not in this stream: the key was used for a command on another one.
    if (idTaken) throw keyReused();
    await precondition?.();
    if (valueOf(removedResult)) return { kind: 'refused', problem: noSuch('subject') };

    const slice = new Slice();
    let decision = decided();
    if (!command.facts.waits && isDoubtful(command, input, decision)) {
      ({ facts, missing } = await factsNow(true));
      decision = decided();
    }
    await slice.yield();
    // Last, because what comes before may wait.
    if (!(await this.#stands(job, fold))) return { kind: 'refused', problem: notStanding() };
    if (decision instanceof Refused) {
      const { code, title, errors, asks } = decision;
      return { kind: 'refused', problem: new ProblemError(code, title, { errors, asks }) };
    }
    if (decision.length === 0) return { kind: 'nothing', answer: answered(command.answer(input, [], facts, context), undefined) };
    return { kind: 'events', events: decision, fold, facts };
  }

  /** Whether the stream belongs to a subject that was removed: it comes back with the subject, as it was. */
  async #isOfRemovedSubject({ command, context }: Job, folding: Fold<unknown> | Promise<Fold<unknown>>): Promise<boolean> {
    if (!command.subjectOf) return false;
    const subjectId = command.subjectOf((await folding).state);
    return subjectId !== undefined && this.#options.isRemoved(context.schoolId, subjectId);
  }

  /** What is written to the stream of the staff is decided on the very state that its append proves to be the newest. */
  async #stands({ standing, command, context: { actor, schoolId } }: Job, { state }: Fold<unknown>): Promise<boolean> {
    if (!standing) return true;
    // Safe: the fold of a stream is the state of its aggregate.
    const accounts = command.aggregate.category === staff.category ? (state as Staff) : await this.#options.staffOf(schoolId);
    return stands(accounts, actor, standing.subjectId);
  }

  async #append(
    { command, stream, input, context, bodyTag, isInternal: own, at, partOf }: Job,
    { fold, facts, events }: Decided,
  ): Promise<CommandAnswer<unknown>> {
    const { appender, folds } = this.#options;
    const { actor, commandId, schoolId } = context;
    const touched = command.touches?.(input, facts, events);
    const metadata = envelope({
      commandId,
      bodyTag,
      actor,
      isInternal: own,
      input,
      touched,
      partOf,
      at: timeAfter(fold.at, at?.getTime() ?? Date.now()),
    });
    try {
      const appended = await appender.append(fold, { stream, schoolId, decided: events, metadata });
      if (appended.inOne) folds.advance(fold, command.aggregate, appended.events);
      return answered(command.answer(input, appended.events, facts, context), appended.events.at(-1));
    } catch (error) {
      if (!isRevisionConflict(error)) folds.drop(stream);
      throw error;
    }
  }
}

/** The result of a command on one state of its stream. */
type Outcome =
  | Decided
  /** The stream already holds the command. */
  | { readonly kind: 'repeated'; readonly answer: CommandAnswer<unknown> }
  /** There is nothing to change. */
  | { readonly kind: 'nothing'; readonly answer: CommandAnswer<unknown> }
  | { readonly kind: 'refused'; readonly problem: ProblemError };
type Decided = {
  readonly kind: 'events';
  readonly events: readonly MarktrailEvent[];
  readonly fold: Fold<unknown>;
  readonly facts: unknown;
};

/**
 * The command, or an earlier one that said the same, if the stream already holds it.
 *
 * @throws ProblemError `key-reused`, `conflict`: the stream holds another request under this key or number
 */
const findEarlier = (fold: Fold<unknown>, job: Job): { commandId: string; revision: bigint } | undefined => {
  const { command, input, context, bodyTag } = job;
  const { commandId } = context;
  const same = fold.commands.get(commandId);
  if (same) {
    if (same.bodyTag !== bodyTag) throw keyReused();
    return { commandId, revision: same.revision };
  }
  const repeated = command.repeats?.(input, fold.state, context);
  const found = repeated === undefined ? undefined : fold.commands.get(repeated);
  if (found && found.bodyTag !== bodyTag) throw new ProblemError('conflict', NUMBER_TAKEN);
  return found && repeated !== undefined ? { commandId: repeated, revision: found.revision } : undefined;
};

const keyReused = (): ProblemError => new ProblemError('key-reused', 'This idempotency key was used for another request.');

const NUMBER_TAKEN = 'Another save of this entry has that number already. Send these marks under a new number.';

const valueOf = <T>(settled: PromiseSettledResult<T>): T => {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
};

const answered = (result: unknown, last: RecordedEvent | undefined): CommandAnswer<unknown> => ({
  position: last ? String(last.position) : null,
  revision: last ? String(last.revision) : null,
  result,
});
