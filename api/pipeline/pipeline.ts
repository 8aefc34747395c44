import type { KeyObject } from 'node:crypto';
import { randomUUID } from 'node:crypto';
import type { Aggregate } from '../../events/aggregate.ts';
import { streamOf } from '../../events/aggregate.ts';
import type { Codec } from '../../events/codec/codec.ts';
import { commandId as commandIdOf, newId } from '../../events/codec/ids.ts';
import type { KeyRing } from '../../events/codec/keys.ts';
import { bodyTag as bodyTagOf, canonical, tag } from '../../events/codec/tags.ts';
import type { eventTypes, RecordedEvent } from '../../events/registry.ts';
import { school } from '../../events/school/school.ts';
import { subject } from '../../events/school/subject.ts';
import { staff } from '../../events/accounts/staff.ts';
import type { EventStore } from '../../events/store/port.ts';
import type { Actor } from '../actor.ts';
import { readsWholeSchool } from '../actor.ts';
import type { AnyCommand, Command, Context } from '../common/command.ts';
import type { CommandAnswer } from '../contract/live.ts';
import { noSuch } from '../common/about.ts';
import { subjectNamed } from './about.ts';
import { Appender } from './appending.ts';
import { asProblem } from './as-problem.ts';
import type { Job } from './execution.ts';
import { Execution } from './execution.ts';
import { Folds } from './folds.ts';
import type { FactsReaderOptions } from './facts-reader.ts';
import { FactsReader } from './facts-reader.ts';
import { notYourSubject, ProblemError, validated } from '../common/problems.ts';
import type { Rule, RuleAbout } from '../common/rule.ts';
import { admits, isIfOpen } from '../common/rule.ts';
import { notStanding, stands } from './standing.ts';
import { Queue } from '../../events/async/queue.ts';
import { Slice } from '../common/yield-to-event-loop.ts';
import type { AdvisoryLocks } from './advisory-locks.ts';

export type PipelineOptions<Name extends string> = FactsReaderOptions & {
  readonly commands: Readonly<Record<Name, AnyCommand>>;
  /** Who may give them. */
  readonly access: Readonly<Record<Name, RuleAbout>>;
  readonly store: EventStore;
  readonly codec: Codec<typeof eventTypes>;
  readonly keys: Pick<KeyRing, 'schoolKey'>;
  /** Shared by all processes on the database. */
  readonly locks: Pick<AdvisoryLocks, 'hold'>;
};

/**
 * A request for a command. `key` identifies the act and stays the same when it is sent again; without one, every request is an act of its
 * own.
 */
export type Request = {
  readonly actor: Actor;
  readonly key?: string | undefined;
  readonly body: unknown;
  /**
   * The session by which the actor was identified from memory: it is checked before anything is decided. Left out: the actor is certain.
   */
  readonly sessionToCheck?: string | undefined;
  /** Throws if the command must not be decided now: see If-Match in api/http/routes/rest.ts. Called before each decision. */
  readonly precondition?: () => Promise<void>;
  /** The product's own code asks on behalf of the actor: see `self` in access.ts. Never set from an HTTP request. */
  readonly isInternal?: boolean;
};

/**
 * `at`: when it happened, if not now (the demo school's past). The caller keeps the times in the order of the log.
 *
 * `begun`: a step of an act whose author's standing was checked when it began (`requireStanding`), and which is not left half done.
 *
 * `partOf`: the job of which it is a step (jobs.ts), and what that is done because of.
 *
 * HTTP only knows `Request`, and so can set none of them.
 */
export type InternalRequest = Request & {
  readonly at?: Date;
  readonly begun?: boolean;
  readonly partOf?: { readonly jobId: string; readonly cause: string | undefined };
};

/** How many streams' folds are kept in memory, and how many commands in them. */
const FOLDS = { streams: 500, commands: 30_000 };
/** How long an append with an unknown outcome is retried. */
const APPEND_MS = 5_000;

const categoriesOf = (commands: Readonly<Record<string, AnyCommand>>): readonly string[] => [
  ...new Set(Object.values(commands).map(({ aggregate }) => aggregate.category)),
];

/** The path of every command: authorise, validate, wait for its lock, then execute on its stream (execution.ts). */
export class Pipeline<Name extends string> {
  readonly #options: PipelineOptions<Name>;
  readonly #folds: Folds;
  readonly #execution: Execution;
  readonly #queue = new Queue();

