import { isDeepStrictEqual } from 'node:util';
import { together } from '../../events/store/together.ts';
import type { EventStore } from '../../events/store/port.ts';
import type { Actor } from '../actor.ts';
import type { Command } from '../common/command.ts';
import { sessionQuestion } from '../auth/log-in/sessions.ts';
import type { Query } from '../common/facts.ts';

export type KnownOptions = {
  readonly store: Pick<EventStore, 'head'>;
  /** Runs `work` as the reader of one school, in one transaction. */
  readonly readAs: <T>(schoolId: string, work: (query: Query) => Promise<T>) => Promise<T>;
  /** One query for one school, prepared under its name; `$1` is the school's id, `values` begin with `$2`. */
  readonly askAs: <Row extends object>(schoolId: string, name: string, text: string, values: readonly unknown[]) => Promise<Row[]>;
  /** Fulfilled when the read models have reached the position. @throws ReadModelBehind */
  readonly waitFor: (models: readonly string[], position: bigint, timeoutMs: number) => Promise<void>;
};

/** The user's session or rights are not what they were presumed to be: nothing was decided. */
export class PresumedWrongly extends Error {
  override readonly name = 'PresumedWrongly';
}

/** How long a command waits for its read models. */
const FACTS_WAIT_MS = 2_000;
const MOST_TOGETHER = 64;

/** Reads the facts for a decision from the read models, and in the same query checks a presumed user. */
export class Known {
  readonly #options: KnownOptions;

  constructor(options: KnownOptions) {
    this.#options = options;
  }

  /**
   * `presumedBy`: the session by which the actor was identified from memory.
   *
   * @throws ReadModelBehind, PresumedWrongly
   */
  async facts(
    { facts: { models, waits, load, inOne } }: AnyCommand,
    input: unknown,
    actor: Actor,
    { presumedBy, wait = waits }: { presumedBy?: string | undefined; wait?: boolean } = {},
  ): Promise<unknown> {
    if (wait) await this.#options.waitFor(models, await this.#options.store.head(), FACTS_WAIT_MS);
    if (inOne) return this.#askTogether({ inOne, input, actor, presumedBy });
    if (presumedBy !== undefined) throw new PresumedWrongly();
    if (models.length === 0) return load(noQuery, input, actor);
    return this.#options.readAs(actor.schoolId, (query) => load(query, input, actor));
  }

  /** One query for each school and kind of facts. */
  readonly #askTogether = together(MOST_TOGETHER, async (asked: readonly Asked[]) => {
    const rounds = Map.groupBy(asked, ({ actor }) => actor.schoolId)
      .values()
      .flatMap((ofSchool) => Map.groupBy(ofSchool, ({ inOne }) => inOne).values());
    const answers = new Map<Asked, Promise<unknown>>();
    await Promise.all(rounds.map(async (round) => (await this.#answerRound(round)).forEach((answer, n) => answers.set(round[n]!, answer))));
    return asked.map((one) => answers.get(one)!);
  });

  /** Facts and sessions are read by one statement, and so at the same moment. */
  async #answerRound(round: readonly Asked[]): Promise<Promise<unknown>[]> {
    const [{ actor, inOne }] = round as [Asked, ...Asked[]];
    const inputs = round.map(({ input }) => input);
    const values = inOne.values(inputs);
    const sessions = round.flatMap(({ presumedBy }) => presumedBy ?? []);
    const text = `select (select json_agg(known) from (${inOne.sql}) as facts) as known,
      (select json_agg(actor) from (${sessionQuestion.sql('$1', `$${values.length + 2}`)}) as actor) as actors`;
    const [row] = await this.#options.askAs<Found>(actor.schoolId, inOne.name, text, [...values, sessions]);
    const known = inOne.answers(row?.known ?? [], inputs);
    const actors = sessionQuestion.actors(row?.actors ?? [], sessions);
    const now = new Map(sessions.map((session, n) => [session, actors[n]]));
    return round.map(({ presumedBy, actor: presumed }, n) =>
      presumedBy === undefined || isDeepStrictEqual(now.get(presumedBy), presumed)
        ? Promise.resolve(known[n])
        : Promise.reject(new PresumedWrongly()),
    );
  }
}

type Found = { readonly known: readonly unknown[] | null; readonly actors: readonly unknown[] | null };

type AnyCommand = Command<unknown, unknown, unknown>;

/** Facts asked for at the same time as others. */
type Asked = {
  readonly inOne: NonNullable<AnyCommand['facts']['inOne']>;
  readonly input: unknown;
  readonly actor: Actor;
  readonly presumedBy: string | undefined;
};

const noQuery: Query = () => Promise.reject(new Error('these facts read no read model'));
