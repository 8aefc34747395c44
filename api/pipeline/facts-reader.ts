import type { EventStore } from '../../events/store/port.ts';
import type { Actor } from '../actor.ts';
import type { Command } from '../common/command.ts';
import type { RunSql, ReadAs } from '../common/facts.ts';
import type { AskAs, SessionQuery } from './optimistic-session.ts';
import { BatchedFacts, StaleSession } from './optimistic-session.ts';

export type FactsReaderOptions = {
  readonly store: Pick<EventStore, 'head'>;
  /** Runs `work` as the reader of one school, in one transaction. */
  readonly readAs: ReadAs;
  readonly askAs: AskAs;
  readonly sessions: SessionQuery;
  /** Fulfilled when the read models have reached the position. @throws ReadModelBehind */
  readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
};

/** How long a command waits for its read models. */
const FACTS_WAIT_MS = 2_000;

/** Reads the facts for a decision from the read models. */
export class FactsReader {
  readonly #options: FactsReaderOptions;
  readonly #batched: BatchedFacts;

  constructor(options: FactsReaderOptions) {
    this.#options = options;
    this.#batched = new BatchedFacts(options);
  }

  /**
   * `sessionToCheck`: the session by which the actor was identified from memory.
   *
   * @throws ReadModelBehind, StaleSession
   */
  async read(
    { facts: { models, waits, load, inOne } }: AnyCommand,
    input: unknown,
    actor: Actor,
    { sessionToCheck, wait = waits }: { sessionToCheck?: string | undefined; wait?: boolean } = {},
  ): Promise<unknown> {
    if (wait) await this.#options.waitFor(models, await this.#options.store.head(), FACTS_WAIT_MS);
    if (inOne) return this.#batched.ask({ inOne, input, actor, sessionToCheck });
    if (sessionToCheck !== undefined) throw new StaleSession();
    if (models.length === 0) return load(noQuery, input, actor);
    return this.#options.readAs(actor.schoolId, (query) => load(query, input, actor));
  }
}

type AnyCommand = Command<unknown, unknown, unknown>;

const noQuery: RunSql = () => Promise.reject(new Error('these facts read no read model'));
