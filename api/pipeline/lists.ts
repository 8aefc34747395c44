import type { Actor } from '../actor.ts';
import { readsWholeSchool } from '../actor.ts';
import type { ReadAs } from '../common/facts.ts';
import type { ListQuery } from '../common/list-query.ts';
import { channelsOf } from '../common/models.ts';
import { ProblemError } from '../common/problems.ts';
import type { RecordPage } from '../common/read.ts';
import { readPage, readRecord } from '../common/read.ts';
import type { Resource, Values } from '../common/resource.ts';
import type { Rule } from '../common/rule.ts';
import { admits } from '../common/rule.ts';

export type ListsOptions<Name extends string, Listed extends Resource> = {
  readonly resources: Readonly<Record<Name, Listed>>;
  /** Who may read them. Writes are commands, with their own rules. */
  readonly access: Readonly<Record<Name, Rule>>;
  readonly readAs: ReadAs;
};

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

  /** @throws ProblemError `forbidden` */
  page(name: Name, actor: Actor, listQuery: ListQuery): Promise<RecordPage> {
    this.authorise(name, actor);
    return this.#options.readAs(actor.schoolId, (query) => readPage(query, this.resource(name), listQuery, this.#within(name, actor)));
  }

  /** @throws ProblemError `forbidden`, `not-found` */
  async record(name: Name, actor: Actor, id: string): Promise<Values> {
    this.authorise(name, actor);
    const within = this.#within(name, actor);
    const record = await this.#options.readAs(actor.schoolId, (query) => readRecord(query, this.resource(name), id, within));
    if (!record) throw new ProblemError('not-found', 'There is no such record, or it has been removed.');
    return record;
  }

  /** The subjects whose records the user may see; undefined: all. */
  #within(name: Name, actor: Actor): readonly string[] | undefined {
    return this.#options.access[name].within === 'school' || readsWholeSchool(actor) ? undefined : actor.subjectIds;
  }
}
