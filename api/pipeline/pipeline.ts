import type { KeyObject } from 'node:crypto';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { streamOf } from '../../events/aggregate.ts';
import type { Codec } from '../../events/codec/codec.ts';
import type { CommandMetadata, Right } from '../../events/codec/event.ts';
import { commandId as commandIdOf, eventId, newId } from '../../events/codec/ids.ts';
import type { KeyRing } from '../../events/codec/keys.ts';
import { KeyMissing, PersonForgotten } from '../../events/codec/keys.ts';
import { split } from '../../events/codec/parts.ts';
import { bodyTag as bodyTagOf, canonical, tag } from '../../events/codec/tags.ts';
import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import { eventTypes } from '../../events/registry.ts';
import type { AppendResult, EventStore, ExpectedRevision, NewEvent, StreamId } from '../../events/store/port.ts';
import { together } from '../../events/store/together.ts';
import { EventIdTaken, OutcomeUnknown, StoreUnavailable, WrongExpectedRevision } from '../../events/store/port.ts';
import { isDatabaseAway } from '../../events/store/postgres/away.ts';
import { DatabaseUnavailable } from '../../projections/engine/database.ts';
import { AsOfBusy } from '../../projections/engine/as-of/busy.ts';
import { commandAccess } from '../access.ts';
import type { CommandName } from '../commands/all.ts';
import { commands } from '../commands/all.ts';
import type { Actor } from '../actor.ts';
import type { Command, Context, Touched } from '../commands/command.ts';
import { mayWriteSet } from '../actor.ts';
import { isDoubtful, Refused } from '../commands/command.ts';
import type { CommandAnswer } from '../contract/live.ts';
import type { Query } from '../facts/facts.ts';
import type { Fold } from './folds.ts';
import { Folds } from './folds.ts';
import { ProblemError, validated } from './problems.ts';
import { Queue } from './queue.ts';

export type PipelineOptions = {
  readonly store: EventStore;
  readonly codec: Codec<typeof eventTypes>;
  readonly keys: Pick<KeyRing, 'schoolKey'>;
  /** Runs `work` as the reader of one school, in one transaction. */
  readonly readAs: <T>(schoolId: string, work: (query: Query) => Promise<T>) => Promise<T>;
  /** Fulfilled when the read models have come to the position. @throws ReadModelBehind */
  readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
  /** Folds kept in memory. */
  readonly foldCache?: number;
  readonly clock?: () => Date;
};

/** How one asks. `key`: of the act, the same when it is sent again; none: every sending is an act of its own. */
export type Request = {
  readonly actor: Actor;
  readonly key?: string | undefined;
  readonly body: unknown;
  /** Fulfilled when the asker is known to be the actor: until then the command reads, and decides nothing. Left out: he is known. */
  readonly sure?: Promise<void>;
};

/** How long a command waits for its read models, and how long it is tried again when others write to its stream. */
const FACTS_WAIT_MS = 2_000;
const CONFLICT_MS = 5_000;

