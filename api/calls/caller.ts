import { uuidv5 } from '../../events/codec/ids.ts';
import type { Actor } from '../actor.ts';
import type { About, Thing } from '../common/about.ts';
import { IDS } from '../common/about.ts';
import type { RunSql, ReadAs } from '../common/facts.ts';
import { MOST_RECORDS, parseListQuery } from '../common/list-query.ts';
import type { Model } from '../common/models.ts';
import { ProblemError, validated } from '../common/problems.ts';
import type { RuleAbout } from '../common/rule.ts';
import type { CommandName, Commands } from '../commands.ts';
import type { Answer } from '../contract/answer.ts';
import type { CommandAnswer } from '../contract/live.ts';
import type { CommandCalls, QueryCalls, Records } from '../contracts.ts';
import { commandCalls } from '../contracts.ts';
import { aboutOf, NOTHING, requireNamedSubject, requireSight } from '../pipeline/about.ts';
import { READ_WAIT_MS } from '../pipeline/rights.ts';
import type { Queries, QueryName } from '../queries.ts';
import type { OurLists, ResourceName } from '../resources.ts';
import type { AccountServices } from './account-services.ts';
import type { DerivedAnswers } from './derived.ts';
import { Derived } from './derived.ts';
import { withPaths } from './named.ts';
import type { Step } from './step.ts';
import { pathInRequest } from './step.ts';

export type CallerOptions = {
  readonly queries: Queries;
  readonly lists: OurLists;
  readonly bus: Commands;
  readonly readAs: ReadAs;
  readonly derived: DerivedAnswers;
  readonly services: AccountServices;
  /** Fulfilled when the read models have reached the position. @throws ReadModelBehind */
  readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
  /** Slows down who writes faster than it can be shown. */
  readonly slowed: (actor: Actor, work: () => Promise<CommandAnswer<unknown>>) => Promise<CommandAnswer<unknown>>;
};

/** What was written: the ids of the rows in the order of the request, and the result of each command. */
export type Written = { readonly ids: readonly string[]; readonly results: readonly unknown[] };

/** How long a write waits until it shows: thousands of marks take some seconds. */
const SHOWN_WAIT_MS = 5_000;
/** More would take longer than whoever sends a request waits for it. */
const MOST_COMMANDS = 500;
/** After so many commands of a request its sender's rights are asked for again: thousands take as long as a slow body. */
const RIGHTS_LAST = 20;

/** Whoever sent a call, as which it asks and writes: with their rights, and no others. */
export class Caller {
  /** The request's Idempotency-Key, or a new one. */
  readonly key: string;
  readonly #options: CallerOptions;
  readonly #again: () => Promise<Actor>;
  #actor: Actor;

  /** `again`: who they are now. @throws ProblemError `not-authenticated`, `forbidden` */
  constructor(options: CallerOptions, actor: Actor, { key, again }: { readonly key: string; readonly again: () => Promise<Actor> }) {
    this.#options = options;
    this.#again = again;
    this.#actor = actor;
    this.key = key;
  }

  get actor(): Actor {
    return this.#actor;
  }

  get services(): AccountServices {
    return this.#options.services;
  }

