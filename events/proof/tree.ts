/** The Merkle tree of RFC 9162 (certificate transparency), reduced to what appending needs: its right edge. */
import { hash } from 'node:crypto';

/** SHA-256 in hex. (Node gives text twice as fast as a buffer.) */
export type Hash = string;

/**
 * An append-only tree. It keeps one hash for each 1 in the binary form of its size (the roots of its complete subtrees, the largest first),
 * so a million leaves need at most twenty hashes.
 */
export class Tree {
  readonly #edge: Hash[];
  #size: number;

  /** @param edge as `edge` was at this size */
  constructor(size = 0, edge: readonly Hash[] = []) {
    if (edge.length !== size.toString(2).replaceAll('0', '').length) throw new RangeError(`no edge of a tree of ${size} leaves`);
    this.#size = size;
    this.#edge = [...edge];
  }

  get size(): number {
    return this.#size;
  }

  get edge(): readonly Hash[] {
    return this.#edge;
  }

  /** @param leaf see leaf.ts */
  append(leaf: Hash): void {
    let node = leaf;
    // Each 1 at the end of the size is a complete subtree, as large as the one that has just become complete beside it.
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) node = nodeHash(this.#edge.pop() ?? node, node);
    this.#edge.push(node);
    this.#size += 1;
  }

  /** The Merkle tree hash of all leaves. */
  root(): Hash {
    return this.#edge.length === 0 ? hash('sha256', '') : this.#edge.reduceRight((right, left) => nodeHash(left, right));
  }
}

const pair = Buffer.alloc(65, 0x01);

const nodeHash = (left: Hash, right: Hash): Hash => {
  pair.write(left, 1, 'hex');
  pair.write(right, 33, 'hex');
  return hash('sha256', pair);
};
