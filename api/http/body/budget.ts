import { ProblemError } from '../../common/problems.ts';
import { countRefusal } from '../../common/refusals.ts';

/** Whose body it is: a school and an account of it, or all who are not signed in and the network of one of them. */
export type Owner = { readonly group: string; readonly one: string };

/** How many bytes may be under way: in all, of one group, and of one of its members. */
export type Shares = { readonly inAll: number; readonly ofGroup: number; readonly ofOne: number };

const MB = 1024 * 1024;
/** Up to this, a body uses the reserve. */
export const SMALL = 64 * 1024;
/** 64 MB in all: each group may have a quarter of both. */
const LARGE_SHARES: Shares = { inAll: 56 * MB, ofGroup: 14 * MB, ofOne: 8 * MB };
const RESERVE_SHARES: Shares = { inAll: 8 * MB, ofGroup: 2 * MB, ofOne: MB / 2 };

/**
 * The memory for the bodies of all requests under way, from their first byte until the request is answered. Small bodies have a reserve of
 * their own: however much is uploaded, by one's own school too, what people type finds room.
 */
export class BodyBudget {
  readonly #large: Pool;
  readonly #reserve: Pool;

  constructor({ large = LARGE_SHARES, reserve = RESERVE_SHARES }: { readonly large?: Shares; readonly reserve?: Shares } = {}) {
    this.#large = new Pool(large, false);
    this.#reserve = new Pool(reserve, true);
  }

  /** How many bytes are held now. */
  get bytes(): number {
    return this.#large.bytes + this.#reserve.bytes;
  }

  /** `evicted`: called if it loses its place before it has `arrived`. */
  place(owner: Owner, evicted: (why: Error) => void): Place {
    return new Place(owner, evicted, (bytes) => (bytes > SMALL ? this.#large : this.#reserve));
  }
}

/** The room that one body has. */
export class Place {
  readonly owner: Owner;
  readonly #evicted: (why: Error) => void;
  readonly #poolFor: (bytes: number) => Pool;
  #pool: Pool | undefined;
  #bytes = 0;
  #arrived = false;

  constructor(owner: Owner, evicted: (why: Error) => void, poolFor: (bytes: number) => Pool) {
    this.owner = owner;
    this.#evicted = evicted;
    this.#poolFor = poolFor;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether it may have to make room for others. */
  get isComing(): boolean {
    return !this.#arrived;
  }

  /** Holds this many bytes from now on. @throws ProblemError `busy` if there is no room for them */
  growTo(bytes: number): void {
    const pool = this.#poolFor(bytes);
    pool.take(this, bytes, pool === this.#pool ? bytes - this.#bytes : bytes);
    if (pool !== this.#pool) this.#pool?.giveBack(this, this.#bytes);
    this.#pool = pool;
    this.#bytes = bytes;
  }

  arrived(): void {
    this.#arrived = true;
  }

  release(): void {
    this.#pool?.giveBack(this, this.#bytes);
    this.#pool = undefined;
    this.#bytes = 0;
  }

  evict(): void {
    this.release();
    this.#evicted(noRoom());
  }
}

class Pool {
  readonly #shares: Shares;
  readonly #makesRoom: boolean;
  readonly #places = new Set<Place>();
  #bytes = 0;
  /** by group, and by group and member: bytes */
  readonly #ofGroups = new Map<string, number>();
  readonly #ofOnes = new Map<string, number>();

  /** `makesRoom`: where a share is full, the largest body that is still coming gives way to a smaller one. So a flood shuts out only itself. */
  constructor(shares: Shares, makesRoom: boolean) {
    this.#shares = shares;
    this.#makesRoom = makesRoom;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws ProblemError `busy` */
  take(place: Place, bytes: number, more: number): void {
    const { inAll, ofGroup, ofOne } = this.#shares;
    const { group } = place.owner;
    const key = keyOf(place.owner);
    this.#fit(
      () => (this.#ofOnes.get(key) ?? 0) + more <= ofOne,
      place,
      bytes,
      (other) => keyOf(other) === key,
    );
    this.#fit(
      () => (this.#ofGroups.get(group) ?? 0) + more <= ofGroup,
      place,
      bytes,
      (other) => other.group === group,
    );
    this.#fit(
      () => this.#bytes + more <= inAll,
      place,
      bytes,
      () => true,
    );
    this.#add(place, more);
    this.#places.add(place);
  }

  giveBack(place: Place, bytes: number): void {
    this.#add(place, -bytes);
    this.#places.delete(place);
  }

  #add({ owner }: Place, bytes: number): void {
    this.#bytes += bytes;
    add(this.#ofGroups, owner.group, bytes);
    add(this.#ofOnes, keyOf(owner), bytes);
  }

  #fit(fits: () => boolean, newcomer: Place, bytes: number, among: (owner: Owner) => boolean): void {
    while (!fits()) {
      const largest = this.#makesRoom ? this.#largestComing(newcomer, among) : undefined;
      if (!largest || largest.bytes <= bytes) throw noRoom();
      largest.evict();
    }
  }

  #largestComing(newcomer: Place, among: (owner: Owner) => boolean): Place | undefined {
    let largest: Place | undefined;
    for (const place of this.#places)
      if (place !== newcomer && place.isComing && among(place.owner) && place.bytes > (largest?.bytes ?? 0)) largest = place;
    return largest;
  }
}

const add = (counts: Map<string, number>, key: string, bytes: number): void => {
  const now = (counts.get(key) ?? 0) + bytes;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
};

const keyOf = ({ group, one }: Owner): string => `${group} ${one}`;

const noRoom = (): ProblemError => {
  countRefusal('bodies under way');
  return new ProblemError('busy', 'Too much is being sent just now. Try again in a moment.', { retryAfter: 3 });
};
