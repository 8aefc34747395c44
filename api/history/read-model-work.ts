import type { Pool } from 'pg';
import { AsOfBusy } from '../../projections/engine/as-of/busy.ts';
import { RebuildFailed } from '../../projections/engine/rebuild.ts';
import { ProblemError } from '../common/problems.ts';
import type { WorkProgress } from '../contract/read-models.ts';

type Wanted = {
  readonly kind: 'comparison' | 'rebuild';
  readonly schoolId: string;
  readonly accountId: string;
  /** of a rebuild */
  readonly model: string | null;
};
/** Of a comparison, by read model; of a rebuild: none. */
type Result = readonly { readonly name: string; readonly rows: number; readonly differing: number }[];
export type Work = Pick<Wanted, 'kind' | 'model'> &
  WorkProgress & {
    readonly at: string;
    readonly by: string | null;
    readonly isRunning: boolean;
    readonly result: Result | null;
    readonly trouble: string | null;
  };

/** Comparisons and rebuilds that were begun from a page: kept with the operator's tables, so that every process can say how far they are. */
export class ReadModelWork {
  readonly #pool: Pool;
  readonly #underWay = new Set<Promise<void>>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The school's, and all rebuilds that are under way; the newest first. */
  async of(schoolId: string): Promise<Work[]> {
    const { rows } = await this.#pool.query<Omit<Work, 'at'> & { readonly at: Date }>(
      `select w.kind, w.model, coalesce(w.ended_at, w.begun_at) as at, a.name as by, w.done, w.total, w.result, w.trouble,
              ${IS_RUNNING} as "isRunning"
         from operations.read_model_work w left join read.accounts a on a.school_id = w.school_id and a.account_id = w.account_id
        where w.school_id = $1 or ${IS_RUNNING} and w.kind = 'rebuild'
        order by w.number desc limit 50`,
      [schoolId],
    );
    return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }

  /** @throws ProblemError `conflict`: the same is under way */
  async begin(
    { kind, schoolId, accountId, model }: Wanted,
    work: (onProgress: (progress: WorkProgress) => Promise<void>) => Promise<Result>,
  ): Promise<void> {
    const { rows } = await this.#pool.query<{ number: string }>(
      `insert into operations.read_model_work as w (kind, school_id, account_id, model)
       select $1, $2, $3, $4 where not exists (
         select from operations.read_model_work w
          where kind = $1 and (model = $4 or model is null and school_id = $2) and ${IS_RUNNING})
       returning number`,
      [kind, schoolId, accountId, model],
    );
    const number = rows[0]?.number;
    if (number === undefined) throw new ProblemError('conflict', 'This is under way already.');
    let progress: WorkProgress = { done: 0, total: 0 };
    const tell = (): Promise<unknown> =>
      this.#pool.query('update operations.read_model_work set seen_at = now(), done = $2, total = $3 where number = $1', [
        number,
        progress.done,
        progress.total,
      ]);
    const beating = setInterval(() => void tell().catch(() => undefined), BEAT_MS);
    const end = (result: Result | null, trouble: string | null): Promise<unknown> =>
      this.#pool.query('update operations.read_model_work set ended_at = now(), result = $2, trouble = $3 where number = $1', [
        number,
        result && JSON.stringify(result),
        trouble,
      ]);
    const under: Promise<void> = work(async (now) => void (progress = now))
      .then(
        (result) => end(result, null),
        (error: unknown) => end(null, troubleOf(error)),
      )
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        clearInterval(beating);
        this.#underWay.delete(under);
      });
    this.#underWay.add(under);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

const BEAT_MS = 500;
/** A process that has said nothing for this long is gone. */
const IS_RUNNING = `(w.ended_at is null and w.seen_at > now() - interval '15 seconds')`;

/** A sentence about a failure, without what the database said. */
const troubleOf = (error: unknown): string =>
  error instanceof AsOfBusy || error instanceof RebuildFailed ? error.message : 'It has failed. The read models are unchanged.';
