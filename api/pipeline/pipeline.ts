import type { KeyObject } from 'node:crypto';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Aggregate } from '../../events/aggregate.ts';
import { streamOf } from '../../events/aggregate.ts';
import type { Codec } from '../../events/codec/codec.ts';
import { commandId as commandIdOf, newId } from '../../events/codec/ids.ts';
import type { KeyRing } from '../../events/codec/keys.ts';
import { bodyTag as bodyTagOf, canonical, tag } from '../../events/codec/tags.ts';
import type { eventTypes, RecordedEvent } from '../../events/registry.ts';
import { school } from '../../events/school.ts';
import type { EventStore, StreamId } from '../../events/store/port.ts';
import { EventIdTaken } from '../../events/store/port.ts';
import { admits, commandAccess, isIfOpen } from '../access.ts';
import type { CommandName } from '../commands/all.ts';
import { commands } from '../commands/all.ts';
import type { Actor } from '../actor.ts';
import type { Command, Context } from '../commands/command.ts';
import { isDoubtful, Refused } from '../commands/command.ts';
import type { CommandAnswer } from '../contract/live.ts';
import { Appender } from './appending.ts';
import { asProblem, isOvertaken } from './as-problem.ts';
import { envelope } from './envelope.ts';
import type { Fold } from './folds.ts';
import { Folds } from './folds.ts';
import type { KnownOptions } from './known.ts';
import { Known } from './known.ts';
import { ProblemError, validated } from './problems.ts';
import { Queue } from './queue.ts';
import type { Turns } from './turns.ts';

export type PipelineOptions = KnownOptions & {
  readonly store: EventStore;
  readonly codec: Codec<typeof eventTypes>;
  readonly keys: Pick<KeyRing, 'schoolKey'>;
  /** Among all processes on the database. */
  readonly turns: Pick<Turns, 'take'>;
  /** Folds kept in memory. */
  readonly foldCache?: number;
  readonly clock?: () => Date;
};

/** How one asks. `key`: of the act, the same when it is sent again; none: every sending is an act of its own. */
export type Request = {
  readonly actor: Actor;
  readonly key?: string | undefined;
  readonly body: unknown;
  /** The session by which the actor was who he is here when it last asked: it is looked at again before anything is decided. Left out: he is known. */
  readonly presumedBy?: string | undefined;
  /** Holds unless it throws, whenever the command is decided: see If-Match in api/http/rest.ts. */
  readonly precondition?: () => Promise<void>;
  /** Our own code asks, for the actor himself: see `self` in access.ts. Never said by a request from outside. */
  readonly own?: boolean;
};

/** How long a command is tried again when others write to its stream; so often at least, as one of many parts may take longer. */
const CONFLICT_MS = 5_000;
const LEAST_ATTEMPTS = 3;

