import type { Actor } from '../actor.ts';
import { readsWholeSchool } from '../actor.ts';
import type { ReadAs, RunSql } from '../common/facts.ts';
import type { ListQuery } from '../common/list-query.ts';
import { channelsOf } from '../common/models.ts';
import { ProblemError } from '../common/problems.ts';
import type { RecordPage } from '../common/read.ts';
import { readPage, readRecord } from '../common/read.ts';
import type { Resource, Values } from '../common/resource.ts';
import type { Rule } from '../common/rule.ts';
import { admits } from '../common/rule.ts';
import { momentAsked } from './as-of.ts';
import type { QueryBusOptions, UpTo } from './query-bus.ts';

export type ListsOptions<Name extends string, Listed extends Resource> = {
  readonly resources: Readonly<Record<Name, Listed>>;
  /** Who may read them. Writes are commands, with their own rules. */
  readonly access: Readonly<Record<Name, Rule>>;
  readonly readAs: ReadAs;
} & Pick<QueryBusOptions<string>, 'readAsOf' | 'handOuts'>;

/** `upTo`: the last event that an answer of an earlier moment includes. */
export type Listing<Result> = { readonly result: Result; readonly upTo?: UpTo | undefined };

/** The lists of the administration: what the query bus is for queries. Readers are identified by `QueryBus.reader`. */
export class Lists<Name extends string, Listed extends Resource> {
  readonly #options: ListsOptions<Name, Listed>;

  constructor(options: ListsOptions<Name, Listed>) {
    this.#options = options;
  }

  resource(name: Name): Listed {
    return this.#options.resources[name];
  }

  /** @throws ProblemError `not-found` */
  named(name: string): Name {
    const { resources } = this.#options;
    const found = (Object.keys(resources) as Name[]).find((one) => one === name);
    if (found === undefined)
      throw new ProblemError('not-found', `There is no resource ${name}. Known: ${Object.keys(resources).join(', ')}.`);
    return found;
  }

  /** @throws ProblemError `forbidden` */
  authorise(name: Name, actor: Actor): void {
    if (!admits(this.#options.access[name], actor)) throw new ProblemError('forbidden', 'Your account may not see this.');
  }

  /** The live channels whose changes concern it. */
  channelsOf(name: Name): readonly string[] {
    return channelsOf(this.resource(name));
  }

  /** @param asOf an earlier moment: an ISO instant with its offset @throws ProblemError `forbidden`, `invalid-moment`; AsOfBusy */
  page(name: Name, actor: Actor, listQuery: ListQuery, asOf?: string): Promise<Listing<RecordPage>> {
    return this.#read(name, actor, asOf, (query, within) => readPage(query, this.resource(name), listQuery, within));
  }

  /** @throws ProblemError `forbidden`, `invalid-moment`, `not-found`; AsOfBusy */
  async record(name: Name, actor: Actor, id: string, asOf?: string): Promise<Listing<Values>> {
    const { result, ...found } = await this.#read(name, actor, asOf, (query, within) => readRecord(query, this.resource(name), id, within));
    if (!result) throw new ProblemError('not-found', 'There is no such record, or it has been removed.');
    return { result, ...found };
  }

  /** The rights are today's, whatever the moment. */
  async #read<Result>(
    name: Name,
    actor: Actor,
    asOf: string | undefined,
    work: (query: RunSql, within: readonly string[] | undefined) => Promise<Result>,
  ): Promise<Listing<Result>> {
    this.authorise(name, actor);
    const moment = momentAsked(asOf);
    const within = this.#within(name, actor);
    const { schoolId, accountId } = actor;
    if (moment === undefined) return { result: await this.#options.readAs(schoolId, (query) => work(query, within)) };
    const found = await this.#options.readAsOf({ schoolId, accountId, moment }, (query) => work(query, within));
    await this.#options.handOuts.moment(actor, moment);
    return found;
  }

  /** The subjects whose records the user may see; undefined: all. */
  #within(name: Name, actor: Actor): readonly string[] | undefined {
    return this.#options.access[name].within === 'school' || readsWholeSchool(actor) ? undefined : actor.subjectIds;
  }
}