/**
 * The way of every command: authorise, validate, read facts, fold its stream, answer it from its events if it was there before, decide,
 * append at the revision that was read.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #folds: Folds;
  readonly #queue = new Queue();
  readonly #clock: () => Date;
  #retries = 0;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#folds = new Folds(options.store, options.codec, options.foldCache ?? 500);
    this.#clock = options.clock ?? (() => new Date());
  }

  /** How often a command was decided again since the start, because somebody else had written to its stream first. */
  get retries(): number {
    return this.#retries;
  }

  /** Whether the role may do this at all. @throws ProblemError `forbidden` */
  authorise(name: CommandName, { role }: Actor): void {
    if (role !== 'system' && !commandAccess[name].roles.includes(role))
      throw new ProblemError('forbidden', 'Your account may not do this.');
  }

  /** @throws ProblemError for what the asker can know and mend; nothing was changed then. */
  async execute(name: CommandName, request: Request): Promise<CommandAnswer<unknown>> {
    const { actor } = request;
    this.authorise(name, actor);
    // Its parts fit together, as `command` made them; the table of commands does not know their types.
    const command = commands[name] as unknown as Command<unknown, unknown, unknown>;
    const input = validated(command.input, request.body);
    authoriseSubject(name, actor, input);
    const { schoolId } = actor;
    const schoolKey = await this.#options.keys.schoolKey(schoolId);
    const commandId = commandIdOf(actor.accountId, request.key ?? randomUUID());
    const asked = { commandId, bodyTag: bodyTagOf(schoolKey, canonical({ command: name, input })), sure: request.sure };
    const context = contextOf(actor, commandId, schoolKey);
    const stream = streamOf(command.aggregate.category, schoolId, command.streamId(input, context));
    try {
      return await this.#queue.run(stream, () => this.#run(command, stream, input, context, asked));
    } catch (error) {
      throw asProblem(error);
    }
  }

  async #run(
    command: Command<unknown, unknown, unknown>,
    stream: StreamId,
    input: unknown,
    context: Context,
    asked: Asked,
  ): Promise<CommandAnswer<unknown>> {
    const giveUpAt = performance.now() + CONFLICT_MS;
    let idTaken = false;
    for (let attempt = 1; ; attempt++) {
      // Side by side: neither stands on the other, and each is a round trip.
      const [folded, facts] = await Promise.allSettled([
        this.#folds.of(stream, command.aggregate),
        this.#facts(command, input, context.actor, command.facts.waits),
      ]);
      await asked.sure;
      const fold = valueOf(folded);
      let known = valueOf(facts);

      const earlier = this.#earlier(fold, command, input, context, asked);
      if (earlier) {
        const events = await this.#folds.eventsOf(stream, earlier.commandId, earlier.revision);
        return answered(command.answer(input, events, known, context), events.at(-1));
      }
      // Its ids stand in the log, but not in this stream: the key belongs to a request about something else.
      if (idTaken) throw keyReused();

      let decision = command.decide(input, fold.state, known, context);
      if (!command.facts.waits && isDoubtful(command, input, decision)) {
        known = await this.#facts(command, input, context.actor, true);
        decision = command.decide(input, fold.state, known, context);
      }
      if (decision instanceof Refused) throw new ProblemError(decision.code, decision.title, { errors: decision.errors });
      if (decision.length === 0) return answered(command.answer(input, [], known, context), undefined);

      const metadata = this.#envelope(command, input, known, decision, context, asked);
      try {
        const events = await this.#append(stream, fold, decision, metadata, context.schoolId);
        return answered(command.answer(input, events, known, context), events.at(-1));
      } catch (error) {
        this.#folds.drop(stream);
        if (!isOvertaken(error) || performance.now() > giveUpAt) throw error;
        this.#retries += 1;
        idTaken = error instanceof EventIdTaken;
        await pause(Math.random() * 20 * attempt);
      }
    }
  }

  async #facts(command: Command<unknown, unknown, unknown>, input: unknown, actor: Actor, waits: boolean): Promise<unknown> {
    const { models, load, loadAll } = command.facts;
    if (models.length === 0) return load(noQuery, input, actor);
    if (waits) await this.#options.waitFor(models, await this.#options.store.head(), FACTS_WAIT_MS);
    if (loadAll) return this.#loadTogether({ loadAll, input, schoolId: actor.schoolId });
    return this.#options.readAs(actor.schoolId, (query) => load(query, input, actor));
  }

  /** One transaction for each school and kind of facts. */
  readonly #loadTogether = together(MOST_TOGETHER, async (asked: readonly Shared[]) => {
    const rounds = Map.groupBy(asked, ({ schoolId }) => schoolId)
      .values()
      .flatMap((ofSchool) => Map.groupBy(ofSchool, ({ loadAll }) => loadAll).values());
    const answers = new Map<Shared, unknown>();
    await Promise.all(
      rounds.map(async (round) => {
        const [{ schoolId, loadAll }] = round as [Shared, ...Shared[]];
        const known = await this.#options.readAs(schoolId, (query) =>
          loadAll(
            query,
            round.map(({ input }) => input),
          ),
        );
        round.forEach((one, place) => answers.set(one, known[place]));
      }),
    );
    return asked.map((one) => answers.get(one));
  });

  /** The command, or one that said the same, if the stream holds it already. */
  #earlier(
    fold: Fold<unknown>,
    command: Command<unknown, unknown, unknown>,
    input: unknown,
    context: Context,
    asked: Asked,
  ): { commandId: string; revision: bigint } | undefined {
    const same = fold.commands.get(asked.commandId);
    if (same) {
      if (same.bodyTag !== asked.bodyTag) throw keyReused();
      return { commandId: asked.commandId, revision: same.revision };
    }
    const repeated = command.repeats?.(input, fold.state, context);
    const found = repeated === undefined ? undefined : fold.commands.get(repeated);
    if (found && found.bodyTag !== asked.bodyTag) throw new ProblemError('conflict', NUMBER_TAKEN);
    return found && repeated !== undefined ? { commandId: repeated, revision: found.revision } : undefined;
  }

  #envelope(
    command: Command<unknown, unknown, unknown>,
    input: unknown,
    known: unknown,
    decided: readonly MarktrailEvent[],
    { actor }: Context,
    { commandId, bodyTag }: Asked,
  ): CommandMetadata {
    return {
      commandId,
      correlationId: commandId,
      causationId: commandId,
      actor: { accountId: actor.accountId, role: actor.role, right: rightOf(actor, command.touches?.(input, known, decided)) },
      at: this.#clock().toISOString(),
      ...typedAtOf(input),
      bodyTag,
    };
  }

  async #append(
    stream: StreamId,
    fold: Fold<unknown>,
    decided: readonly MarktrailEvent[],
    metadata: CommandMetadata,
    schoolId: string,
  ): Promise<RecordedEvent[]> {
    const ids = decided.map((_event, index) => eventId(metadata.commandId, index));
    const encoded = await this.#options.codec.encode(schoolId, decided, ids, metadata);
    const attempt = (fold.attempts.get(metadata.commandId) ?? 0) + 1;
    let expected: ExpectedRevision = fold.revision ?? 'none';
    let last: AppendResult | undefined;
    for (const events of split(encoded, attempt)) {
      last = await this.#appendSurely(stream, events, expected);
      expected = last.revision;
    }
    if (!last) return [];
    const { revision, position } = last;
    return decided.map((event, index) => ({
      ...event,
      id: ids[index] ?? '',
      stream,
      revision: revision - BigInt(decided.length - 1 - index),
      position,
      metadata: { ...metadata, schoolId, schemaVersion: eventTypes[event.type].version },
      // As it was written: what is read back differs only where somebody was forgotten.
    }));
  }

  /** An append whose outcome is not known is sent again, the same ids at the same revision: that cannot write twice. */
  async #appendSurely(stream: StreamId, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const giveUpAt = performance.now() + CONFLICT_MS;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#options.store.append(stream, events, expected);
      } catch (error) {
        if (!(error instanceof OutcomeUnknown) || performance.now() > giveUpAt) throw error;
        await pause(Math.random() * 50 * attempt);
      }
    }
  }
}

