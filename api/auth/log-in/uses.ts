import type { Pool } from 'pg';
import { together } from '../../../events/store/together.ts';

/** After how many minutes without use a session ends; 0: not at all. */
export type Idle = { readonly staff: number; readonly students: number };

/** A little more than the minute within which the database refuses another write. */
const EVERY_MS = 61_000;
const MOST_TOGETHER = 64;
const MOST_REMEMBERED = 5_000;

/** Notes when sessions are used, at most once a minute each and beside the requests, which do not wait for it. */
export class Uses {
  readonly #pool: Pool;
  readonly #idle: Idle;
  /** When each was last noted here, by token. Emptied when full: the database refuses what is too often. */
  readonly #noted = new Map<string, number>();

  constructor(pool: Pool, idle: Idle) {
    this.#pool = pool;
    this.#idle = idle;
  }

  note(token: string): void {
    const now = performance.now();
    if (now - (this.#noted.get(token) ?? -Infinity) < EVERY_MS) return;
    if (this.#noted.size > MOST_REMEMBERED) this.#noted.clear();
    this.#noted.set(token, now);
    // A database that is away makes no use of it either; the next request notes it again.
    this.#write(token).catch(() => this.#noted.delete(token));
  }

  /** What has ended stays ended. */
  readonly #write = together(MOST_TOGETHER, async (tokens: readonly string[]) => {
    await this.#pool.query(
      `update identity."session" s
          set "usedAt" = now(), "idleAt" = case idle.minutes when 0 then 'infinity' else now() + make_interval(mins => idle.minutes) end
         from identity."user" u, lateral (select case when u."studentId" is null then $2::int else $3::int end as minutes) idle
        where u.id = s."userId" and s.token = any($1::text[]) and s."idleAt" > now()
          and (s."usedAt" is null or s."usedAt" < now() - interval '1 minute')`,
      [tokens, this.#idle.staff, this.#idle.students],
    );
    return tokens.map(() => undefined);
  });
}
