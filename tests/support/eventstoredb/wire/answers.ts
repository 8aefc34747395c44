import { Metadata, status } from '@grpc/grpc-js';

/** The server's refusals: a status, and trailers by which the client tells them apart. */
export type Refusal = { code: status; details: string; metadata: Metadata };

const refusal = (code: status, details: string, trailers: Readonly<Record<string, string>> = {}): Refusal => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details, metadata };
};

export const notReady = (): Refusal => refusal(status.UNAVAILABLE, 'Server Is Not Ready');

export const handlerThrew = (): Refusal => refusal(status.UNKNOWN, 'Exception was thrown by handler.');

export const unexpectedResult = (of: 'ReadAllResult' | 'ReadStreamResult'): Refusal => refusal(status.UNKNOWN, `Unexpected ${of}: Error`);

/** From 25.0: a position where no record begins. */
export const invalidPosition = (): Refusal => refusal(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.');

export const timedOut = (what: string): Refusal => refusal(status.ABORTED, `Operation timed out: ${what}`);

export const tooSlow = (): Refusal => timedOut('Consumer too slow to handle event while live. Client resubscription required.');

export const streamDeleted = (stream: string): Refusal =>
  refusal(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, { exception: 'stream-deleted', 'stream-name': stream });

export const tooMuchToAppend = (limit: number): Refusal =>
  refusal(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  });

export const messageTooLarge = (): Refusal =>
  refusal(status.RESOURCE_EXHAUSTED, 'Received message exceeds the maximum configured message size.');

export const wrongVersion = (stream: string, expected: bigint, actual: bigint): Refusal =>
  refusal(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${expected}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': stream,
      'expected-version': String(expected),
      'actual-version': String(actual),
    },
  );

export const accessDenied = (): Refusal => refusal(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

export const unauthenticated = (): Refusal => refusal(status.UNAUTHENTICATED, 'Unauthenticated');

export const noLeaderInfo = (): Refusal => refusal(status.UNKNOWN, 'No leader info available in response');

export const notLeader = ({ host, port }: { host: string; port: number }): Refusal =>
  refusal(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });
