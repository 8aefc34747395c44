import type { Encoding } from '../common/encoding.ts';
import { encoded } from '../common/encoding.ts';

/** An answer that is made of that of one query alone: its text, and what it is compressed to. `value` only carries its type. */
export class Derived<Value> {
  declare readonly value?: Value;
  readonly #text: string;
  readonly #bodies = new Map<Encoding | undefined, Promise<Uint8Array<ArrayBuffer>>>();

  constructor(value: Value) {
    this.#text = JSON.stringify(value);
  }

  /** In characters. */
  get length(): number {
    return this.#text.length;
  }

  body(encoding: Encoding | undefined): Promise<Uint8Array<ArrayBuffer>> {
    const kept = this.#bodies.get(encoding);
    if (kept) return kept;
    const body = encoded(this.#text, encoding);
    this.#bodies.set(encoding, body);
    return body;
  }
}

/** By the version of a shared answer, for as long as that is kept: what was made of it. */
export class DerivedAnswers {
  readonly #of = new WeakMap<object, Map<string, Derived<unknown>>>();

  /** `key`: what it was made for, and of which of the version's parts. */
  made<Value>(version: object, key: string, make: () => Value): Derived<Value> {
    const ofVersion = this.#of.get(version) ?? new Map<string, Derived<unknown>>();
    this.#of.set(version, ofVersion);
    // Safe: a key is of one call, and so of one type.
    const kept = ofVersion.get(key) as Derived<Value> | undefined;
    if (kept) return kept;
    const made = new Derived(make());
    if (ofVersion.size < MOST_KEPT) ofVersion.set(key, made);
    return made;
  }
}

/** The teachers of ten classes have ten. */
const MOST_KEPT = 16;
