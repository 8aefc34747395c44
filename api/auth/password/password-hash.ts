import { AsyncLocalStorage } from 'node:async_hooks';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { authMessages } from '../../contract/auth-messages.ts';
import { ProblemError } from '../../common/problems.ts';
import { countRefusal } from '../../common/refusals.ts';
import type { Origin } from '../../../events/async/fair-queue.ts';
import { FairQueue } from '../../../events/async/fair-queue.ts';
import { networkOf, siteOf } from '../../common/networks.ts';

/** Argon2id as OWASP recommends it: 19 MiB, 2 passes. */
const COST = { memory: 19 * 1024, passes: 2, parallelism: 1 } as const;
const HASH_BYTES = 32;

/**
 * When a whole class logs in at once, hashing must not take the processor from everybody else: one core is left free, and the rest queues.
 * The places are for a school whose lesson begins; they are a few seconds of work. Half of them, and every other turn, are for networks from
 * which somebody has logged in before.
 */
const queue = new FairQueue(
  { atOnce: Math.max(1, Math.min(availableParallelism(), 4) - 1), waiting: 480, ofGroup: 240, ofPart: 120 },
  () => {
    countRefusal('passwords at once');
    return new ProblemError('busy', authMessages.busy, { retryAfter: 3 });
  },
);
/** Where the request comes from. */
const asking = new AsyncLocalStorage<Asking>();
type Asking = { readonly address: string; readonly isHome: () => Promise<boolean> };

/**
 * Within `work` passwords are hashed and checked in the turn of this address. Without one, as from the command line, nothing is refused.
 * `isHome`: whether somebody has logged in from there before; asked only while others wait.
 */
export const hashingFor = <Result>(from: Asking, work: () => Result): Result => asking.run(from, work);

const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => queue.run(await originOf(asking.getStore()), work);

/** A site and a network of it; worked out only when needed, because every request might hash a password, and few do. */
const originOf = async (from: Asking | undefined): Promise<Origin | undefined> =>
  from && {
    group: siteOf(from.address),
    part: networkOf(from.address),
    isKnown: queue.isBusy && (await from.isHome().catch(() => false)),
  };

const derive = promisify(argon2);

/** How new passwords are stored, and any that is stored is checked. `cost`: another one only for tests, which open accounts by the hundred. */
export class Passwords {
  /** Matches no password, and takes as long to check as a real hash. */
  readonly nobodysHash: string;
  readonly #cost: Cost;

  constructor(cost: Cost = COST) {
    this.#cost = cost;
    this.nobodysHash = stored('A'.repeat(22), 'A'.repeat(43), cost);
  }

  /** Text that includes its parameters: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
  readonly hash = async (password: string): Promise<string> => {
    const salt = randomBytes(16);
    return stored(text(salt), text(await argon2id(password, salt, this.#cost)), this.#cost);
  };

  readonly verify = (one: { readonly hash: string; readonly password: string }): Promise<boolean> => verifyPassword(one);
}

const stored = (salt: string, hash: string, { memory, passes, parallelism }: Cost): string =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${salt}$${hash}`;

const verifyPassword = async ({ hash, password }: { readonly hash: string; readonly password: string }): Promise<boolean> => {
  const [, memory, passes, parallelism, salt = '', right = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash) ?? [];
  if (memory === undefined) return false;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return equal(await argon2id(password, Buffer.from(salt, 'base64'), cost), Buffer.from(right, 'base64'));
};

type Cost = { readonly memory: number; readonly passes: number; readonly parallelism: number };

const argon2id = (password: string, nonce: Buffer, cost: Cost): Promise<Buffer> =>
  inTurn(() => derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength: HASH_BYTES, ...cost }));

const equal = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
