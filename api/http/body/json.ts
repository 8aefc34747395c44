import { setTimeout as pause } from 'node:timers/promises';
import { FairQueue } from '../../../events/async/fair-queue.ts';
import { ProblemError } from '../../common/problems.ts';
import { countRefusal } from '../../common/refusals.ts';
import type { Owner } from './budget.ts';
import { SMALL } from './budget.ts';

/** @throws ProblemError `invalid-input` */
export const parsed = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): unknown => {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ProblemError('invalid-input', 'The request is not valid JSON.');
  }
};

/** Fatal, because other encodings would be stored as question marks. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses large bodies one at a time, the schools and in each of them the accounts in turns. After each as much time is left to all other
 * requests as it took: one of them needs several turns of the event loop.
 */
export class LargeJson {
  readonly #queue = new FairQueue({ atOnce: 1, waiting: 256, ofGroup: 128, ofPart: 64, waitMs: 20_000 }, () => {
    countRefusal('large bodies in turn');
    return new ProblemError('busy', 'Too much is being sent just now. Try again in a moment.', { retryAfter: 3 });
  });

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** @throws ProblemError `invalid-input`, `busy` */
  parse({ group, one }: Owner, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
    const body = Promise.withResolvers<unknown>();
    const turn = this.#queue.run({ group, part: one }, async () => {
      const since = performance.now();
      requireFlat(bytes);
      body.resolve(parsed(bytes));
      await pause(performance.now() - since);
    });
    turn.catch(body.reject);
    return body.promise;
  }
}

/** What the largest uploads have: lists in lists of objects, and an object of some fields for each mark. */
const MOST_DEEP = 32;
const MOST_PARTS = 500_000;
const MOST_FIELDS = 1_000;
const [QUOTE, BACKSLASH, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\:[]{}');

/**
 * Finds out before anything is made of it whether it is deeper than any request, has more lists, objects and fields together, or more fields
 * in one object: 8 MB of brackets would become 200 MB, and half a million names in an object take seconds.
 *
 * @throws ProblemError `invalid-input`
 */
export const requireFlat = (bytes: Uint8Array): void => {
  let depth = 0;
  let parts = 0;
  const fieldsAt = new Uint32Array(MOST_DEEP + 1);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COLON) {
      parts += 1;
      const fields = (fieldsAt[depth] ?? 0) + 1;
      fieldsAt[depth] = fields;
      if (fields > MOST_FIELDS) throw tooMuch();
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      parts += 1;
      depth += 1;
      if (depth > MOST_DEEP) throw tooMuch();
      fieldsAt[depth] = 0;
    }
  }
  if (parts > MOST_PARTS) throw tooMuch();
};

/** Where the text that begins here ends: at a quote before which there is an even number of backslashes. */
const endOfText = (bytes: Uint8Array, from: number): number => {
  for (let at = from + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
};

const tooMuch = (): ProblemError =>
  new ProblemError('invalid-input', 'The request is not valid.', {
    detail: 'It has more lists, objects or levels of them than any request.',
  });

/** Whether a body is parsed in turn. */
export const isLarge = (bytes: { readonly byteLength: number }): boolean => bytes.byteLength > SMALL;
