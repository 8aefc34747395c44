import type { Role } from '../../../events/codec/event.ts';
import { ProblemError } from '../../common/problems.ts';
import { countRefusal } from '../../common/refusals.ts';

const MB = 1024 * 1024;
/** Six of the largest uploads; a student's marks are some kB each. Of a network without sessions: a thousand log-ins are 0.3 MB. */
const MOST = { staff: 48 * MB, student: 2 * MB, stranger: 8 * MB };
/** In bytes. `stranger`: a network without a session. */
export type MostPerMinute = { readonly [who in keyof typeof MOST]: number };
const MINUTE_MS = 60_000;
const LIMIT = 'bytes in a minute';

/** How many bytes each account, or network without a session, has sent in this minute. Counted by each process for itself. */
export class BytesPerMinute {
  readonly #bytes = new Map<string, number>();
  readonly #most: MostPerMinute;
  #since = performance.now();

  constructor(most: MostPerMinute = MOST) {
    this.#most = most;
  }

  /** Counts nothing. @throws ProblemError `too-fast` if so much more would be too much */
  check(who: string, role: Role | undefined, more: number): void {
    const now = performance.now();
    if (now - this.#since > MINUTE_MS) {
      this.#bytes.clear();
      this.#since = now;
    }
    const most = this.#most[role === undefined ? 'stranger' : role === 'student' ? 'student' : 'staff'];
    if ((this.#bytes.get(who) ?? 0) + more <= most) return;
    countRefusal(LIMIT);
    throw new ProblemError('too-fast', 'That is a lot for one minute. Nothing was changed: try again in a moment.', {
      retryAfter: Math.ceil((MINUTE_MS - (now - this.#since)) / 1000),
      limit: LIMIT,
    });
  }

  /** @throws ProblemError `too-fast` */
  count(who: string, role: Role | undefined, bytes: number): void {
    this.check(who, role, bytes);
    this.#bytes.set(who, (this.#bytes.get(who) ?? 0) + bytes);
  }
}