/** Somebody else wrote first: to this stream, or (from another process) this very command. Fold again, and decide or answer. */
const isOvertaken = (error: unknown): boolean => error instanceof WrongExpectedRevision || error instanceof EventIdTaken;

const keyReused = (): ProblemError => new ProblemError('key-reused', 'This idempotency key was used for another request.');

/** Facts that are asked for at the same time as others. */
type Shared = {
  readonly schoolId: string;
  readonly loadAll: NonNullable<Command<unknown, unknown, unknown>['facts']['loadAll']>;
  readonly input: unknown;
};

const MOST_TOGETHER = 64;

const NUMBER_TAKEN = 'Another save of this entry has that number already. Send these marks under a new number.';

type Asked = { readonly commandId: string; readonly bodyTag: string; readonly sure: Promise<void> | undefined };

/** A leader's and a teacher's subjects; which sets, the decision says. */
const authoriseSubject = (name: CommandName, actor: Actor, input: unknown): void => {
  const { within } = commandAccess[name];
  if (within === 'school' || actor.role === 'admin' || actor.role === 'system') return;
  if (typeof input === 'object' && input !== null && 'subjectId' in input && !actor.subjectIds.includes(String(input.subjectId))) {
    throw new ProblemError('forbidden', 'This subject is not one of yours.');
  }
};

