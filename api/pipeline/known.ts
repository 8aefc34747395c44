import { isDeepStrictEqual } from 'node:util';
import { together } from '../../events/store/together.ts';
import type { EventStore } from '../../events/store/port.ts';
import type { Actor } from '../actor.ts';
import type { Command } from '../commands/command.ts';
import type { Query } from '../facts/facts.ts';

export type KnownOptions = {
  readonly store: Pick<EventStore, 'head'>;
  /** Runs `work` as the reader of one school, in one transaction. `atOnce`: it asks everything before it waits for an answer. */
  readonly readAs: <T>(schoolId: string, work: (query: Query) => Promise<T>, options?: { atOnce: boolean }) => Promise<T>;
  /** Fulfilled when the read models have come to the position. @throws ReadModelBehind */
  readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
  /** Who the sessions belong to now, an answer for each. */
  readonly actorsNow: (query: Query, sessions: readonly string[]) => Promise<readonly (Actor | undefined)[]>;
};

/** The asker is not, or no more, who he was presumed to be: nothing was decided. */
export class PresumedWrongly extends Error {
  override readonly name = 'PresumedWrongly';
}

/** How long a command waits for its read models. */
const FACTS_WAIT_MS = 2_000;
const MOST_TOGETHER = 64;

/** Reads what a decision needs to know from the read models, and in the same breath whether the asker is still who he was. */
export class Known {
  readonly #options: KnownOptions;

  constructor(options: KnownOptions) {
    this.#options = options;
  }

  /**
   * `presumedBy`: the session by which the actor was presumed to be who he was when he last asked.
   *
   * @throws ReadModelBehind, PresumedWrongly
   */
  async facts(
    { facts: { models, waits, load, loadAll } }: AnyCommand,
    input: unknown,
    actor: Actor,
    { presumedBy, wait = waits }: { presumedBy?: string | undefined; wait?: boolean } = {},
  ): Promise<unknown> {
    if (wait) await this.#options.waitFor(models, await this.#options.store.head(), FACTS_WAIT_MS);
    if (loadAll) return this.#loadTogether({ loadAll, input, actor, presumedBy });
    if (presumedBy !== undefined) throw new PresumedWrongly();
    if (models.length === 0) return load(noQuery, input, actor);
    return this.#options.readAs(actor.schoolId, (query) => load(query, input, actor));
  }

  /** One transaction for each school and kind of facts. */
  readonly #loadTogether = together(MOST_TOGETHER, async (asked: readonly Asked[]) => {
    const rounds = Map.groupBy(asked, ({ actor }) => actor.schoolId)
      .values()
      .flatMap((ofSchool) => Map.groupBy(ofSchool, ({ loadAll }) => loadAll).values());
    const answers = new Map<Asked, Promise<unknown>>();
    await Promise.all(rounds.map(async (round) => (await this.#answerRound(round)).forEach((answer, n) => answers.set(round[n]!, answer))));
    return asked.map((one) => answers.get(one)!);
  });

  async #answerRound(round: readonly Asked[]): Promise<Promise<unknown>[]> {
    const [{ actor, loadAll }] = round as [Asked, ...Asked[]];
    const presumed = round.filter((one) => one.presumedBy !== undefined);
    const [known, actors] = await this.#options.readAs(
      actor.schoolId,
      (query) =>
        Promise.all([
          loadAll(
            query,
            round.map(({ input }) => input),
          ),
          presumed.length === 0
            ? []
            : this.#options.actorsNow(
                query,
                presumed.map(({ presumedBy }) => presumedBy!),
              ),
        ]),
      { atOnce: true },
    );
    const wrong = new Set(presumed.filter((one, n) => !isDeepStrictEqual(actors[n], one.actor)));
    return round.map((one, n) => (wrong.has(one) ? Promise.reject(new PresumedWrongly()) : Promise.resolve(known[n])));
  }
}

type AnyCommand = Command<unknown, unknown, unknown>;

/** Facts that are asked for at the same time as others. */
type Asked = {
  readonly loadAll: NonNullable<AnyCommand['facts']['loadAll']>;
  readonly input: unknown;
  readonly actor: Actor;
  readonly presumedBy: string | undefined;
};

const noQuery: Query = () => Promise.reject(new Error('these facts read no read model'));
