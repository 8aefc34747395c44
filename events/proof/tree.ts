/** The Merkle tree of RFC 9162 (certificate transparency), reduced to what appending needs: its right edge. */
import { hash } from 'node:crypto';
import type { StreamEvent } from '../store/port.ts';

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

  /** @param leaf see leafHash */
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

/**
 * The leaf of an event: SHA-256 over a zero byte and then stream, revision (decimal), id, type, data and metadata, each as its length in
 * bytes (four bytes, big endian) and its UTF-8 text exactly as the log holds it. Never position or server time: those change when a log is
 * copied.
 */
export const leafHash = ({ stream, revision, id, type, data, metadata }: StreamEvent): Hash => {
  reserve(64 + 3 * (stream.length + id.length + type.length + data.length + metadata.length));
  let end = put(stream, 1);
  end = put(String(revision), end);
  end = put(id, end);
  end = put(type, end);
  end = put(data, end);
  end = put(metadata, end);
  return hash('sha256', scratch.subarray(0, end));
};

/** Used again for each event: a leaf is made at once or not at all. Its first byte stays zero. */
let scratch = Buffer.alloc(64 * 1024);

const reserve = (bytes: number): void => {
  if (scratch.length < bytes) scratch = Buffer.alloc(bytes);
};

/** @returns where the next field begins */
const put = (text: string, at: number): number => {
  const bytes = scratch.write(text, at + 4);
  scratch.writeUInt32BE(bytes, at);
  return at + 4 + bytes;
};