  constructor(options: PipelineOptions<Name>) {
    const { store, codec } = options;
    this.#options = options;
    this.#folds = new Folds(store, codec, FOLDS);
    this.#execution = new Execution({
      folds: this.#folds,
      facts: new FactsReader(options, categoriesOf(options.commands)),
      appender: new Appender(store, codec, APPEND_MS),
      isRemoved: async (schoolId, subjectId) => (await this.look(subject, schoolId, subjectId)).removed,
      staffOf: (schoolId) => this.look(staff, schoolId),
    });
  }

  /** How many times a command was decided again since the start because another writer was faster. */
  get retries(): number {
    return this.#execution.retries;
  }

  /** Whether the role may give the command at all. @throws ProblemError `forbidden` */
  authorise(name: Name, actor: Actor, isInternal = false): void {
    const rule = this.#options.access[name];
    if ((actor.role !== 'system' && !admits(rule, actor)) || (rule.within === 'self' && !isInternal))
      throw new ProblemError('forbidden', NOT_ALLOWED);
  }

  /**
   * Checks against the log itself that the author's account is open and has the role of the request.
   *
   * @throws ProblemError `not-authenticated`
   */
  async requireStanding(actor: Actor): Promise<void> {
    if (!stands(await this.look(staff, actor.schoolId), actor)) throw notStanding();
  }

  /** The current state of a stream, from the log itself: for rules that must not rely on a read model, which may be behind. Read-only. */
  async look<State, Event extends { type: string }>(aggregate: Aggregate<State, Event>, schoolId: string, id?: string): Promise<State> {
    const stream = streamOf(aggregate.category, schoolId, id);
    // A stream holds the events of its own aggregate only: see `command`.
    const ofStream = aggregate as unknown as Aggregate<State, RecordedEvent>;
    return this.#queue.run(stream, async () => (await this.#folds.newest(stream, ofStream)).state);
  }

  /** Whether the log holds this very act already, so that executing it again only answers. @throws ProblemError `invalid-input` */
  async holds(name: Name, { actor, key, body }: Request): Promise<boolean> {
    if (key === undefined) return false;
    const command = this.#command(name);
    const input = validated(command.input, body);
    const { schoolId, accountId } = actor;
    const schoolKey = await this.#options.keys.schoolKey(schoolId);
    const context = contextOf(actor, commandIdOf(accountId, key), { schoolKey, at: new Date() });
    const stream = streamOf(command.aggregate.category, schoolId, command.streamId(input, context));
    const { commands: held } = await this.#queue.run(stream, () => this.#folds.newest(stream, command.aggregate));
    return held.has(context.commandId);
  }

  /** @throws ProblemError when the request is refused or cannot be handled now; nothing was changed then */
  async execute(name: Name, request: InternalRequest): Promise<CommandAnswer<unknown>> {
    const { actor } = request;
    this.authorise(name, actor, request.isInternal);
    const command = this.#command(name);
    const slice = new Slice();
    const input = validated(command.input, request.body);
    await slice.yield();
    const { schoolId } = actor;
    const rule = this.#options.access[name];
    const named = subjectNamed(rule.of, input);
    const subjects = await this.requireRight(name, actor, named);
    const schoolKey = await this.#options.keys.schoolKey(schoolId);
    const commandId = commandIdOf(actor.accountId, request.key ?? randomUUID());
    const context = contextOf(actor, commandId, { schoolKey, at: request.at ?? new Date() });
    const job = {
      command,
      rule,
      stream: streamOf(command.aggregate.category, schoolId, command.streamId(input, context)),
      input,
      context,
      bodyTag: bodyTagOf(schoolKey, canonical({ command: name, input })),
      sessionToCheck: request.sessionToCheck,
      isInternal: request.isInternal ?? false,
      standing: rule.standing !== undefined && !request.isInternal && !request.begun ? { subjectId: named } : undefined,
      at: request.at,
      partOf: request.partOf,
      precondition: request.precondition,
      mustBeOf: named === undefined ? streamOnlyOf(rule, subjects) : undefined,
    };
    await slice.yield();
    try {
      return await this.#inTurn(job, () => this.#queue.run(job.stream, () => this.#execution.run(job)));
    } catch (error) {
      throw asProblem(error, { storing: true });
    }
  }

  /**
   * Whether the user may give the command in this subject.
   *
   * @returns the subjects to which the user is limited; undefined: any
   * @throws ProblemError `forbidden`
   */
  async requireRight(name: Name, actor: Actor, subjectId: string | undefined): Promise<readonly string[] | undefined> {
    const rule = this.#options.access[name];
    const subjects = subjectsOnly(rule, actor);
    if (subjects && subjectId !== undefined && !subjects.includes(subjectId)) throw notYourSubject();
    if (isIfOpen(rule, actor)) await this.#requireOpenStructure(actor.schoolId);
    return subjects;
  }

  knows(name: string): name is Name {
    return Object.hasOwn(this.#options.commands, name);
  }

  /** Safe: `command` checked that the parts fit together; the table of commands has forgotten their types. */
  #command(name: Name): Command<unknown, unknown, unknown> {
    return this.#options.commands[name] as unknown as Command<unknown, unknown, unknown>;
  }

  /** Two commands that want the same unique name go to different streams, so the second must see the result of the first. */
  #inTurn<Result>({ command: { facts }, context }: Pick<Job, 'command' | 'context'>, run: () => Promise<Result>): Promise<Result> {
    return facts.alone === undefined ? run() : this.#options.locks.hold(`${facts.alone} of ${context.schoolId}`, run);
  }

  /** Reads the log itself: once an admin has closed the structure, it is closed for the very next request. */
  async #requireOpenStructure(schoolId: string): Promise<void> {
    const state = await this.look(school, schoolId);
    if (state.status === 'none' || !state.structureOpen) throw new ProblemError('forbidden', NOT_ALLOWED);
  }
}

const NOT_ALLOWED = 'Your account may not do this.';

/** The subjects to which a leader or teacher is limited; undefined: any. Limits to sets are left to the decision. */
const subjectsOnly = ({ within }: Rule, actor: Actor): readonly string[] | undefined => {
  if (within === 'school' || within === 'self' || readsWholeSchool(actor) || actor.role === 'system') return undefined;
  return actor.subjectIds;
};

/** A stream of another subject is refused; one that is about a class, as if it were not there. Within `listed` no stream says whose it is. */
const streamOnlyOf = ({ within, of: [first] }: RuleAbout, subjectIds: readonly string[] | undefined): Job['mustBeOf'] => {
  if (subjectIds === undefined || within === 'listed' || (within !== 'subject' && first === undefined)) return undefined;
  return { subjectIds, otherwise: within === 'subject' || first === undefined ? notYourSubject() : noSuch(first) };
};

const contextOf = (actor: Actor, commandId: string, { schoolKey, at }: { readonly schoolKey: KeyObject; readonly at: Date }): Context => ({
  schoolId: actor.schoolId,
  commandId,
  actor,
  at,
  newId: (label) => newId(commandId, label),
  tag: (kind, value) => tag(schoolKey, kind, value),
});
