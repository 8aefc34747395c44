import type { KeyText } from './table-sql.ts';

/**
 * A map by keys of several parts. A tree, one level per part: parts are strings whose hashes are known by now, while a key put together
 * from them would be a new string to hash at every look (measured: a third of the time of a fold).
 */
export class KeyTree<Value> {
  readonly #root: Node<Value> = {};
  readonly #values: Value[] = [];

  get(key: KeyText): Value | undefined {
    let node: Node<Value> | undefined = this.#root;
    for (const part of key) {
      node = node.next?.get(part);
      if (!node) return undefined;
    }
    return node.value;
  }

  /** For a key that is not there yet. */
  add(key: KeyText, value: Value): void {
    let node = this.#root;
    for (const part of key) {
      node.next ??= new Map();
      let next = node.next.get(part);
      if (!next) node.next.set(part, (next = {}));
      node = next;
    }
    node.value = value;
    this.#values.push(value);
  }

  /** In the order in which they came. */
  values(): readonly Value[] {
    return this.#values;
  }
}

type Node<Value> = { next?: Map<string | null, Node<Value>>; value?: Value };