  /** @throws ProblemError as the query does */
  async query<Name extends QueryName>(name: Name, input: object): Promise<Answer<QueryCalls[Name]['answer']>> {
    return (await this.#options.queries.ask(name, this.actor, input)).value();
  }

  /**
   * What a call makes of the answer of one query alone: as long as a shared answer stays as it is, what was made of it is told again to whoever
   * may see the same. `of`: the call, and whatever else `make` depends on.
   *
   * @throws ProblemError as the query does
   */
  async derived<Name extends QueryName, Made>(
    of: string,
    name: Name,
    input: object,
    make: (answer: Answer<QueryCalls[Name]['answer']>) => Made,
  ): Promise<Derived<Made>> {
    const { shared, value } = await this.#options.queries.ask(name, this.actor, input);
    if (!shared) return new Derived(make(value()));
    return this.#options.derived.made(shared.version, [of, JSON.stringify(input), shared.tag].join(' '), () => make(value()));
  }

  /** All records of a list, filtered as /api/rest is. @throws ProblemError `forbidden` */
  async list<Name extends ResourceName>(name: Name, filter: object = {}): Promise<Answer<Records[Name]>[]> {
    const records: Answer<Records[Name]>[] = [];
    for (let from = 0, total = 1; from < total; from += MOST_RECORDS) {
      const range = JSON.stringify([from, from + MOST_RECORDS - 1]);
      const listQuery = parseListQuery(this.#options.lists.resource(name), { filter: JSON.stringify(filter), range });
      const { result: page } = await this.#options.lists.page(name, this.actor, listQuery);
      // Safe: strict-answers.ts holds each record to its schema.
      records.push(...(page.records as unknown as Answer<Records[Name]>[]));
      total = page.total;
    }
    return records;
  }

  /** What a request is about, for a caller who may see it. @throws ProblemError `not-found`, `forbidden`, `not-your-set` */
  async about(rule: RuleAbout, input: object): Promise<About> {
    if (rule.of.length === 0) return NOTHING;
    requireNamedSubject(rule, this.actor, input);
    return this.sql(async (query) => {
      const found = await aboutOf(query, rule.of, input);
      requireSight(rule, found, this.actor, input);
      return found;
    });
  }

  /** The same of one id, such as that of a row that is written. @throws ProblemError `not-found`, `forbidden`, `not-your-set` */
  sees(thing: Thing, id: string): Promise<About> {
    return this.about({ roles: [], within: thing === 'class' ? 'sets' : 'subject', of: [thing] }, { [IDS[thing]]: id });
  }

  /** Reads the school's read models, all of one moment: what is known to be seen by the caller. */
  sql<T>(work: (query: RunSql) => Promise<T>): Promise<T> {
    return this.#options.readAs(this.actor.schoolId, work);
  }

  /**
   * Gives the commands one after the other, when all of them are known to be well-formed and allowed to the caller's role, and waits until
   * `models` show them, or some seconds. Each has a key of its own, made from the request's: sent again, the same request does nothing twice.
   *
   * @throws ProblemError `invalid-input` where there are too many; as the first one that is refused; where others had been stored before it, `stored` lists their rows
   */
  async write(steps: readonly Step[], models: readonly Model[]): Promise<Written> {
    const { bus, slowed, waitFor } = this.#options;
    const commands = steps.filter(({ command }) => command !== undefined).length;
    if (commands > MOST_COMMANDS)
      throw new ProblemError('invalid-input', `That is too much for one request: send at most ${MOST_COMMANDS} of these rows at a time.`);
    for (const one of steps) {
      if (one.command === undefined) continue;
      bus.authorise(one.command, this.actor);
      checked(one.command, one);
    }
    const ids: (string | undefined)[] = [];
    const results: unknown[] = [];
    let position: string | null = null;
    for (const [index, one] of steps.entries()) {
      const { command, body, row, ids: idsOf, refusal } = one;
      try {
        if (index > 0 && index % RIGHTS_LAST === 0) this.#actor = await this.#again();
        if (command === undefined) {
          for (const [place, id] of idsOf({})) ids[place] = id;
          continue;
        }
        const key = uuidv5(`${command} ${row}`, this.key);
        const answer = await slowed(this.actor, () => bus.execute(command, { actor: this.actor, key, body }));
        const refused = refusal?.(answer.result);
        if (refused) throw refused;
        position = answer.position ?? position;
        results.push(answer.result);
        for (const [place, id] of idsOf(answer.result)) ids[place] = id;
      } catch (error) {
        // What was stored is shown before it is told of.
        if (position !== null) await waitFor(models, BigInt(position), READ_WAIT_MS).catch(() => undefined);
        throw late(error, one, defined(ids));
      }
    }
    // What is stored is told of, whether it shows yet or not: a refusal would have it sent once more.
    if (position !== null) await waitFor(models, BigInt(position), SHOWN_WAIT_MS).catch(() => undefined);
    return { ids: defined(ids), results };
  }
}

const defined = (ids: readonly (string | undefined)[]): string[] => ids.filter((id) => id !== undefined);

/** @throws ProblemError `invalid-input`, in which the row is named */
const checked = (command: CommandName, one: Step): void => {
  const { input } = (commandCalls as Readonly<Record<string, CommandCalls[keyof CommandCalls]>>)[command]!;
  try {
    validated(input, one.body);
  } catch (error) {
    throw error instanceof ProblemError ? withPaths(error, (path) => pathInRequest(one, path)) : error;
  }
};

/** What came too late to keep the others from being stored, told of its rows. */
const late = (error: unknown, one: Step, stored: readonly string[]): unknown => {
  if (!(error instanceof ProblemError)) return error;
  const isOfEntries = one.entries !== undefined && error.problem.errors !== undefined;
  if (stored.length === 0 && !isOfEntries) return error;
  return withPaths(error, (path) => (isOfEntries ? pathInRequest(one, path) : path), stored.length === 0 ? undefined : stored);
};
