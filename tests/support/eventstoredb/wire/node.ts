import type { Metadata } from '@grpc/grpc-js';
import type { Faults } from '../faults.ts';
import type { Writer } from '../store/writer.ts';
import { noLeaderInfo, notLeader, type Refusal } from './answers.ts';

/** The node, shared by its services. */
export type Node = {
  readonly writer: Writer;
  readonly faults: Faults;
  readonly version: string;
  /** Resets the connections of the peer. */
  cut(peer: string): void;
};

/** A follower refuses requests that require the leader, and names the leader. */
export const refusalByFollower = ({ faults: { leader } }: Node, request: Metadata): Refusal | undefined => {
  if (leader === undefined || request.get('requires-leader')[0] !== 'true') return undefined;
  return leader === 'unknown' ? noLeaderInfo() : notLeader(leader);
};

/** Whether the server is of this version or newer. */
export const isSince = ({ version }: Node, since: { major: number; minor: number }): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > since.major || (major === since.major && minor >= since.minor);
};