/**
 * The way of every command: authorise, validate, read facts, fold its stream, answer it from its events if it was there before, decide,
 * append at the revision that was read.
 */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #folds: Folds;
  readonly #known: Known;
  readonly #appender: Appender;
  readonly #queue = new Queue();
  readonly #clock: () => Date;
  #retries = 0;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#folds = new Folds(options.store, options.codec, options.foldCache ?? 500);
    this.#known = new Known(options);
    this.#appender = new Appender(options.store, options.codec, CONFLICT_MS);
    this.#clock = options.clock ?? (() => new Date());
  }

  /** How often a command was decided again since the start, because somebody else had written to its stream first. */
  get retries(): number {
    return this.#retries;
  }

  /** Whether the role may do this at all. @throws ProblemError `forbidden` */
  authorise(name: CommandName, actor: Actor, own = false): void {
    const rule = commandAccess[name];
    if ((actor.role !== 'system' && !admits(rule, actor)) || (rule.within === 'self' && !own))
      throw new ProblemError('forbidden', NOT_ALLOWED);
  }

  /** What a stream adds up to now, in the log itself: for what must not stand on a read model that may be behind. Not to be changed. */
  async look<State, Event extends { type: string }>(aggregate: Aggregate<State, Event>, schoolId: string, id?: string): Promise<State> {
    const stream = streamOf(aggregate.category, schoolId, id);
    // A stream holds the events of its own aggregate only: see `command`.
    const ofStream = aggregate as unknown as Aggregate<State, RecordedEvent>;
    return this.#queue.run(stream, async () => (await this.#folds.newest(stream, ofStream)).state);
  }

  /** @throws ProblemError for what the asker can know and mend; nothing was changed then. */
  async execute(name: CommandName, request: Request): Promise<CommandAnswer<unknown>> {
    const { actor } = request;
    this.authorise(name, actor, request.own);
    // Its parts fit together, as `command` made them; the table of commands does not know their types.
    const command = commands[name] as unknown as Command<unknown, unknown, unknown>;
    const input = validated(command.input, request.body);
    const { schoolId } = actor;
    const subjects = subjectsOnly(name, actor);
    const named = subjectNamed(input);
    if (subjects && named !== undefined && !subjects.includes(named)) throw notYourSubject();
    if (isIfOpen(commandAccess[name], actor)) await this.#requireOpenStructure(schoolId);
    const schoolKey = await this.#options.keys.schoolKey(schoolId);
    const commandId = commandIdOf(actor.accountId, request.key ?? randomUUID());
    const asked = {
      commandId,
      bodyTag: bodyTagOf(schoolKey, canonical({ command: name, input })),
      presumedBy: request.presumedBy,
      own: request.own ?? false,
      precondition: request.precondition,
      mustBeOf: commandAccess[name].within === 'subject' && named === undefined ? subjects : undefined,
    };
    const context = contextOf(actor, commandId, schoolKey);
    const stream = streamOf(command.aggregate.category, schoolId, command.streamId(input, context));
    try {
      return await this.#inTurn(command, schoolId, () => this.#queue.run(stream, () => this.#run(command, stream, input, context, asked)));
    } catch (error) {
      throw asProblem(error);
    }
  }

  /** Two that want the same name belong to streams of their own: the second has to see what came of the first, whoever answered it. */
  #inTurn<Result>({ facts: { alone } }: Pick<Command<unknown, unknown, unknown>, 'facts'>, schoolId: string, run: () => Promise<Result>) {
    return alone === undefined ? run() : this.#options.turns.take(`${alone} of ${schoolId}`, run);
  }

  /** In the log itself: what an admin has closed is closed with that request. */
  async #requireOpenStructure(schoolId: string): Promise<void> {
    const state = await this.look(school, schoolId);
    if (state.status === 'none' || !state.structureOpen) throw new ProblemError('forbidden', NOT_ALLOWED);
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
    let readTail = false;
    for (let attempt = 1; ; attempt++) {
      const recent = readTail ? undefined : this.#folds.recent(stream, command.aggregate);
      // Side by side: neither stands on the other, and each is a round trip.
      const [folded, facts] = await Promise.allSettled([
        recent ?? this.#folds.newest(stream, command.aggregate),
        this.#known.facts(command, input, context.actor, { presumedBy: asked.presumedBy }),
      ]);
      let known = valueOf(facts);
      const fold = valueOf(folded);

      if (asked.mustBeOf && !asked.mustBeOf.includes(command.subjectOf?.(fold.state) ?? '')) {
        if (!recent) throw notYourSubject();
        // Made by another process meanwhile, it may be his after all.
        readTail = true;
        continue;
      }
      const earlier = this.#earlier(fold, command, input, context, asked);
      if (earlier) {
        const events = await this.#folds.eventsOf(stream, earlier.commandId, earlier.revision);
        return answered(command.answer(input, events, known, context), events.at(-1));
      }
      // Its ids stand in the log, but not in this stream: the key belongs to a request about something else.
      if (idTaken) throw keyReused();
      await asked.precondition?.();

      let decision = command.decide(input, fold.state, known, context);
      if (!command.facts.waits && isDoubtful(command, input, decision)) {
        known = await this.#known.facts(command, input, context.actor, { wait: true });
        decision = command.decide(input, fold.state, known, context);
      }
      // Only an append proves that the fold from memory was the newest.
      if (recent && (decision instanceof Refused || decision.length === 0)) {
        readTail = true;
        continue;
      }
      if (decision instanceof Refused) throw new ProblemError(decision.code, decision.title, { errors: decision.errors });
      if (decision.length === 0) return answered(command.answer(input, [], known, context), undefined);

      const metadata = envelope({
        ...asked,
        input,
        actor: context.actor,
        touched: command.touches?.(input, known, decision),
        at: this.#clock(),
      });
      try {
        const { events, inOne } = await this.#appender.append(fold, { stream, schoolId: context.schoolId, decided: decision, metadata });
        if (inOne) this.#folds.advance(fold, command.aggregate, events);
        return answered(command.answer(input, events, known, context), events.at(-1));
      } catch (error) {
        if (!isOvertaken(error)) this.#folds.drop(stream);
        if (!isOvertaken(error) || (performance.now() > giveUpAt && attempt >= LEAST_ATTEMPTS)) throw error;
        readTail = true;
        if (recent) continue;
        this.#retries += 1;
        idTaken = error instanceof EventIdTaken;
        await pause(Math.random() * 20 * attempt);
      }
    }
  }

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
}

const keyReused = (): ProblemError => new ProblemError('key-reused', 'This idempotency key was used for another request.');

const NUMBER_TAKEN = 'Another save of this entry has that number already. Send these marks under a new number.';

type Asked = {
  readonly commandId: string;
  readonly bodyTag: string;
  readonly presumedBy: string | undefined;
  readonly own: boolean;
  readonly precondition: (() => Promise<void>) | undefined;
  /** Subjects of which the stream has to be one, where the input names none; undefined: it may be of any. */
  readonly mustBeOf: readonly string[] | undefined;
};

const NOT_ALLOWED = 'Your account may not do this.';
const notYourSubject = (): ProblemError => new ProblemError('forbidden', 'This subject is not one of yours.');

/** A leader's and a teacher's subjects, undefined: any; which sets, the decision says. */
const subjectsOnly = (name: CommandName, actor: Actor): readonly string[] | undefined => {
  const { within } = commandAccess[name];
  if (within === 'school' || within === 'self' || actor.role === 'admin' || actor.role === 'system') return undefined;
  return actor.subjectIds;
};

const subjectNamed = (input: unknown): string | undefined =>
  typeof input === 'object' && input !== null && 'subjectId' in input ? String(input.subjectId) : undefined;

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

const answered = (result: unknown, last: RecordedEvent | undefined): CommandAnswer<unknown> => ({
  position: last ? String(last.position) : null,
  revision: last ? String(last.revision) : null,
  result,
});
