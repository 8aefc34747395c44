import type { KeyText } from './table-sql.ts';

/**
 * A map by keys of several parts: a tree with one level per part. V8 caches the hashes of the parts, while a concatenated key would be a
 * new string to hash at every lookup (measured: a third of the time of a fold). Consecutive keys mostly differ only in the last part, so
 * the path to the last leaf is cached.
 */
export class KeyTree<Value> {
  readonly #last: number;
  readonly #root: Branch<Value> = new Map();
  readonly #values: Value[] = [];
  readonly #path: (string | null)[] = [];
  #leaf: Leaf<Value> | undefined;

  /** @param parts how many parts of a key count; it may have more */
  constructor(parts: number) {
    this.#last = parts - 1;
  }

  get(key: KeyText): Value | undefined {
    if (!this.#isBeside(key)) this.#goTo(key, this.#find(key));
    return this.#leaf?.get(key[this.#last] ?? null);
  }

  /** Only for a key that is not in the map yet. */
  add(key: KeyText, value: Value): void {
    if (!this.#isBeside(key)) this.#goTo(key, this.#grow(key));
    this.#leaf?.set(key[this.#last] ?? null, value);
    this.#values.push(value);
  }

  /** In insertion order. */
  values(): readonly Value[] {
    return this.#values;
  }

  #isBeside(key: KeyText): boolean {
    if (!this.#leaf) return false;
    // From the last part, because later parts differ more often.
    for (let level = this.#last - 1; level >= 0; level--) if (key[level] !== this.#path[level]) return false;
    return true;
  }

  #goTo(key: KeyText, leaf: Leaf<Value> | undefined): void {
    this.#leaf = leaf;
    for (let level = 0; level < this.#last; level++) this.#path[level] = key[level] ?? null;
  }

  #find(key: KeyText): Leaf<Value> | undefined {
    let node: Branch<Value> | Leaf<Value> | undefined = this.#root;
    for (let level = 0; level < this.#last; level++) node = asBranch(node)?.get(key[level] ?? null);
    return asLeaf(node);
  }

  #grow(key: KeyText): Leaf<Value> | undefined {
    let node = this.#root;
    for (let level = 0; level < this.#last; level++) {
      let next = asBranch(node.get(key[level] ?? null));
      if (!next) node.set(key[level] ?? null, (next = new Map()));
      node = next;
    }
    return asLeaf(node);
  }
}

/** All keys of a tree have the same length, so the level distinguishes branches from leaves. */
type Branch<Value> = Map<string | null, Branch<Value> | Leaf<Value>>;
type Leaf<Value> = Map<string | null, Value>;
const asBranch = <Value>(node: Branch<Value> | Leaf<Value> | undefined): Branch<Value> | undefined => node as Branch<Value> | undefined;
const asLeaf = <Value>(node: Branch<Value> | Leaf<Value> | undefined): Leaf<Value> | undefined => node as Leaf<Value> | undefined;
