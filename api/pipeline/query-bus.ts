import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../actor.ts';
import type { Largest } from '../common/body-size.ts';
import type { Encoding } from '../common/encoding.ts';
import { encoded } from '../common/encoding.ts';
import type { RunSql } from '../common/facts.ts';
import type { Model } from '../common/models.ts';
import { channelsOf, scopeOf } from '../common/models.ts';
import { ProblemError, validated } from '../common/problems.ts';
import type { AnyQuery, QueryDefinition, ReadLog } from '../common/query.ts';
import { JsonText, withOwn } from '../common/query.ts';
import type { QueryRule } from '../common/rule.ts';
import { admits, asOfRoles } from '../common/rule.ts';
import { Slice } from '../common/yield-to-event-loop.ts';
import type { Found as FoundAbout } from './about.ts';
import { aboutOf, requireNamedSubject, requireSight } from './about.ts';
import { momentAsked } from './as-of.ts';
import type { HandOuts } from './hand-outs.ts';
import type { CachedAnswer } from './cached-answer.ts';
import type { CacheOptions, Found, Question, Since } from './query-cache.ts';
import { keyOf, LONGEST_KEY, QueryCache } from './query-cache.ts';
import type { HandOut } from '../contract/hand-outs.ts';
import type { RightsOptions } from './rights.ts';
import { READ_WAIT_MS, Rights } from './rights.ts';
import type { ViewAs, ViewingAs } from './view-as.ts';

/**
 * Who asks, and whom they view the site as. `know` is called once the read models have reached the requested position, so that the rights are
 * those of that moment; it throws if nobody is signed in.
 */
export type Asker = { readonly know: () => Promise<Actor>; readonly viewAs?: ViewAs | undefined };

export type AskOptions = {
  /** An earlier moment: an ISO instant with its offset. */
  readonly asOf?: string | undefined;
  /** ms after which to throw AsOfFilling if the moment is still being put together. Undefined: wait as long as for anything else. */
  readonly fillingMs?: number | undefined;
  /** A position of the log that the answer must include. */
  readonly atLeast?: bigint | undefined;
  /** Recorded before the answer is given: it becomes a file that the query does not know of. */
  readonly handsOut?: Omit<HandOut, 'as'> | undefined;
};

/** The last event that an answer of an earlier moment includes. */
export type UpTo = { readonly eventId: string; readonly at: string };

export type QueryAnswer<Value> = {
  readonly value: () => Value;
  /** The number of characters of its text, roughly. */
  readonly length: number;
  readonly body: (encoding: Encoding | undefined) => Promise<Uint8Array<ArrayBuffer>>;
  /** Nothing up to this position of the log has changed the answer. Undefined: it is of an earlier moment. */
  readonly position: bigint | undefined;
  /** The live channels whose changes concern it; of an earlier moment: none. */
  readonly channels: readonly string[];
  /** Undefined: it is of now, or no event had happened by then. */
  readonly upTo: UpTo | undefined;
  /** Left out: it is the reader's alone. */
  readonly shared?: SharedAnswer;
};

/** An answer that several readers share: the question, perhaps about a part of it, the whole answer, and the tag of this reader's version. */
export type SharedAnswer = Wanted & { readonly actor: Actor; readonly version: CachedAnswer; readonly tag: string };
/** `wanted`: the input, perhaps for a part of what `question` is about. */
export type Wanted = { readonly question: Question; readonly wanted: unknown };

export type QueryBusOptions<Name extends string> = CacheOptions &
  RightsOptions & {
    readonly queries: Readonly<Record<Name, AnyQuery>>;
    /** Who may ask them. */
    readonly access: Readonly<Record<Name, QueryRule>>;
    readonly viewingAs: Pick<ViewingAs, 'as'>;
    /** `readAs` at an earlier moment, an ISO instant; `accountId`: whose. `upTo`: the last event that the result includes. */
    readonly readAsOf: <T>(
      view: { readonly schoolId: string; readonly accountId: string; readonly moment: string; readonly fillingMs?: number | undefined },
      work: (query: RunSql) => Promise<T>,
    ) => Promise<{ readonly result: T; readonly upTo: UpTo | undefined }>;
    /** Of the user's school only: the record has found the places. */
    readonly readLog: ReadLog;
    readonly maySend: (command: string, actor: Actor) => boolean;
    /** Records what is handed out. */
    readonly handOuts: Pick<HandOuts, 'answer' | 'moment'>;
  };

