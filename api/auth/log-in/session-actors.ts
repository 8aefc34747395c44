import type { Pool } from 'pg';
import { together } from '../../../events/store/together.ts';
import type { Actor } from '../../actor.ts';
import { sessionQuery } from './sessions.ts';

const MOST_TOGETHER = 64;
const MOST_REMEMBERED = 5_000;

/** The accounts behind sessions. */
export class SessionActors {
  readonly #pool: Pool;
  /** As last looked up, by token. Emptied when full, so that memory stays bounded. */
  readonly #last = new Map<string, Actor>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * The account of a session with its current role, subjects and sets; undefined: nobody is signed in. Needed for every request, so
   * simultaneous requests share a query that begins after all of them have arrived.
   */
  readonly now = together(
    MOST_TOGETHER,
    async (tokens: readonly string[]) => {
      const { rows } = await this.#pool.query<object>({ name: 'actors', text: sessionQuery.sql('$1', '$2'), values: [null, tokens] });
      const actors = sessionQuery.actors(rows, tokens);
      if (this.#last.size > MOST_REMEMBERED) this.#last.clear();
      tokens.forEach((token, n) => {
        const actor = actors[n];
        if (actor) this.#last.set(token, actor);
        else this.#last.delete(token);
      });
      return actors;
    },
    1,
  );

  /** The account as it was when the session was last looked up. */
  last(token: string): Actor | undefined {
    return this.#last.get(token);
  }
}
