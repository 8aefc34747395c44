/** What is compared when a log is verified. */
import type { StreamEvent } from '../store/port.ts';
import type { SignedHead } from './head.ts';
import type { Hash, Tree } from './tree.ts';

/** Reads the whole log in commit order; can be called again. */
export type ReadLog = () => AsyncIterable<readonly StreamEvent[]>;

export type Ledger = {
  trees(): Promise<readonly { readonly school: string; readonly size: number; readonly root: Hash }[]>;
  /** The first `size` leaves. */
  leaves(school: string, size: number): Promise<readonly Leaf[]>;
};
export type Leaf = { readonly id: string; readonly hash: Hash };

/** What a school's tree must be at a size. Without a head it comes from the ledger, unsigned. */
export type Mark = { readonly size: number; readonly root: Hash; readonly head?: SignedHead };

export type School = {
  readonly name: string;
  readonly tree: Tree;
  /** by size */
  readonly marks: Mark[];
  /** index of the first mark that was not compared yet */
  next: number;
  readonly failed: Mark[];
  /** the last signed one that matched */
  passed: Mark | undefined;
};
