import type { Context, MiddlewareHandler } from 'hono';
import type { Actor } from '../../actor.ts';
import type { Largest } from '../../common/body-size.ts';
import { inWords, mostBytes } from '../../common/body-size.ts';
import { networkOf } from '../../common/networks.ts';
import { ProblemError } from '../../common/problems.ts';
import { countRefusal } from '../../common/refusals.ts';
import { Slice } from '../../common/yield-to-event-loop.ts';
import { addressOf } from '../request/address.ts';
import type { Owner, Place, Shares } from './budget.ts';
import { BodyBudget, SMALL } from './budget.ts';
import { isLarge, LargeJson, parsed } from './json.ts';
import type { MostPerMinute } from './per-minute.ts';
import { BytesPerMinute } from './per-minute.ts';

/** Who sends a body, undefined: nobody is signed in; and how much staff may send with this request. */
export type Sender = { readonly actor?: Actor | undefined; readonly largest?: Largest | undefined };

export type BodyOptions = {
  readonly shares?: { readonly large?: Shares; readonly reserve?: Shares };
  readonly perMinute?: MostPerMinute;
  /** How long a body may take to arrive: one of an upload, and any other. */
  readonly seconds?: { readonly upload: number; readonly other: number };
};

const SECONDS = { upload: 300, other: 60 } as const;

/**
 * Reads the bodies of requests, when it is known who sends them and what they may do, and not before. What nobody may send is not kept, and
 * neither is what does not arrive in time.
 */
export class Bodies {
  readonly #budget: BodyBudget;
  readonly #json = new LargeJson();
  readonly #perMinute: BytesPerMinute;
  readonly #seconds: NonNullable<BodyOptions['seconds']>;

  constructor({ shares, seconds = SECONDS, perMinute }: BodyOptions = {}) {
    this.#perMinute = new BytesPerMinute(perMinute);
    this.#budget = new BodyBudget(shares);
    this.#seconds = seconds;
  }

  /** How many bytes the bodies under way take now. */
  get bytes(): number {
    return this.#budget.bytes;
  }

  /** How many large bodies wait for their turn. */
  get waiting(): number {
    return this.#json.waiting;
  }

  /** @throws ProblemError */
  async read(c: Context, { actor, largest }: Sender): Promise<unknown> {
    const type = c.req.header('Content-Type') ?? '';
    if (!/^application\/json\s*(;|$)/i.test(type))
      throw new ProblemError('unsupported-media-type', 'Send JSON: Content-Type: application/json.');
    const owner: Owner = actor ? { group: actor.schoolId, one: actor.accountId } : { group: 'nobody', one: networkOf(addressOf(c)) };
    const most = mostBytes(actor?.role, largest);
    const declared = declaredBy(c);
    if (declared !== undefined && declared > most) throw tooLarge(most);
    this.#perMinute.check(owner.one, actor?.role, declared ?? 0);
    const seconds = this.#seconds[largest ?? 'other'];
    const bytes = await this.#receive(c, { owner, most, declared, seconds });
    this.#perMinute.count(owner.one, actor?.role, bytes.byteLength);
    const slice = new Slice();
    const body = isLarge(bytes) ? await this.#json.parse(owner, bytes) : parsed(bytes);
    await slice.yield();
    return body;
  }

  /** All of it, within its time and its share of the memory, which it keeps until the request is answered. */
  async #receive(c: Context, { owner, most, declared, seconds }: Expected): Promise<Uint8Array<ArrayBuffer>> {
    const ended = Promise.withResolvers<never>();
    // Rejected when nobody waits any more.
    ended.promise.catch(() => undefined);
    const place = this.#budget.place(owner, ended.reject);
    places.set(c, place);
    const timer = setTimeout(() => ended.reject(tooSlow()), seconds * 1000);
    const source = sourceOf(c, declared);
    try {
      if (declared !== undefined && declared <= SMALL) place.growTo(declared);
      const received = source.all((bytes) => {
        if (bytes > most) throw tooLarge(most);
        place.growTo(bytes);
      });
      const bytes = await Promise.race([ended.promise, received]);
      place.arrived();
      return bytes;
    } catch (error) {
      source.stop();
      throw error instanceof ProblemError ? error : notWhole(error);
    } finally {
      clearTimeout(timer);
    }
  }
}

type Expected = { readonly owner: Owner; readonly most: number; readonly declared: number | undefined; readonly seconds: number };

/** A declared length is believed, because Node's parser holds the sender to it. Undefined: it comes in chunks, as some proxies pass everything on. */
const declaredBy = (c: Context): number | undefined => {
  const declared = c.req.header('Content-Length');
  return declared === undefined || c.req.header('Transfer-Encoding') !== undefined ? undefined : Number(declared);
};

/** `all`: tells how much has come with each piece. `stop`: what has come is dropped, and no more is read. */
type Source = { readonly all: (came: (bytes: number) => void) => Promise<Uint8Array<ArrayBuffer>>; readonly stop: () => void };

const sourceOf = (c: Context, declared: number | undefined): Source =>
  declared !== undefined && declared <= SMALL
    ? {
        // In one piece, because a stream costs as much as saving a cell.
        all: async () => new Uint8Array(await c.req.arrayBuffer()),
        stop: () => undefined,
      }
    : inPieces(c.req.raw.body?.getReader());

const inPieces = (reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Source => {
  let pieces: Uint8Array[] = [];
  let stopped = false;
  return {
    async all(came) {
      let length = 0;
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        length += read.value.byteLength;
        came(length);
        pieces.push(read.value);
      }
      const whole = new Uint8Array(stopped ? 0 : length);
      let at = 0;
      for (const piece of pieces) {
        whole.set(piece, at);
        at += piece.byteLength;
      }
      pieces = [];
      return whole;
    },
    stop() {
      stopped = true;
      pieces = [];
      reader?.cancel().catch(() => undefined);
    },
  };
};

const tooLarge = (most: number): ProblemError => {
  countRefusal('size of a body');
  return new ProblemError('too-large', `The request is larger than ${inWords(most)}.`);
};

const tooSlow = (): ProblemError => {
  countRefusal('time of a body');
  return new ProblemError('too-slow', 'The request took too long to arrive. Nothing was changed: try again.');
};

/** Nobody reads it: whoever sent the request has gone. */
const notWhole = (cause: unknown): ProblemError =>
  new ProblemError('invalid-input', 'The request ended before all of it had come.', { cause });

const readers = new WeakMap<Context, Bodies>();
const places = new WeakMap<Context, Place>();

/** Lets the routes read bodies with `bodyOf`, and gives the room back that each took. */
export const readingBodies =
  (bodies: Bodies): MiddlewareHandler =>
  async (c, next) => {
    readers.set(c, bodies);
    try {
      await next();
    } finally {
      places.get(c)?.release();
    }
  };

/**
 * The body of a request, as JSON. Rights that were known before are old by the time it has come: ask for them again.
 *
 * @throws ProblemError if it is not JSON, too large for its sender, too slow, or more than there is room for
 */
export const bodyOf = (c: Context, sender: Sender = {}): Promise<unknown> => {
  const bodies = readers.get(c);
  if (!bodies) throw new Error('this route is outside readingBodies');
  return bodies.read(c, sender);
};
