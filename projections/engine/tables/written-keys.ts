import type { KeyText } from './table-sql.ts';

/**
 * Tells for certain that a table has no row with a key, because the key has not been looked up since the table was empty. A Bloom filter:
 * the keys themselves would not fit into memory. It takes one new key in a hundred for a known one, which is then looked up. Only for a build
 * that this process has filled from the beginning (subscription/advance.ts).
 */
export class WrittenKeys {
  readonly #filters: Filter[] = [];

  /** Whether no row can have the key, which counts as written from now on. */
  isNew(key: KeyText): boolean {
    const [one, other] = hashesOf(key);
    const next = SIZES[this.#filters.length];
    if (next !== undefined && this.#filters.at(-1)?.isFull !== false) this.#filters.push(new Filter(next));
    const newest = this.#filters.length - 1;
    for (let at = 0; at < newest; at++) if (this.#filters[at]!.has(one, other)) return false;
    return this.#filters[newest]!.add(one, other);
  }
}

/** In bits, 5 MB in all. The last one takes all further keys: beyond three million, more of them are looked up in vain. */
const SIZES = [2 ** 20, 2 ** 23, 2 ** 25] as const;
const BITS_PER_KEY = 10;
const PROBES = 6;

class Filter {
  readonly #words: Uint32Array;
  readonly #most: number;
  #keys = 0;

  constructor(bits: number) {
    this.#words = new Uint32Array(bits / 32);
    this.#most = bits / BITS_PER_KEY;
  }

  get isFull(): boolean {
    return this.#keys >= this.#most;
  }

  has(one: number, other: number): boolean {
    const mask = this.#words.length * 32 - 1;
    for (let probe = 0, hash = one; probe < PROBES; probe++, hash += other) {
      const bit = hash & mask;
      if ((this.#words[bit >>> 5]! & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }

  /** @returns whether it was not there */
  add(one: number, other: number): boolean {
    const mask = this.#words.length * 32 - 1;
    let isNew = false;
    for (let probe = 0, hash = one; probe < PROBES; probe++, hash += other) {
      const bit = hash & mask;
      const word = this.#words[bit >>> 5]!;
      const flagged = word | (1 << (bit & 31));
      if (flagged >>> 0 === word) continue;
      this.#words[bit >>> 5] = flagged;
      isNew = true;
    }
    if (isNew) this.#keys += 1;
    return isNew;
  }
}

/**
 * Two independent hashes: FNV-1a with two seeds, mixed. Upper and lower case are the same, as in a uuid. Of long parts only the end counts,
 * which is as random as the rest of a uuid.
 */
const hashesOf = (key: KeyText): readonly [number, number] => {
  let one = 0x811c9dc5;
  let other = 0x9e3779b9;
  for (const part of key) {
    const text = part ?? '';
    for (let at = Math.max(0, text.length - MOST_OF_A_PART); at < text.length; at++) {
      const code = text.charCodeAt(at) | 0x20;
      one = Math.imul(one ^ code, 0x01000193);
      other = Math.imul(other ^ code, 0x85ebca6b);
    }
    one = Math.imul(one ^ 0x1f, 0x01000193);
    other = Math.imul(other ^ 0x1f, 0x85ebca6b);
  }
  hashes[0] = mixed(one);
  hashes[1] = mixed(other) | 1;
  return hashes;
};
const MOST_OF_A_PART = 12;
const hashes: [number, number] = [0, 0];

const mixed = (hash: number): number => {
  let state = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  state = Math.imul(state ^ (state >>> 15), 0x846ca68b);
  return (state ^ (state >>> 16)) >>> 0;
};
