import type pg from 'pg';
import { CHANNEL, merged, payloadsOf, type Announcement } from './announcement.ts';
import type { Progress } from '../progress.ts';

/**
 * Announces what was committed: in this process at once, to others by NOTIFY, on a separate connection after the commit (within the
 * transaction, a full notification queue would fail the commit). Announcements during a NOTIFY are merged into the next one.
 */
export class Announcer {
  readonly #pool: pg.Pool;
  readonly #progress: Progress;
  #gathered: Announcement[] = [];
  #busy = false;
  #sending: Promise<void> | undefined;

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

  /** Fulfilled when everything was announced. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#gathered.length > 0) {
      const all = merged(this.#gathered);
      this.#gathered = [];
      try {
        await this.#pool.query({
          name: 'notify',
          text: `select pg_notify('${CHANNEL}', p) from unnest($1::text[]) p`,
          values: [payloadsOf(all, this.#progress.origin)],
        });
      } catch {
        // Sent with the next one. Until then, requests that wait for a position look it up.
        this.#gathered.unshift(all);
        break;
      }
    }
    this.#busy = false;
  }
}
