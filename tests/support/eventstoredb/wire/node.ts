import type { Metadata } from '@grpc/grpc-js';
import type { Faults } from '../faults.ts';
import type { Writer } from '../store/writer.ts';
import { notLeader, type Refusal } from './answers.ts';

/** What the services share: the node that they belong to. */
export type Node = {
  readonly writer: Writer;
  readonly faults: Faults;
  readonly version: string;
  /** Resets the connections of the peer. */
  cut(peer: string): void;
};

/** A follower refuses what requires the leader, and says where that is. */
export const refusalByFollower = (node: Node, request: Metadata): Refusal | undefined =>
  node.faults.leader && request.get('requires-leader')[0] === 'true' ? notLeader(node.faults.leader) : undefined;
