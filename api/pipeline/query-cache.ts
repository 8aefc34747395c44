import { touches } from '../contract/channels.ts';
import type { ReadAs } from '../common/facts.ts';
import type { Thing } from '../common/about.ts';
import { channelsOf, type ModelProgress, scopeOf } from '../common/models.ts';
import type { QueryDefinition, Shared } from '../common/query.ts';
import { JsonText } from '../common/query.ts';
import type { Committed } from '../../projections/engine/announcing/progress.ts';
import { aboutOf } from './about.ts';
import { CachedAnswer } from './cached-answer.ts';

export type CacheOptions = Pick<ModelProgress, 'positions' | 'storedPositions' | 'onCommitted'> & { readonly readAs: ReadAs };

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
  /** The position that all its read models had reached when reading began, at `begun` (performance.now()), and that of each. */
  readonly readAt: bigint;
  readonly known: readonly bigint[];
  readonly begun: number;
  /** All of it was read then: not only some parts. */
  readonly isWhole: boolean;
  /** When it was last known to be true without an announcement: when reading began, or by the stored positions. */
  checked: number;
  checking?: Promise<void>;
  /** A commit has changed what it read, or may have. */
  isStale: boolean;
  version?: CachedAnswer;
  readonly done: Promise<CachedAnswer>;
};

/**
 * Answers that are the same for several readers, each read from the database once until a commit changes it. Those who ask at the same
 * time share one run.
 *
 * Announcements decide, not known positions: a position may be known before the changes up to it are. As an announcement may be lost, an answer
 * older than five seconds (KEPT_MS) is held against the positions that are stored: it is read again if one has moved without an announcement, and
 * after half a minute (HEARD_MS) if one has moved at all. An answer of which only changed parts were read again shows the others as of its last
 * whole reading: it is kept for five seconds only, and the markbook's is at most half a minute older (`again` in api/marks/markbook.query.ts).
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
      if (existing && this.#isDue(entry)) await (entry.checking ??= this.#check(entry));
      if (!existing || this.#serves(entry, position)) {
        const version = await entry.done;
        return { version, trueAt: this.#trueAt(entry) };
      }
      // One run at a time: all who come meanwhile share the one after it.
      if (!entry.version) await entry.done.catch(() => undefined);
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    }
  }

  /** It may still be true, and only the stored positions can say so. */
  #isDue({ key, isStale, isWhole, version, checked }: Entry): boolean {
    const isKept = isWhole && !isStale && version !== undefined && this.#entries.has(key);
    return isKept && performance.now() - checked > KEPT_MS;
  }

  /** Its time begins anew if the stored positions show that nothing has changed it. */
  async #check(entry: Entry): Promise<void> {
    const { key, models, known, begun } = entry;
    const at = performance.now();
    try {
      const stored = await this.#options.storedPositions();
      const isTrueAt = (model: string, position: bigint): boolean => {
        const now = stored.get(model);
        return now !== undefined && now <= position;
      };
      const hasStood = models.every((model, place) => stored.get(model) === known[place]);
      const isAnnounced = at - begun <= HEARD_MS && models.every((model) => isTrueAt(model, this.#heard.get(model) ?? 0n));
      if (!hasStood && !isAnnounced) return;
      entry.checked = at;
      if (this.#entries.get(key) !== entry) return;
      // Used last, so forgotten last.
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    } finally {
      delete entry.checking;
    }
  }

  #serves({ isStale, checked, readAt, models }: Entry, position: bigint): boolean {
    if (isStale || performance.now() - checked > KEPT_MS) return false;
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
    const known = declared.models.map((model) => positions.get(model) ?? 0n);
    const reached = lowest(known);
    // What is announced after `upTo` may not be among the parts that are read.
    const readAt = since && since.upTo < reached ? since.upTo : reached;
    const begun = performance.now();
    const entry: Entry = {
      key,
      schoolId,
      models: declared.models,
      readAt,
      known,
      begun,
      isWhole: since === undefined,
      checked: begun,
      isStale: since !== undefined && !since.isAll,
      done: this.#read(question, readAt, since),
    };
    this.#entries.set(key, entry);
    entry.done.then(
      (version) => {
        entry.version = version;
        this.#forgetOldest();
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    this.#sweeping ??= setInterval(() => this.#sweep(), SWEPT_EVERY_MS).unref();
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
    const now = performance.now();
    for (const [key, { checked, version, isStale, isWhole }] of this.#entries)
      if (version && (isStale || now - checked > (isWhole ? UNASKED_MS : KEPT_MS))) this.#entries.delete(key);
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
/** The same if commits after it are announced. */
const HEARD_MS = 30_000;
/** An answer that nobody asks for is kept so long. */
const UNASKED_MS = 300_000;
const SWEPT_EVERY_MS = 30_000;
const MOST_CHARACTERS = 16_000_000;

/** While it is unknown which parts of a subject's marks have changed, any may have. */
const mayTouch = (channels: readonly string[] | undefined, changed: readonly string[]): boolean =>
  channels === undefined ||
  changed.some((one) => one === EVERYTHING || channels.some((channel) => touches(channel, one) || channel.startsWith(`${one}/`)));

const lowest = (positions: readonly bigint[]): bigint => positions.reduce((low, one) => (one < low ? one : low));