/** The right that the act stood on. The second lock: a decision that let foreign sets pass ends here. */
const rightOf = (actor: Actor, touched: Touched | undefined): Right => {
  if (!touched || actor.role === 'admin' || actor.role === 'system') return { by: 'role' };
  const { subjectId, setIds } = touched;
  if (!setIds.every((setId) => mayWriteSet(actor, { setId, subjectId }))) {
    throw new ProblemError('not-your-set', 'You may not write in this class.');
  }
  if (actor.role === 'leader') return { by: 'subject', subjectId };
  return setIds.length > 0 ? { by: 'sets', setIds: [...setIds] } : { by: 'self' };
};

const contextOf = (actor: Actor, commandId: string, schoolKey: KeyObject): Context => ({
  schoolId: actor.schoolId,
  commandId,
  actor,
  newId: (label) => newId(commandId, label),
  tag: (kind, value) => tag(schoolKey, kind, value),
});

const valueOf = <T>(settled: PromiseSettledResult<T>): T => {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
};

const typedAtOf = (input: unknown): { typedAt?: string } =>
  typeof input === 'object' && input !== null && 'typedAt' in input && typeof input.typedAt === 'string' ? { typedAt: input.typedAt } : {};

const noQuery: Query = () => Promise.reject(new Error('these facts read no read model'));

const answered = (result: unknown, last: RecordedEvent | undefined): CommandAnswer<unknown> => ({
  position: last ? String(last.position) : null,
  revision: last ? String(last.revision) : null,
  result,
});

export const asProblem = (error: unknown): unknown => {
  if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) {
    return new ProblemError('store-unavailable', 'Nothing can be stored just now: the log cannot be reached. Try again in a moment.', {
      detail: 'Sent again under the same Idempotency-Key it is stored once, whatever became of it this time.',
      retryAfter: 2,
      cause: error,
    });
  }
  if (isDatabaseAway(error) || error instanceof DatabaseUnavailable) {
    return new ProblemError('store-unavailable', 'The database cannot be reached just now. Try again in a moment.', {
      retryAfter: 2,
      cause: error,
    });
  }
  if (isOvertaken(error)) {
    return new ProblemError('conflict', 'Somebody else is changing the same thing just now. Try again.', { retryAfter: 1, cause: error });
  }
  if (error instanceof PersonForgotten) {
    return new ProblemError('refused', 'This person was forgotten: nothing about them can be written any more.', { cause: error });
  }
  if (error instanceof KeyMissing) {
    return new ProblemError('store-unavailable', 'The keys to some names are missing here: they must be restored from a backup first.', {
      retryAfter: 60,
      cause: error,
    });
  }
  if (error instanceof Error && error.name === 'ReadModelBehind') {
    return new ProblemError('read-model-behind', 'The figures are not up to date yet. Try again in a moment.', {
      retryAfter: 1,
      cause: error,
    });
  }
  if (error instanceof AsOfBusy) return new ProblemError('as-of-busy', error.message, { retryAfter: error.retryAfter, cause: error });
  return error;
};
