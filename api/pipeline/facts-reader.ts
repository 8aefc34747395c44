import { withTimeout } from '../../events/async/timeout.ts';
import type { EventStore } from '../../events/store/port.ts';
import type { Actor } from '../actor.ts';
import { readsWholeSchool } from '../actor.ts';
import type { Thing } from '../common/about.ts';
import type { Command } from '../common/command.ts';
import type { Model } from '../common/models.ts';
import type { RunSql, ReadAs } from '../common/facts.ts';
import type { RuleAbout } from '../common/rule.ts';
import { aboutOf, namesIn, requireSight } from './about.ts';
import type { AskAs, SessionQuery } from './optimistic-session.ts';
import { BatchedFacts, StaleSession } from './optimistic-session.ts';

export type FactsReaderOptions = {
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  /** How far the read models have come, as far as this process knows. */
  readonly positions: () => ReadonlyMap<string, bigint>;
  /** Whether an event of this type changes rows of one of these read models. */
  readonly isAbout: (models: readonly string[], eventType: string) => boolean;
  /** Runs `work` as the reader of one school, in one transaction. */
  readonly readAs: ReadAs;
  readonly askAs: AskAs;
  readonly sessions: SessionQuery;
  /** Fulfilled when the read models have reached the position. @throws ReadModelBehind */
  readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
};

/** How long a command waits for read models that do not move, and at most for those that do. */
const FACTS_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 20_000;
/** What is further behind is not looked through: the head is waited for. */
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
  ): Promise<Known> {
    const others = inOne ? [] : namesIn(rule.of, input).filter((thing) => thing !== STREAMS[aggregate.category]);
    const needed: readonly Model[] = others.length > 0 ? [...new Set<Model>([...models, 'structure'])] : models;
    if ((wait || others.length > 0) && needed.length > 0) await this.#waitFor(needed, await this.#needed(needed, actor.schoolId));
    if (inOne) return { known: await this.#batched.ask({ inOne, input, actor, sessionToCheck }) };
    if (sessionToCheck !== undefined) throw new StaleSession();
    if (models.length === 0 && others.length === 0) return { known: await load(noQuery, input, actor) };
    return this.#options.readAs(actor.schoolId, async (query) => {
      const about = await aboutOf(query, others, input);
      const isListed = rule.within === 'listed';
      // What is not there is nobody's: the decision says whether it may be named.
      if (isListed && !(about.missing && readsWholeSchool(actor))) requireSight({ ...rule, of: others }, about, actor, input);
      return { known: await load(query, input, actor, about), missing: isListed ? undefined : about.missing };
    });
  }

  /**
   * The position of the last event of the school that is in the log by now and that the models have perhaps not applied; 0n: they have all of
   * them. What others have stored since holds up no command.
   */
  async #needed(models: readonly string[], schoolId: string): Promise<bigint> {
    const { store, isAbout } = this.#options;
    const head = await store.head();
    const reached = this.#reachedBy(models);
    if (reached === undefined || reached >= head) return head;
    const look = async (): Promise<bigint> => {
      let needed = 0n;
      let looked = 0;
      for await (const { type, position } of store.readAll(reached, {
        streamPrefixes: this.#categories.map((category) => `${category}-${schoolId}`),
      })) {
        if (position > head) break;
        if (++looked > MOST_LOOKED_THROUGH) return head;
        if (isAbout(models, type)) needed = position;
      }
      return needed;
    };
    return withTimeout(FACTS_WAIT_MS, look(), () => new Error('the log is silent')).catch(() => head);
  }

  /** As long as the read models come closer: after many saves at once they need a while. @throws ReadModelBehind */
  async #waitFor(models: readonly string[], position: bigint): Promise<void> {
    const giveUpAt = performance.now() + LONGEST_WAIT_MS;
    for (let before = this.#reachedBy(models) ?? 0n; ;) {
      try {
        return await this.#options.waitFor(models, position, FACTS_WAIT_MS);
      } catch (behind) {
        const now = this.#reachedBy(models) ?? 0n;
        if (now <= before || performance.now() > giveUpAt) throw behind;
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
type Known = { readonly known: unknown; readonly missing?: Thing | undefined };

/** By the category of a stream: what it is the stream of, whose fold says whether it is there. */
const STREAMS: Readonly<Record<string, Thing>> = { subject: 'subject', scheme: 'scheme', assessment: 'assessment', task: 'task' };

const noQuery: RunSql = () => Promise.reject(new Error('these facts read no read model'));