/**
 * The one way to the answers of queries, for HTTP and for the product's own jobs, which ask as a named actor. It decides who may ask, as of
 * when, and about which subject; reads once what several readers share; and adds what is each reader's own.
 *
 * `Answers`: by the name of each query, what it answers.
 */
export class QueryBus<Answers extends object> {
  readonly #options: QueryBusOptions<keyof Answers & string>;
  readonly #cache: QueryCache;
  readonly #rights: Rights;

  constructor(options: QueryBusOptions<keyof Answers & string>) {
    this.#options = options;
    this.#cache = new QueryCache(options);
    this.#rights = new Rights(options);
  }

  /** How many shared answers were read, for /api/metrics. */
  get sharedRuns(): number {
    return this.#cache.runs;
  }

  /** @throws ProblemError `unknown-query` */
  named(name: string): keyof Answers & string {
    const { queries } = this.#options;
    const found = (Object.keys(queries) as (keyof Answers & string)[]).find((one) => one === name);
    if (found === undefined)
      throw new ProblemError('unknown-query', `There is no query ${name}. Known: ${Object.keys(queries).join(', ')}.`);
    return found;
  }

  /** How much staff may send to ask it. */
  largest(name: keyof Answers & string): Largest | undefined {
    return this.#options.queries[name].largest;
  }

  /** Whether the role may ask this at all. @throws ProblemError `forbidden` */
  authorise(name: keyof Answers & string, actor: Actor): void {
    if (!admits(this.#options.access[name], actor)) throw new ProblemError('forbidden', 'Your account may not see this.');
  }

  /**
   * The reader, once these models have reached the position, with the rights of that position, so that a right that was just given counts. If
   * those come too late, as when their read model has stopped, the rights of now count.
   *
   * @throws ProblemError `not-authenticated`, `forbidden`; ReadModelBehind
   */
  async reader({ know, viewAs }: Asker, models: readonly Model[], atLeast: bigint | undefined): Promise<Actor> {
    if (atLeast !== undefined) {
      const rightsThere = this.#rights.waitFor(atLeast);
      await this.#options.waitFor(models, atLeast, READ_WAIT_MS).catch(async (error: unknown) => {
        await know();
        throw error;
      });
      await rightsThere;
    }
    return this.#options.viewingAs.as(viewAs, await know());
  }

  /**
   * What took long, such as an earlier moment, is answered only if the rights are still the same as when it was read: otherwise it is asked
   * again, with the rights of now.
   *
   * @param asker an actor if one of the product's own jobs asks in their name, with their rights
   * @throws ProblemError when it is refused; ReadModelBehind, AsOfBusy, AsOfFilling
   */
  async ask<Name extends keyof Answers & string>(
    name: Name,
    asker: Actor | Asker,
    input: unknown,
    options: AskOptions = {},
  ): Promise<QueryAnswer<Answers[Name]>> {
    const { asOf, atLeast, fillingMs } = options;
    const began = performance.now();
    // Safe: `defineQuery` checked that the parts fit together; the table of queries has forgotten their types.
    const declared = this.#options.queries[name] as unknown as QueryDefinition<unknown>;
    const isOfNow = asOf === undefined;
    const who: Asker = 'know' in asker ? asker : { know: async () => asker };
    const actor = await this.reader(who, declared.models, isOfNow ? atLeast : undefined);
    this.authorise(name, actor);
    if (!isOfNow) this.#requireAsOf(name, actor);
    const slice = new Slice();
    const wanted = validated(declared.input, input);
    await slice.yield();
    const rule = this.#options.access[name];
    requireNamedSubject(rule, actor, wanted);
    const { shared } = declared;
    const toShare = { schoolId: actor.schoolId, name, input: shared?.part ? shared.part.whole(wanted) : wanted };
    const moment = momentAsked(asOf);
    // Safe: the answer is held to the query's schema by `defineQuery`.
    const found =
      shared && isOfNow && keyOf(toShare).length <= LONGEST_KEY
        ? await this.#askShared({ question: { ...toShare, declared: { ...declared, shared }, of: rule.of }, wanted }, actor, atLeast)
        : await this.#askAlone(declared, rule, wanted, actor, { moment, fillingMs });
    if (!isOfNow || performance.now() - began > LONG_READ_MS) {
      const now = await this.reader(who, [], undefined);
      if (!isDeepStrictEqual(now, actor)) return this.ask(name, asker, input, options);
    }
    const handsOut = options.handsOut ?? declared.handsOut?.(wanted);
    if (handsOut) await this.#options.handOuts.answer(actor, { ...handsOut, ...(moment === undefined ? {} : { asOf: moment }) });
    else if (moment !== undefined) await this.#options.handOuts.moment(actor, moment);
    return found as QueryAnswer<Answers[Name]>;
  }

