import { touches } from '../contract/channels.ts';
import type { ReadAs } from '../common/facts.ts';
import type { Thing } from '../common/about.ts';
import { channelsOf, type ModelProgress, scopeOf } from '../common/models.ts';
import type { QueryDefinition, Shared } from '../common/query.ts';
import { JsonText } from '../common/query.ts';
import type { Committed } from '../../projections/engine/announcing/progress.ts';
import { aboutOf } from './about.ts';
import { CachedAnswer } from './cached-answer.ts';

export type CacheOptions = Pick<ModelProgress, 'positions' | 'onCommitted'> & { readonly readAs: ReadAs };

/** A question, without the person who asks. */
export type Question = {
  readonly schoolId: string;
  readonly name: string;
  readonly declared: QueryDefinition<unknown> & { readonly shared: Shared<unknown> };
  /** The input for the whole answer, whichever part of it is asked for. */
  readonly input: unknown;
  readonly of: readonly Thing[];
};

/**
 * A version that somebody holds, and what has changed in the school since, announced and narrowed up to `upTo`. `isAll`: nothing was
 * announced after `upTo`.
 */
export type Since = {
  readonly version: CachedAnswer;
  readonly changed: readonly string[];
  readonly upTo: bigint;
  readonly isAll: boolean;
};

/** `trueAt`: the position up to which nothing has changed it. */
export type Found = { readonly version: CachedAnswer; readonly trueAt: bigint };

export const keyOf = ({ schoolId, name, input }: Pick<Question, 'schoolId' | 'name' | 'input'>): string =>
  `${schoolId} ${name} ${JSON.stringify(input)}`;

/** Longer inputs are answered separately. */
export const LONGEST_KEY = 500;

type Entry = {
  readonly key: string;
  readonly schoolId: string;
  readonly models: readonly string[];
  /** The position that its read models had reached when reading began, at `begun` (performance.now()). */
  readonly readAt: bigint;
  readonly begun: number;
  /** Until this time after `begun` it may be served: see KEPT_MS. */
  keptMs: number;
  /** A commit has changed what it read, or may have. */
  isStale: boolean;
  version?: CachedAnswer;
  readonly done: Promise<CachedAnswer>;
};

/**
 * Answers that are the same for several readers, each read from the database once until a commit changes it. Those who ask at the same
 * time share one run.
 *
 * Announcements decide, not known positions: a position may be known before the changes up to it are. If an announcement is lost, an answer is
 * at most five seconds old (KEPT_MS), or half a minute if it took long to read. An answer of which only changed parts are read again shows the
 * others as of its last whole reading: the markbook's is at most half a minute older (`again` in api/marks/markbook.query.ts).
 */
export class QueryCache {
  readonly #options: CacheOptions;
  /** The oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** By read model: the position up to which all changes have been announced. */
  readonly #heard = new Map<string, bigint>();
  #sweeping: NodeJS.Timeout | undefined;
  #runs = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
    options.onCommitted((committed) => this.#hear(committed));
  }

  /** How many queries were run, for /api/metrics. */
  get runs(): number {
    return this.#runs;
  }

  /** @param position which the answer must include: the read models have reached it */
  ask(question: Question, position = 0n): Promise<Found> {
    return this.#ask(question, position);
  }

  /**
   * The current answer, for whoever knows what has changed since a version: if it must be read again, only the changed parts are, where the
   * query can do that. `since` is called when reading begins; undefined: anything may have changed.
   */
  askSince(question: Question, since: () => Since | undefined): Promise<Found> {
    return this.#ask(question, 0n, question.declared.shared.again && since);
  }

  async #ask(question: Question, position: bigint, since?: () => Since | undefined): Promise<Found> {
    const key = keyOf(question);
    for (;;) {
      const existing = this.#entries.get(key);
      const entry = existing ?? this.#begin(key, question, withParts(since?.()));
      if (!existing || this.#serves(entry, position)) {
        const version = await entry.done;
        return { version, trueAt: this.#trueAt(entry) };
      }
      // One run at a time: all who come meanwhile share the one after it.
      if (!entry.version) await entry.done.catch(() => undefined);
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
  }

  #serves({ isStale, begun, keptMs, readAt, models }: Entry, position: bigint): boolean {
    if (isStale || performance.now() - begun > keptMs) return false;
    return position <= readAt || position <= this.#heardOf(models);
  }

