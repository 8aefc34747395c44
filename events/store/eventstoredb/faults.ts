import { StoreUnavailable } from '../port.ts';
import type { Endpoint } from './address.ts';

/**
 * What a failed call says, told by its status and by the name of the exception that the server sends along; a message is for people.
 *
 * - `not-leader`, `denied`, `too-large`, `deleted`, `refused`: the server answered that it did not do it
 * - `conflict`: so it did, because of the revision
 * - `too-slow`: it ended a subscription that did not keep up, or gave up waiting for its own disk or its followers
 * - `away`: the connection is lost, or the server is there and cannot serve: it starts or stops, is too busy, or knows of no leader
 * - `broken`: time over, and all that is not known here
 *
 * The last three say nothing about what was done.
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
 * Whether a reading failed because its position is none of this log. Servers up to 24.10 say so by the status for what is unknown, which
 * they give to other troubles too: where much stands on it, it is asked for twice.
 */
export const isNoPlace = (error: unknown): boolean => {
  const { status } = callError(error);
  return status === INVALID_ARGUMENT || (status === UNKNOWN && /^Unexpected ReadAllResult/.test(detailsOf(error)));
};

/** By gRPC's number. */
const UNKNOWN = 2;
const INVALID_ARGUMENT = 3;

/** By which name the limit is sent along. */
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

/** The server is there and this product cannot use it, now or later: somebody has to put it right. The message is one sentence for him. */
export class EventStoreUnfit extends Error {
  override readonly name = 'EventStoreUnfit';
}

/** The server is there and says that it cannot answer yet. */
export class EventStoreStarting extends Error {
  override readonly name = 'EventStoreStarting';
}

/** The error for whoever reads, or could not even send. `label`: the server's name for people. */
export const unavailable = (label: string, error: unknown): StoreUnavailable => {
  if (error instanceof StoreUnavailable) return error;
  if (error instanceof EventStoreUnfit) return new StoreUnavailable(error.message, { cause: error });
  if (faultIn(error).kind !== 'denied') return new StoreUnavailable(`${label} cannot be reached (${detailsOf(error)})`, { cause: error });
  const denied = new EventStoreUnfit(`${label} refuses the user name or password, or that user may not read and write all streams`, {
    cause: error,
  });
  return new StoreUnavailable(denied.message, { cause: denied });
};

/** No call carries a password in its details. What gRPC and OpenSSL wrap around the words for people is left away: it is one line. */
const detailsOf = (error: unknown): string => {
  const details = error instanceof Error && 'details' in error && typeof error.details === 'string' ? error.details : undefined;
  const said = details ?? (error instanceof Error ? error.message : String(error));
  const [, tls] = /:SSL routines:[^:]*:([^:]+):/.exec(said) ?? [];
  if (tls !== undefined) return `TLS does not come about there: ${tls}`;
  return said
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
