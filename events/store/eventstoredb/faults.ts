import { StoreUnavailable } from '../port.ts';
import type { Endpoint } from './address.ts';

/**
 * What a failed call means, by its status and by the name of the exception that the server sends along; messages are only for people.
 *
 * - `not-leader`, `denied`, `too-large`, `deleted`, `refused`: the server answered that it did nothing
 * - `conflict`: likewise, because of the revision
 * - `too-slow`: it dropped a subscription that did not keep up, or timed out waiting for its own disk or its followers
 * - `away`: the connection is lost, or the server cannot serve: it is starting, stopping, too busy, or without a leader
 * - `broken`: timed out, and anything unknown
 *
 * With the last three, the call may have been carried out.
 */
export type Fault =
  | { readonly kind: 'not-leader'; readonly leader: Endpoint | undefined }
  | { readonly kind: 'conflict'; readonly actual: bigint | 'none' | undefined }
  /** `limit`: in bytes, of an append or of each event in it; undefined: the server does not say */
  | { readonly kind: 'too-large'; readonly limit: number | undefined }
  | { readonly kind: Plain };

type Plain = 'denied' | 'deleted' | 'refused' | 'too-slow' | 'away' | 'broken';

export const faultIn = (error: unknown): Fault => {
  const { status, trailer } = callError(error);
  const exception = trailer('exception');
  if (exception === 'not-leader') {
    return { kind: 'not-leader', leader: endpoint(trailer('leader-endpoint-host'), trailer('leader-endpoint-port')) };
  }
  if (exception === 'wrong-expected-version') return { kind: 'conflict', actual: revision(trailer('actual-version')) };
  const limit = LIMITS[exception ?? ''];
  if (limit !== undefined) return { kind: 'too-large', limit: Number(trailer(limit)) || undefined };
  if (status === UNKNOWN && /leader info/i.test(detailsOf(error))) return { kind: 'away' };
  return { kind: BY_EXCEPTION[exception ?? ''] ?? BY_STATUS[status ?? 0] ?? 'broken' };
};

/**
 * Whether a read failed because its position does not exist in this log. Servers up to 24.10 report this with status UNKNOWN, which they
 * also use for other failures: where it matters, callers ask twice.
 */
export const isUnknownPosition = (error: unknown): boolean => {
  const { status } = callError(error);
  return status === INVALID_ARGUMENT || (status === UNKNOWN && /^Unexpected ReadAllResult/.test(detailsOf(error)));
};

/** gRPC status codes. */
const UNKNOWN = 2;
const INVALID_ARGUMENT = 3;

/** For each exception, the trailer that contains the limit. */
const LIMITS: Readonly<Record<string, string>> = {
  'maximum-append-size-exceeded': 'maximum-append-size',
  'maximum-append-event-size-exceeded': 'maximum-append-event-size',
};

const BY_EXCEPTION: Readonly<Record<string, Plain>> = {
  'access-denied': 'denied',
  'stream-deleted': 'deleted',
};

const BY_STATUS: Readonly<Record<number, Plain>> = {
  [INVALID_ARGUMENT]: 'refused',
  7: 'denied', // permission denied
  9: 'refused', // failed precondition
  10: 'too-slow', // aborted
  12: 'refused', // unimplemented
  14: 'away', // unavailable
  16: 'denied', // unauthenticated
};

/** The server is there but cannot be used until an operator fixes something. The message is one sentence for the operator. */
export class EventStoreUnfit extends Error {
  override readonly name = 'EventStoreUnfit';
}

/** The server is there and says that it cannot answer yet. */
export class EventStoreStarting extends Error {
  override readonly name = 'EventStoreStarting';
}

/** The error for a failed read, or for an append that was never sent. `label`: the server's name for people. */
export const unavailable = (label: string, error: unknown): StoreUnavailable => {
  if (error instanceof StoreUnavailable) return error;
  if (error instanceof EventStoreUnfit) return new StoreUnavailable(error.message, { cause: error });
  if (faultIn(error).kind !== 'denied') return new StoreUnavailable(`${label} cannot be reached (${detailsOf(error)})`, { cause: error });
  const denied = new EventStoreUnfit(`${label} rejects the user name or password, or the user may not read and write all streams`, {
    cause: error,
  });
  return new StoreUnavailable(denied.message, { cause: denied });
};

/** The error's details in one line, without what gRPC and OpenSSL wrap around them. They never contain a password. */
const detailsOf = (error: unknown): string => {
  const details = error instanceof Error && 'details' in error && typeof error.details === 'string' ? error.details : undefined;
  const message = details ?? (error instanceof Error ? error.message : String(error));
  const [, tls] = /:SSL routines:[^:]*:([^:]+):/.exec(message) ?? [];
  if (tls !== undefined) return `the TLS handshake failed: ${tls}`;
  return message
    .replace(/^No connection established\. Last error: (Error: )?/, '')
    .replace(/\. Resolution note:.*$/s, '')
    .replaceAll(/\s+/g, ' ');
};

const callError = (error: unknown): { status: number | undefined; trailer: (name: string) => string | undefined } => {
  if (!(error instanceof Error)) return { status: undefined, trailer: () => undefined };
  const status = 'code' in error && typeof error.code === 'number' ? error.code : undefined;
  const trailers = 'metadata' in error && hasTrailers(error.metadata) ? error.metadata : undefined;
  return { status, trailer: (name) => trailers?.get(name)[0]?.toString() };
};

const hasTrailers = (metadata: unknown): metadata is { get(name: string): readonly (string | Buffer)[] } =>
  typeof metadata === 'object' && metadata !== null && 'get' in metadata && typeof metadata.get === 'function';

const endpoint = (address: string | undefined, port: string | undefined): Endpoint | undefined =>
  address !== undefined && /^\d{1,5}$/.test(port ?? '') ? { address, port: Number(port) } : undefined;

const revision = (text: string | undefined): bigint | 'none' | undefined => {
  if (text === undefined || !/^-?\d+$/.test(text)) return undefined;
  return text.startsWith('-') ? 'none' : BigInt(text);
};
