import type pg from 'pg';
import { CHANNEL, merged, payloadsOf, type Announcement } from './announcement.ts';
import type { Progress } from './progress.ts';
import { BACKOFF, pause, waitBefore } from '../../../events/async/backoff.ts';

/**
 * Announces what was committed: in this process at once, to others by NOTIFY, on a separate connection after the commit (within the
 * transaction, a full notification queue would fail the commit). Announcements during a NOTIFY are merged into the next one; one that fails
 * is sent again, because nothing may be committed after it for hours.
 */
export class Announcer {
  readonly #pool: pg.Pool;
  readonly #progress: Progress;
  #gathered: Announcement[] = [];
  #busy = false;
  #sending: Promise<void> | undefined;
  readonly #ending = new AbortController();

  constructor(pool: pg.Pool, progress: Progress) {
    this.#pool = pool;
    this.#progress = progress;
  }

  announce(announcement: Announcement): void {
    this.#progress.committed(announcement);
    this.#gathered.push(announcement);
    if (this.#busy) return;
    this.#busy = true;
    this.#sending = this.#send();
  }

  /** Announces what is left, if the database is there, and makes no further attempts. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.#sending;
  }

  async #send(): Promise<void> {
    for (let attempt = 1; this.#gathered.length > 0;) {
      const all = merged(this.#gathered);
      this.#gathered = [];
      try {
        await this.#pool.query({
          name: 'notify',
          text: `select pg_notify('${CHANNEL}', p) from unnest($1::text[]) p`,
          values: [payloadsOf(all, this.#progress.origin)],
        });
        attempt = 1;
      } catch {
        // Meanwhile, requests that wait for a position look it up.
        this.#gathered.unshift(all);
        if (this.#ending.signal.aborted) break;
        await pause(waitBefore(attempt++, { ...BACKOFF, longestMs: LONGEST_MS }), this.#ending.signal);
      }
    }
    this.#busy = false;
  }
}

const LONGEST_MS = 5_000;
