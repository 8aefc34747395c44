/** An event as proposed by a writer. The store reads neither data nor metadata, except in its own metadata streams. */
export type ProposedEvent = {
  /** uuid, lower case */
  readonly id: string;
  readonly type: string;
  /** `application/json` or `application/octet-stream` */
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
};

export type StoredEvent = ProposedEvent & {
  readonly stream: string;
  readonly revision: bigint;
  /** the position of its record in the log, in bytes */
  readonly position: bigint;
  /** 100 ns ticks since 1970 */
  readonly created: bigint;
};

/** The revision of `$streamDeleted`, and the `$tb` of a deleted stream. */
export const END_OF_STREAM = 9_223_372_036_854_775_807n;

/** Bytes of a record in the log: its fixed-length fields, names and data. */
export const recordSize = (stream: string, event?: Pick<ProposedEvent, 'type' | 'data' | 'metadata'>): bigint => {
  const texts = Buffer.byteLength(stream) + (event ? Buffer.byteLength(event.type) : 0);
  return BigInt(90 + texts + (event ? event.data.length + event.metadata.length : 0));
};

export const ticks = (): bigint => BigInt(Date.now()) * 10_000n;
