import { hash } from 'node:crypto';
import type { Hash } from './tree.ts';
import type { StreamEvent } from '../store/port.ts';

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
