import type { Pool } from 'pg';
import type { Actor } from '../../actor.ts';
import { isOfProfile } from './bearer.ts';
import { batched } from '../../../events/async/batcher.ts';

/**
 * The current accounts of sessions, as a query that can run alone or as part of another: its SQL, given the placeholders of school and
 * sessions, and the conversion of its rows to an actor for each session; undefined: none.
 */
export const sessionQuery = {
  sql: (school: string, sessions: string): string => actorsOf(school, sessions),
  actors(rows: readonly unknown[], sessions: readonly string[]): (Actor | undefined)[] {
    const actors = new Map((rows as readonly ActorRow[]).map((row) => [row.token, actorOf(row)]));
    return sessions.map((session) => actors.get(session));
  },
};

type ActorRow = Omit<Actor, 'name' | 'email' | 'subjectIds' | 'setIds'> & {
  readonly token: string;
  readonly name: string | null;
  readonly email: string | null;
  /** the teacher records of the account */
  readonly works: readonly { readonly subjectId: string; readonly setIds: readonly string[] }[];
};

const actorOf = ({ token, works, name, email, ...row }: ActorRow): Actor => ({
  ...row,
  ...(isOfProfile(token) ? { byProfileToken: true } : {}),
  name: name ?? '',
  email: email ?? '',
  subjectIds: [...new Set(works.map(({ subjectId }) => subjectId))],
  setIds: [...new Set(works.flatMap(({ setIds }) => setIds))],
});

/**
 * Session, account and rights in one query: a demotion takes effect with the next request. A removed teacher record gives no rights.
 * `school`: the school of the reading role; null for the owner. `offset 0`: each record by its key; otherwise all of the school's are read
 * for each session.
 */
const actorsOf = (school: string, sessions: string): string => `
select s.token, a.account_id as "accountId", a.school_id as "schoolId", coalesce(s.role, a.role) as role, a.name, a.email, a.student_id as "studentId",
  coalesce(s.role, a.role) = 'leader'
    and exists (select from read.schools o where o.school_id = a.school_id and o.structure_open) as configures,
  (select coalesce(json_agg(json_build_object('subjectId', r.subject_id, 'setIds', r.set_ids)), '[]')
     from json_array_elements(a.teachers) t
    cross join lateral (select * from read.teachers r where r.school_id = a.school_id and r.teacher_id = (t ->> 'teacherId')::uuid offset 0) r) as works
from identity.signed_in(${sessions}) s
join read.accounts a on a.school_id = s.school_id and a.account_id = s.account_id
where a.school_id = coalesce(${school}, a.school_id) and not a.closed`;

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
  readonly now = batched(
    MOST_TOGETHER,
    async (tokens: readonly string[]) => {
      const { rows } = await this.#pool.query<object>(sessionQuery.sql('$1', '$2'), [null, tokens]);
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

/** After how many minutes without use a session ends; 0: not at all. */
export type Idle = { readonly staff: number; readonly students: number };

/** Slightly more than the minute within which the database refuses another write. */
const EVERY_MS = 61_000;

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
    // If the database is away, the next request notes it again.
    this.#write(token).catch(() => this.#noted.delete(token));
  }

  /** A session that has ended stays ended. */
  readonly #write = batched(MOST_TOGETHER, async (tokens: readonly string[]) => {
    await this.#pool.query(
      `update identity."session" s
          set "usedAt" = now(), "idleAt" = case when idle.minutes = 0 or s.token like 'bearer:%' then 'infinity' else now() + make_interval(mins => idle.minutes) end
         from identity."user" u, lateral (select case when u."studentId" is null then $2::int else $3::int end as minutes) idle
        where u.id = s."userId" and s.token = any($1::text[]) and s."idleAt" > now()
          and (s."usedAt" is null or s."usedAt" < now() - interval '1 minute')`,
      [tokens, this.#idle.staff, this.#idle.students],
    );
    return tokens.map(() => undefined);
  });
}
