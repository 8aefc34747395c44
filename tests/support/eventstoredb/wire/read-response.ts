import { randomUUID } from 'node:crypto';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../store/event.ts';
import type { Store } from '../store/store.ts';
import { identifierOf, uuidOf } from './identifiers.ts';

/** The encoded messages of an answer to a read. */

export type TfPosition = { readonly commit: bigint; readonly prepare: bigint };

/** @param links finds the targets of links, if links are to be resolved */
export const eventMessage = (event: StoredEvent, links?: Store): Buffer => {
  const wrapper = new streams.ReadResp.ReadEvent();
  const target = links && event.type === '$>' ? { event: targetOf(event, links) } : undefined;
  const shown = target ? target.event : event;
  if (shown) wrapper.setEvent(recorded(shown));
  if (target) wrapper.setLink(recorded(event));
  wrapper.setCommitPosition(String(event.position));
  return message((response) => response.setEvent(wrapper));
};

export const confirmationMessage = (): Buffer =>
  message((response) => {
    const confirmation = new streams.ReadResp.SubscriptionConfirmation();
    confirmation.setSubscriptionId(randomUUID());
    response.setConfirmation(confirmation);
  });

export const caughtUpMessage = (): Buffer => message((response) => response.setCaughtUp(new streams.ReadResp.CaughtUp()));

export const checkpointMessage = ({ commit, prepare }: TfPosition): Buffer =>
  message((response) => {
    const checkpoint = new streams.ReadResp.Checkpoint();
    checkpoint.setCommitPosition(String(commit));
    checkpoint.setPreparePosition(String(prepare));
    response.setCheckpoint(checkpoint);
  });

export const streamNotFoundMessage = (stream: string): Buffer =>
  message((response) => {
    const notFound = new streams.ReadResp.StreamNotFound();
    notFound.setStreamIdentifier(identifierOf(stream));
    response.setStreamNotFound(notFound);
  });

/** The stream was read as far as requested; `revision` is its newest event. */
export const lastStreamPositionMessage = (revision: number): Buffer =>
  message((response) => response.setLastStreamPosition(String(revision)));

const message = (fill: (response: ReadResp) => void): Buffer => {
  const response = new streams.ReadResp();
  fill(response);
  const { buffer, byteOffset, byteLength } = response.serializeBinary();
  return Buffer.from(buffer, byteOffset, byteLength);
};

const recorded = (event: StoredEvent): ReadResp.ReadEvent.RecordedEvent => {
  const record = new streams.ReadResp.ReadEvent.RecordedEvent();
  record.setId(uuidOf(event.id));
  record.setStreamIdentifier(identifierOf(event.stream));
  record.setStreamRevision(String(event.revision));
  record.setCommitPosition(String(event.position));
  record.setPreparePosition(String(event.position));
  record.getMetadataMap().set('type', event.type).set('content-type', event.contentType).set('created', String(event.created));
  record.setData(event.data);
  record.setCustomMetadata(event.metadata);
  return record;
};

/** The data of a link: `revision@stream`. */
const targetOf = (link: StoredEvent, store: Store): StoredEvent | undefined => {
  const [, revision, stream] = /^(\d+)@(.*)$/s.exec(Buffer.from(link.data).toString()) ?? [];
  if (revision === undefined || stream === undefined) return undefined;
  return store.log.events[store.stream(stream)?.events[Number(revision)] ?? -1];
};
