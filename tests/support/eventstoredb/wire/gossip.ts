import { randomUUID } from 'node:crypto';
import type { handleUnaryCall } from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import type { Member } from '../faults.ts';
import type { Node } from './node.ts';

/** The nodes of the cluster, as far as this node has heard of them. */
export const members =
  ({ faults }: Node): handleUnaryCall<Empty, ClusterInfo> =>
  async (_, answer) => {
    if (faults.isSilent) await faults.spoken();
    const info = new gossip.ClusterInfo();
    info.setMembersList(faults.members.map(memberInfo));
    answer(null, info);
  };

const memberInfo = ({ host, port, state, isAlive }: Member) => {
  const endPoint = new gossip.EndPoint().setAddress(host).setPort(port);
  const member = new gossip.MemberInfo().setInstanceId(new shared.UUID().setString(randomUUID())).setHttpEndPoint(endPoint);
  return member
    .setState(STATES[state])
    .setIsAlive(isAlive)
    .setTimeStamp(String(Date.now() * 10_000));
};

const STATES = { unknown: 2, follower: 6, leader: 8 } as const;
