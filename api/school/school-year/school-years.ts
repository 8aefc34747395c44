import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import { lockNamed, migration } from '../../../events/store/postgres/migration.ts';
import { subject } from '../../../events/school/subject.ts';
import type { Actor } from '../../actor.ts';
import { isThere, NO_SUBJECT } from '../../common/of-subject.ts';
import { ProblemError } from '../../common/problems.ts';
import { Jobs } from '../../pipeline/jobs.ts';
import { keeping, type SchoolKeys } from '../../pipeline/keeping.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { KeptSchoolYear, SchoolYearPlan } from './school-year.contract.ts';

export const migrateSchoolYears = migration(lockNamed('school years'), new URL('school-years.sql', import.meta.url));

export type SchoolYearsOptions = {
  readonly pool: Pool;
  readonly keys: SchoolKeys;
  readonly pipeline: Pick<Pipeline<'BeginSchoolYear'>, 'look'>;
};

type Row = { school_id: string; subject_id: string; version: number; at: Date; plan: Buffer; trouble: string | null; key: string | null };
type Kept = { readonly actor: Actor; readonly plan: SchoolYearPlan };
export type Due = Kept & { readonly subjectId: string; readonly version: number; readonly key: string };

/** The plans of new school years, which may be changed or dropped until they are carried out. */
export class SchoolYears {
  readonly #options: SchoolYearsOptions;
  readonly #plans: ReturnType<typeof keeping<Kept>>;

  constructor(options: SchoolYearsOptions) {
    this.#options = options;
    this.#plans = keeping(options.keys, 'school years');
  }

  async show({ schoolId }: Pick<Actor, 'schoolId'>, subjectId: string): Promise<KeptSchoolYear> {
    await this.#requireSubject(schoolId, subjectId);
    const row = await this.#row(schoolId, subjectId);
    if (!row) return { kept: null };
    const { actor, plan } = await this.#opened(row);
    return { kept: { version: row.version, plan, by: actor.name, at: row.at.toISOString(), trouble: row.trouble } };
  }