  #trueAt({ isStale, readAt, models }: Entry): bigint {
    const announced = this.#heardOf(models);
    return isStale || announced < readAt ? readAt : announced;
  }

  #heardOf(models: readonly string[]): bigint {
    return lowest(models.map((model) => this.#heard.get(model) ?? 0n));
  }

  #begin(key: string, question: Question, since: WithParts | undefined): Entry {
    const { schoolId, declared } = question;
    const positions = this.#options.positions();
    const reached = lowest(declared.models.map((model) => positions.get(model) ?? 0n));
    // What is announced after `upTo` may not be among the parts that are read.
    const readAt = since && since.upTo < reached ? since.upTo : reached;
    const entry: Entry = {
      key,
      schoolId,
      models: declared.models,
      readAt,
      begun: performance.now(),
      keptMs: KEPT_MS,
      isStale: since !== undefined && !since.isAll,
      done: this.#read(question, readAt, since),
    };
    this.#entries.set(key, entry);
    entry.done.then(
      (version) => {
        entry.version = version;
        entry.keptMs = Math.min(LONGEST_KEPT_MS, Math.max(KEPT_MS, TIMES_ITS_READING * (performance.now() - entry.begun)));
        this.#forgetOldest();
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    this.#sweeping ??= setInterval(() => this.#sweep(), KEPT_MS).unref();
    return entry;
  }

  async #read({ schoolId, declared, input, of }: Question, readAt: bigint, since: WithParts | undefined): Promise<CachedAnswer> {
    this.#runs += 1;
    const { shared } = declared;
    return this.#options.readAs(schoolId, async (query) => {
      const again = since && (await shared.again?.(query, since.version.facts, since.parts));
      if (since && again)
        return new CachedAnswer({
          json: again.text,
          facts: again.facts,
          about: since.version.about,
          readAt,
          channels: since.version.channels,
          before: since.version,
        });
      const about = await aboutOf(query, of, input);
      const { text, facts } = isGone(about) ? NOT_THERE : await shared.read(query, input, about);
      return new CachedAnswer({
        json: text,
        facts,
        about,
        readAt,
        channels: channelsOf(declared, scopeOf(declared, about)),
        before: since?.version,
      });
    });
  }

  #hear({ positions, changes }: Committed): void {
    if (changes.some(({ schoolId, channels: topics }) => schoolId === EVERYTHING && topics.includes(EVERYTHING))) {
      // The log may be another one: nothing that was known about its positions counts.
      this.#heard.clear();
      for (const entry of this.#entries.values()) entry.isStale = true;
      return;
    }
    for (const [model, position] of positions) if (position > (this.#heard.get(model) ?? 0n)) this.#heard.set(model, position);
    for (const entry of this.#entries.values()) {
      if (entry.isStale || entry.models.every((model) => (positions.get(model) ?? 0n) <= entry.readAt)) continue;
      entry.isStale = changes.some(
        ({ schoolId, channels: topics }) => schoolId === entry.schoolId && mayTouch(entry.version?.channels, topics),
      );
    }
  }

  #sweep(): void {
    for (const [key, { begun, keptMs, version }] of this.#entries)
      if (version && performance.now() - begun > keptMs) this.#entries.delete(key);
    if (this.#entries.size > 0) return;
    clearInterval(this.#sweeping);
    this.#sweeping = undefined;
  }

  #forgetOldest(): void {
    let size = 0;
    for (const { key, version } of [...this.#entries.values()].toReversed()) {
      size += version?.length ?? 0;
      if (size > MOST_CHARACTERS && version) this.#entries.delete(key);
    }
  }
}

/** `parts`: the parts of subjects whose marks have changed; nothing else that the version shows has. See `Shared.again`. */
type WithParts = Since & { readonly parts: readonly string[] };

const withParts = (since: Since | undefined): WithParts | undefined => {
  if (!since || isGone(since.version.about)) return undefined;
  const { version, changed } = since;
  const concerning = changed.filter((one) => version.channels.some((channel) => touches(channel, one)));
  if (concerning.some((one) => !one.startsWith('marks:') || one.endsWith('/*'))) return undefined;
  return { ...since, parts: changed.flatMap((one) => (one.startsWith('marks:') ? (one.split('/')[1] ?? []) : [])) };
};

/** It does not exist, or is deleted: `requireSight` refuses it to everybody, so nothing is read. */
const isGone = ({ missing, deletedTask }: CachedAnswer['about']): boolean => missing !== undefined || deletedTask !== undefined;
const NOT_THERE = { text: new JsonText<unknown>('{"isThere":false}'), facts: undefined };
const EVERYTHING = '*';
/** Also how old an answer, or the part of it that was read last, may be if a commit is not announced. */
const KEPT_MS = 5_000;
/** What takes long to read, as the markbook of thousands of students, is kept for so many times as long, at most half a minute. */
const TIMES_ITS_READING = 20;
const LONGEST_KEPT_MS = 30_000;
const MOST_CHARACTERS = 16_000_000;

/** While it is unknown which parts of a subject's marks have changed, any may have. */
const mayTouch = (channels: readonly string[] | undefined, changed: readonly string[]): boolean =>
  channels === undefined ||
  changed.some((one) => one === EVERYTHING || channels.some((channel) => touches(channel, one) || channel.startsWith(`${one}/`)));

const lowest = (positions: readonly bigint[]): bigint => positions.reduce((low, one) => (one < low ? one : low));
