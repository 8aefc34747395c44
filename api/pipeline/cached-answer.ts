import { createHash } from 'node:crypto';
import type { JsonText, TextOfList } from '../common/query.ts';
import { atPlaces, withOwn } from '../common/query.ts';
import type { Encoding } from '../common/encoding.ts';
import { encoded } from '../common/encoding.ts';
import type { Found } from './about.ts';

/** What a query answered at a position, without the fields that are each reader's own. */
export class CachedAnswer {
  /** The same for equal answers, in every process. */
  readonly tag: string;
  readonly length: number;
  readonly facts: unknown;
  readonly about: Found;
  readonly channels: readonly string[];
  /** The position that all read models of the query had reached before they were read. */
  readonly readAt: bigint;
  readonly #json: JsonText<unknown>;
  /** The tag of each element of its list. */
  readonly #tags: readonly string[];
  readonly #bodies = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  /** If it is a part: of which version, and which elements. */
  readonly #of: PartOf | undefined;
  /** The parts of this version, by their places. */
  readonly #parts = new Map<string, CachedAnswer>();
  #parsed: unknown;

  /** `before`: an earlier version, most of which may be the same. */
  constructor({ json, before, part, ...of }: Parts) {
    this.#json = json;
    this.length = json.length;
    this.facts = of.facts;
    this.about = of.about;
    this.channels = of.channels;
    this.readAt = of.readAt;
    this.#of = part;
    this.#tags = part ? atPlaces(part.whole.#tags, part.places) : tagsOf(json, before);
    this.tag = tagOf(json.list ? [json.list.head, ...this.#tags].join() : json.text);
  }

  get text(): string {
    return this.#json.text;
  }

  /** The elements of its list: their texts, their tags, and their values if they have been parsed. */
  get elements(): readonly [texts: readonly string[], tags: readonly string[], values: readonly unknown[]] | undefined {
    const { list } = this.#json;
    if (!list) return undefined;
    const values: unknown = isFields(this.#parsed) ? this.#parsed[list.name] : undefined;
    return [list.elements, this.#tags, Array.isArray(values) ? values : []];
  }

  /** The version with only the elements at these places; undefined: all. Takes memory only for places and bodies. */
  at(places: readonly number[] | undefined): CachedAnswer {
    if (!places) return this;
    const key = places.join();
    const { facts, about, channels, readAt } = this;
    const part =
      this.#parts.get(key) ??
      new CachedAnswer({ json: this.#json.at(places), facts, about, channels, readAt, part: { whole: this, places } });
    this.#parts.set(key, part);
    return part;
  }

  /** Parsed once; must not be changed. List elements that are as in the version `before` are the same objects. */
  valueAfter(before?: CachedAnswer): unknown {
    const { list } = this.#json;
    if (this.#of && !isFew(this.#of)) return (this.#parsed ??= this.#of.whole.#valueAt(this.#of.places, before && before.#of?.whole));
    this.#parsed ??= list ? parsed(list, before) : (JSON.parse(this.text) as unknown);
    return this.#parsed;
  }

  #valueAt(places: readonly number[], before: CachedAnswer | undefined): unknown {
    const value = this.valueAfter(before);
    const { list } = this.#json;
    const [, , values] = this.elements ?? [[], [], []];
    return list && isFields(value) ? { ...value, [list.name]: atPlaces(values, places) } : value;
  }

  /** The tag of the answer with these fields of the reader's own. */
  tagWith(ownFields: object): string {
    return `${this.tag}.${tagOf(JSON.stringify(ownFields)).slice(0, 8)}`;
  }

  /** Whether a tag is that of this answer, whatever the reader's own fields are. */
  isIn(tag: string): boolean {
    return tag.startsWith(`${this.tag}.`);
  }

  /** The answer with these fields; made and compressed once for all readers whose fields are the same. */
  body(ownFields: object, encoding: Encoding | undefined): Promise<Uint8Array<ArrayBuffer>> {
    const as = `${encoding ?? ''} ${JSON.stringify(ownFields)}`;
    const cached = this.#bodies.get(as);
    if (cached) return cached;
    const body = encoded(withOwn(this.text, ownFields), encoding);
    // Ten classes have ten compressed answers. The uncompressed text is not kept: it is large and cheap to rebuild.
    if (encoding !== undefined && this.#bodies.size < MOST_BODIES) this.#bodies.set(as, body);
    return body;
  }
}

type Parts = Pick<CachedAnswer, 'facts' | 'about' | 'channels' | 'readAt'> & {
  readonly json: JsonText<unknown>;
  readonly before?: CachedAnswer | undefined;
  readonly part?: PartOf;
};
/** So few elements are parsed by themselves: the whole of a large year would be parsed for the rows of a page. */
const isFew = ({ whole, places }: PartOf): boolean => places.length * 20 < (whole.elements?.[0].length ?? 0);

type PartOf = { readonly whole: CachedAnswer; readonly places: readonly number[] };

const tagsOf = ({ list }: JsonText<unknown>, before: CachedAnswer | undefined): readonly string[] => {
  const [texts, tags] = before?.elements ?? [[], []];
  return list?.elements.map((text, place) => (text === texts[place] ? (tags[place] ?? '') : tagOf(text))) ?? [];
};

const parsed = ({ head, name, elements }: TextOfList, before: CachedAnswer | undefined): unknown => {
  const [texts, , values] = before?.elements ?? [[], [], []];
  const list = elements.map((text, place) =>
    text === texts[place] && place < values.length ? values[place] : (JSON.parse(text) as unknown),
  );
  return { ...(JSON.parse(head) as object), [name]: list };
};

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

const MOST_BODIES = 16;

const tagOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
