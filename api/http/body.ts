import { setTimeout as pause } from 'node:timers/promises';
import type { Context, MiddlewareHandler } from 'hono';
import { FairQueue } from '../../events/async/fair-queue.ts';
import type { Actor } from '../actor.ts';
import type { Largest } from '../common/body-size.ts';
import { inWords, mostBytes } from '../common/body-size.ts';
import { ProblemError } from '../common/problems.ts';
import { countRefusal } from '../common/refusals.ts';

/** Who sends a body (undefined: nobody is signed in), and how much staff may send with this request. */
export type Sender = { readonly actor?: Actor | undefined; readonly largest?: Largest | undefined };

const MB = 1024 * 1024;
/** Smaller bodies are limited by their connections only (run/http/http-server.ts). Only staff may send larger ones. */
const SMALL = 64 * 1024;
/** The most that all larger bodies under way may take. */
const MOST = { inAll: 56 * MB, ofSchool: 14 * MB, ofAccount: 8 * MB };
/** Lists, objects and fields together. The largest upload has some 130,000; with millions of them, 8 MB would become 200 MB in a second. */
const MOST_PARTS = 300_000;

/**
 * The body of a request, as JSON. It may take minutes to arrive, so rights must be looked up again afterwards. Node limits the time.
 *
 * @throws ProblemError if it is not JSON, too large for its sender, or more than there is room for
 */
export const bodyOf = async (c: Context, { actor, largest }: Sender = {}): Promise<unknown> => {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header('Content-Type') ?? ''))
    throw new ProblemError('unsupported-media-type', 'Send JSON: Content-Type: application/json.');
  const most = mostBytes(actor?.role, largest);
  const declared = declaredBy(c);
  if (declared !== undefined && declared > most) throw tooLarge(most);
  const bytes = await received(c, actor, most, declared).catch((error: unknown) => {
    // The sender has disconnected, and reads no answer.
    throw error instanceof ProblemError ? error : new ProblemError('invalid-input', 'The request ended before all of it had come.');
  });
  return bytes.byteLength > SMALL && actor
    ? turns.run({ group: actor.schoolId, part: actor.accountId }, () => parsedLarge(bytes))
    : parsed(bytes);
};

/** A declared length is believed, because Node's parser holds the sender to it. Undefined: it comes in chunks, as some proxies pass everything on. */
const declaredBy = (c: Context): number | undefined => {
  const declared = c.req.header('Content-Length');
  return declared === undefined || c.req.header('Transfer-Encoding') !== undefined ? undefined : Number(declared);
};

const received = async (c: Context, actor: Actor | undefined, most: number, declared: number | undefined): Promise<Uint8Array> => {
  // At once, because reading a stream costs as much as saving a cell.
  if (declared !== undefined && declared <= SMALL) return new Uint8Array(await c.req.arrayBuffer());
  let whole = new Uint8Array(4096);
  let length = 0;
  const body: ReadableStream<Uint8Array> | null = c.req.raw.body;
  for await (const piece of body ?? []) {
    const before = length;
    length += piece.byteLength;
    if (length > most) throw tooLarge(most);
    if (actor && length > SMALL) hold(c, actor, length);
    // Copied, because a chunk of one byte takes a hundred.
    if (length > whole.byteLength) {
      const larger = new Uint8Array(Math.max(length, 2 * whole.byteLength));
      larger.set(whole);
      whole = larger;
    }
    whole.set(piece, before);
  }
  return whole.subarray(0, length);
};

/** Fatal, because other encodings would be stored as question marks. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

const parsed = (bytes: Uint8Array): unknown => {
  if (bytes.byteLength > SMALL && partsOf(bytes) > MOST_PARTS)
    throw new ProblemError('invalid-input', 'The request is not valid.', {
      detail: 'It has more lists, objects or fields than any request.',
    });
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ProblemError('invalid-input', 'The request is not valid JSON.');
  }
};

/** Larger bodies are parsed one at a time; schools and their accounts take turns. The memory for bodies runs out before the queue does. */
const turns = new FairQueue({ atOnce: 1, waiting: 1_000 });

/** Other requests then have as much time as parsing took. */
const parsedLarge = async (bytes: Uint8Array): Promise<unknown> => {
  const since = performance.now();
  const body = parsed(bytes);
  await pause(performance.now() - since);
  return body;
};

const PARTS = Buffer.from('[{:');

/** How many begin in it; signs within texts are counted too. */
const partsOf = (bytes: Uint8Array): number => {
  let parts = 0;
  for (const byte of bytes) if (byte === PARTS[0] || byte === PARTS[1] || byte === PARTS[2]) parts += 1;
  return parts;
};

/** Bytes of the larger bodies under way, by account and school, and of all. */
const bytesInUse = new Map<string, number>();
const holders = new WeakMap<Context, { readonly actor: Actor; readonly bytes: number }>();

/** How many bytes the larger bodies under way take now. */
export const bodyBytes = (): number => bytesInUse.get('') ?? 0;

/** Holds so many bytes for a request, in place of what it held. @throws ProblemError `busy` if there is no room for them */
const hold = (c: Context, actor: Actor, bytes: number): void => {
  const more = bytes - (holders.get(c)?.bytes ?? 0);
  const isFull = (whose: string, most: number): boolean => (bytesInUse.get(whose) ?? 0) + more > most;
  if (isFull('', MOST.inAll) || isFull(actor.schoolId, MOST.ofSchool) || isFull(actor.accountId, MOST.ofAccount)) {
    countRefusal('bodies under way');
    throw new ProblemError('busy', 'Too much is being sent just now. Try again in a moment.', { retryAfter: 3 });
  }
  holders.set(c, { actor, bytes });
  take(actor, more);
};

const take = ({ schoolId, accountId }: Actor, more: number): void => {
  for (const whose of ['', schoolId, accountId]) {
    const now = (bytesInUse.get(whose) ?? 0) + more;
    if (now === 0) bytesInUse.delete(whose);
    else bytesInUse.set(whose, now);
  }
};

/** Releases the memory of a request's body once the request is answered. */
export const givingBack: MiddlewareHandler = async (c, next) => {
  try {
    await next();
  } finally {
    const holder = holders.get(c);
    if (holder) take(holder.actor, -holder.bytes);
  }
};

const tooLarge = (most: number): ProblemError => {
  countRefusal('size of a body');
  return new ProblemError('too-large', `The request is larger than ${inWords(most)}.`);
};
