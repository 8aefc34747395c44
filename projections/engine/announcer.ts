import type pg from 'pg';
import { CHANNEL, merged, payloadsOf, type Announcement } from './announcement.ts';
import type { Progress } from './progress.ts';

/**
 * Tells what was committed: this process at once, others by NOTIFY, on a connection of its own after the commit (inside the transaction
 * a full queue would fail the rows). While one NOTIFY is on its way, the next ones gather into one.
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

  tell(announcement: Announcement): void {
    this.#progress.committed(announcement);
    this.#gathered.push(announcement);
    if (this.#busy) return;
    this.#busy = true;
    this.#sending = this.#send();
  }

  /** Fulfilled when all has been told. */
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
        // Goes out with the next one. Who waits for a position looks it up meanwhile.
        this.#gathered.unshift(all);
        break;
      }
    }
    this.#busy = false;
  }
}