  /** An answer that is read once for all who may see it. */
  async #askShared({ question, wanted }: Wanted, actor: Actor, atLeast: bigint | undefined): Promise<QueryAnswer<unknown>> {
    const { shared } = question.declared;
    const { version, trueAt } = await this.#cache.ask(question, atLeast);
    requireSight(this.#options.access[this.named(question.name)], version.about, actor, wanted);
    const ownFields = shared.ownFields(version.facts, actor, wanted, version.about);
    const part = version.at(shared.part?.places(version.facts, wanted));
    return {
      value: () => JSON.parse(withOwn(part.text, ownFields)) as unknown,
      length: part.length,
      body: (encoding) => part.body(ownFields, encoding),
      position: trueAt,
      channels: part.channels,
      upTo: undefined,
      shared: { question, wanted, actor, version, tag: part.tagWith(ownFields) },
    };
  }

  /** Read on the read models as they are now, or as they were at a moment. The rights are today's in both cases. */
  async #askAlone(
    declared: QueryDefinition<unknown>,
    rule: QueryRule,
    wanted: unknown,
    actor: Actor,
    { moment, fillingMs }: { readonly moment: string | undefined; readonly fillingMs: number | undefined },
  ): Promise<QueryAnswer<unknown>> {
    const { schoolId, accountId } = actor;
    const run = async (query: RunSql): Promise<readonly [unknown, FoundAbout]> => {
      const about = await aboutOf(query, rule.of, wanted);
      requireSight(rule, about, actor, wanted);
      const { readLog, maySend } = this.#options;
      return [await declared.run(query, wanted, actor, about, readLog, (command) => maySend(command, actor)), about];
    };
    const position = moment === undefined ? this.positionOf(declared.models) : undefined;
    const {
      result: [result, about],
      upTo,
    } =
      moment === undefined
        ? { result: await this.#options.readAs(schoolId, run), upTo: undefined }
        : await this.#options.readAsOf({ schoolId, accountId, moment, fillingMs }, run);
    const slice = new Slice();
    const text = result instanceof JsonText ? result.text : JSON.stringify(result);
    await slice.yield();
    return {
      value: () => (result instanceof JsonText ? (JSON.parse(text) as unknown) : result),
      length: text.length,
      body: (encoding) => encoded(text, encoding),
      position,
      channels: moment === undefined ? channelsOf(declared, scopeOf(declared, about)) : [],
      upTo,
    };
  }

  /** The position that all of these read models have reached. Taken before they are read, so that a reader can find out what they missed since. */
  positionOf(models: readonly string[]): bigint {
    const positions = this.#options.positions();
    const [first = 0n, ...others] = models.map((model) => positions.get(model) ?? 0n);
    return others.reduce((low, one) => (one < low ? one : low), first);
  }

  /** A shared answer as it is now, before it is decided who may see it. See `QueryCache`. */
  askSince(question: Question, since: () => Since | undefined): Promise<Found> {
    return this.#cache.askSince(question, since);
  }

  /** The reader's own fields of a shared answer; undefined: they may not see it, or no longer. */
  ownOf({ question, wanted }: Wanted, { facts, about }: CachedAnswer, actor: Actor): object | undefined {
    try {
      const name = this.named(question.name);
      this.authorise(name, actor);
      const rule = this.#options.access[name];
      requireNamedSubject(rule, actor, wanted);
      requireSight(rule, about, actor, wanted);
      return question.declared.shared.ownFields(facts, actor, wanted, about);
    } catch {
      return undefined;
    }
  }

  #requireAsOf(name: keyof Answers & string, { role }: Actor): void {
    const roles = asOfRoles(this.#options.access[name]);
    if (roles.length === 0) throw new ProblemError('forbidden', 'This cannot be shown as of an earlier moment.');
    if (!roles.includes(role)) throw new ProblemError('forbidden', 'Your account may see this only as of now.');
  }
}

/** A reader may have lost a right during a longer read. */
const LONG_READ_MS = 1_000;
