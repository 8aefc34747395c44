import { withTimeout } from '../../events/async/timeout.ts';
import type { EventStore } from '../../events/store/port.ts';
import type { Actor } from '../actor.ts';
import { readsWholeSchool } from '../actor.ts';
import type { Thing } from '../common/about.ts';
import type { Command } from '../common/command.ts';
import type { Model, ModelProgress } from '../common/models.ts';
import type { RunSql, ReadAs } from '../common/facts.ts';
import type { RuleAbout } from '../common/rule.ts';
import { aboutOf, namesIn, requireSight } from './about.ts';
import type { AskAs, SessionQuery } from './optimistic-session.ts';
import { BatchedFacts, StaleSession } from './optimistic-session.ts';

export type FactsReaderOptions = Pick<ModelProgress, 'positions' | 'waitFor'> & {
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  /** Whether an event of this type changes rows of one of these read models. */
  readonly isAbout: (models: readonly string[], eventType: string) => boolean;
  /** Runs `work` as the reader of one school, in one transaction. */
  readonly readAs: ReadAs;
  readonly askAs: AskAs;
  readonly sessions: SessionQuery;
};

/** How long a command waits for read models that do not move, and at most for those that do. */
const FACTS_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 20_000;
/** If more events are missing, they are not examined: the command waits for the head. */
const MOST_LOOKED_THROUGH = 2_000;

/** Reads the facts for a decision from the read models. */
export class FactsReader {
  readonly #options: FactsReaderOptions;
  readonly #batched: BatchedFacts;
  readonly #categories: readonly string[];

  /** @param categories of all streams that commands write */
  constructor(options: FactsReaderOptions, categories: readonly string[]) {
    this.#options = options;
    this.#categories = categories;
    this.#batched = new BatchedFacts(options);
  }

  /**
   * `sessionToCheck`: the session by which the actor was identified from memory. `missing`: something that the command is about, other than
   * its stream, is not there; facts that are read for many commands at once say that themselves. What a rule within `listed` is about is
   * judged here, as for a query: no stream of its own says whose it is.
   *
   * @throws ReadModelBehind, StaleSession; ProblemError `not-found`
   */
  async read(
    { facts: { models, waits, load, inOne }, aggregate, rule }: AnyCommand & { readonly rule: RuleAbout },
    input: unknown,
    actor: Actor,
    { sessionToCheck, wait = waits }: { sessionToCheck?: string | undefined; wait?: boolean } = {},
  ): Promise<FactsRead> {
    const others = inOne ? [] : namesIn(rule.of, input).filter((thing) => thing !== STREAMS[aggregate.category]);
    const needed: readonly Model[] = others.length > 0 ? [...new Set<Model>([...models, 'structure'])] : models;
    if ((wait || others.length > 0) && needed.length > 0) await this.#waitFor(needed, await this.#needed(needed, actor.schoolId));
    if (inOne) return { facts: await this.#batched.ask({ inOne, input, actor, sessionToCheck }) };
    if (sessionToCheck !== undefined) throw new StaleSession();
    if (models.length === 0 && others.length === 0) return { facts: await load(noQuery, input, actor) };
    return this.#options.readAs(actor.schoolId, async (query) => {
      const about = await aboutOf(query, others, input);
      const isListed = rule.within === 'listed';
      // What is not there is nobody's: the decision says whether it may be named.
      if (isListed && !(about.missing && readsWholeSchool(actor))) requireSight({ ...rule, of: others }, about, actor, input);
      return { facts: await load(query, input, actor, about), missing: isListed ? undefined : about.missing };
    });
  }

  /**
   * The position of the school's last event in the log that the models may not have applied yet; 0n: they have applied all. What other schools
   * have stored holds up no command.
   */
  async #needed(models: readonly string[], schoolId: string): Promise<bigint> {
    const { store, isAbout } = this.#options;
    const head = await store.head();
    const reached = this.#reachedBy(models);
    if (reached === undefined || reached >= head) return head;
    const look = async (): Promise<bigint> => {
      let needed = 0n;
      let events = 0;
      for await (const { type, position } of store.readAll(reached, {
        streamPrefixes: this.#categories.map((category) => `${category}-${schoolId}`),
      })) {
        if (position > head) break;
        if (++events > MOST_LOOKED_THROUGH) return head;
        if (isAbout(models, type)) needed = position;
      }
      return needed;
    };
    return withTimeout(FACTS_WAIT_MS, look(), () => new Error('the log is silent')).catch(() => head);
  }

  /** Waits as long as the read models come closer: after many saves at once they need a while. @throws ReadModelBehind */
  async #waitFor(models: readonly string[], position: bigint): Promise<void> {
    const giveUpAt = performance.now() + LONGEST_WAIT_MS;
    for (let before = this.#reachedBy(models) ?? 0n; ;) {
      try {
        return await this.#options.waitFor(models, position, FACTS_WAIT_MS);
      } catch (error) {
        const now = this.#reachedBy(models) ?? 0n;
        if (now <= before || performance.now() > giveUpAt) throw error;
        before = now;
      }
    }
  }

  /** By the slowest of them; undefined: not known. */
  #reachedBy(models: readonly string[]): bigint | undefined {
    const positions = this.#options.positions();
    let lowest: bigint | undefined;
    for (const model of models) {
      const position = positions.get(model);
      if (position === undefined) return undefined;
      if (lowest === undefined || position < lowest) lowest = position;
    }
    return lowest;
  }
}

type AnyCommand = Command<unknown, unknown, unknown>;
type FactsRead = { readonly facts: unknown; readonly missing?: Thing | undefined };

/** By the category of a stream: the thing whose existence its fold tells. */
const STREAMS: Readonly<Record<string, Thing>> = { subject: 'subject', scheme: 'scheme', assessment: 'assessment', task: 'task' };

const noQuery: RunSql = () => Promise.reject(new Error('these facts read no read model'));