  /** @param version of the one before it, as its author saw it. @throws ProblemError if somebody else has changed it since */
  async keep(actor: Actor, subjectId: string, plan: SchoolYearPlan, version: number | null): Promise<KeptSchoolYear> {
    const { schoolId } = actor;
    await this.#requireSubject(schoolId, subjectId);
    const sealed = await this.#plans.seal(schoolId, subjectId, { actor, plan });
    const { rowCount } = await this.#options.pool.query(
      version === null
        ? `insert into operations.school_years (school_id, subject_id, version, day, plan) values ($1, $2, 1, $3, $4) on conflict do nothing`
        : `update operations.school_years set version = version + 1, at = now(), day = $3, plan = $4, trouble = null
            where school_id = $1 and subject_id = $2 and version = $5 and job_id is null`,
      version === null ? [schoolId, subjectId, plan.day, sealed] : [schoolId, subjectId, plan.day, sealed, version],
    );
    if (rowCount === 0) throw await this.#changedMeanwhile(schoolId, subjectId);
    return this.show(actor, subjectId);
  }

  /** @throws ProblemError the same */
  async drop({ schoolId }: Actor, subjectId: string, version: number): Promise<KeptSchoolYear> {
    await this.#requireSubject(schoolId, subjectId);
    const { rowCount } = await this.#options.pool.query(
      'delete from operations.school_years where school_id = $1 and subject_id = $2 and version = $3 and job_id is null',
      [schoolId, subjectId, version],
    );
    if (rowCount === 0) throw await this.#changedMeanwhile(schoolId, subjectId);
    return { kept: null };
  }

  /**
   * Carries a plan out: the one that is kept is gone with it, or stays: with what was in the way, or as it was where another was to begin.
   *
   * @throws ProblemError also if somebody else has changed the plan since, or is carrying it out
   */
  async carryOut<Result>({ actor, subjectId, plan, version, key }: Begun, work: () => Promise<Result>): Promise<Result> {
    const { schoolId } = actor;
    const { jobId } = Jobs.ids({ actor, key });
    const before = await this.#row(schoolId, subjectId);
    const { rowCount } = await this.#options.pool.query(
      `update operations.school_years set key = $4, job_id = $5, begun_at = now(), plan = $6
        where school_id = $1 and subject_id = $2 and version = $3 and coalesce(job_id, $5) = $5`,
      [schoolId, subjectId, version ?? 0, key, jobId, await this.#plans.seal(schoolId, subjectId, { actor, plan })],
    );
    if (rowCount === 0 && (version !== null || before)) throw await this.#changedMeanwhile(schoolId, subjectId);
    try {
      await this.#requireSubject(schoolId, subjectId);
      const result = await work();
      await this.end({ schoolId, subjectId, jobId });
      return result;
    } catch (error) {
      if (before && error instanceof ProblemError && error.problem.status < 500) {
        const isKept = isDeepStrictEqual((await this.#opened(before)).plan, plan);
        await this.#options.pool.query(`update operations.school_years set key = null, job_id = null, plan = $4, trouble = $5 ${OF_JOB}`, [
          schoolId,
          subjectId,
          jobId,
          before.plan,
          isKept ? troubleOf(error, actor) : before.trouble,
        ]);
      }
      throw error;
    }
  }

  /** A plan that was carried out is not kept any longer. */
  async end({
    schoolId,
    subjectId,
    jobId,
  }: {
    readonly schoolId: string;
    readonly subjectId: string;
    readonly jobId: string;
  }): Promise<void> {
    await this.#options.pool.query(`delete from operations.school_years ${OF_JOB}`, [schoolId, subjectId, jobId]);
  }

  /** Those whose day has come, and those that were begun and left by a process that ended. @param today in the school's time */
  async due(today: string): Promise<readonly Due[]> {
    const { rows } = await this.#options.pool.query<Row>(
      `select * from operations.school_years y where case when job_id is null then day <= $1 and trouble is null
          else begun_at < now() - interval '1 minute' and not exists (select from operations.jobs j where j.job_id = y.job_id) end`,
      [today],
    );
    return Promise.all(
      rows.map(async (row) => ({
        ...(await this.#opened(row)),
        subjectId: row.subject_id,
        version: row.version,
        key: row.key ?? randomUUID(),
      })),
    );
  }

  async #row(schoolId: string, subjectId: string): Promise<Row | undefined> {
    const { rows } = await this.#options.pool.query<Row>('select * from operations.school_years where school_id = $1 and subject_id = $2', [
      schoolId,
      subjectId,
    ]);
    return rows[0];
  }

  async #changedMeanwhile(schoolId: string, subjectId: string): Promise<ProblemError> {
    const { kept } = await this.show({ schoolId }, subjectId);
    return new ProblemError(
      'precondition-failed',
      kept ? `${kept.by} changed the plan meanwhile. Look at theirs first.` : 'The plan was carried out or dropped meanwhile.',
    );
  }

  async #requireSubject(schoolId: string, subjectId: string): Promise<void> {
    if (!isThere(await this.#options.pipeline.look(subject, schoolId, subjectId))) throw new ProblemError('not-found', NO_SUBJECT);
  }

  async #opened({ school_id: schoolId, subject_id: subjectId, plan }: Row): Promise<Kept> {
    return this.#plans.open(schoolId, subjectId, plan);
  }
}

const troubleOf = ({ problem }: ProblemError, actor: Actor): string => {
  const goOn = 'Look through the plan, then keep or begin it';
  if (problem.code === 'not-authenticated') return `The account of ${actor.name} is closed. ${goOn} as yours.`;
  return problem.title === NO_SUBJECT ? `The subject was deleted when the day came. ${goOn}.` : problem.title;
};

type Begun = Omit<Due, 'version'> & { readonly version: number | null };

const OF_JOB = 'where school_id = $1 and subject_id = $2 and job_id = $3';
