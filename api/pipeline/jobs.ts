import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { commandId } from '../../events/codec/ids.ts';
import { lockNamed, migration } from '../../events/store/postgres/migration.ts';
import type { Actor } from '../actor.ts';
import { ProblemError } from '../common/problems.ts';
import type { CommandAnswer } from '../contract/live.ts';
import { keeping, type SchoolKeys } from './keeping.ts';
import type { Pipeline, Request } from './pipeline.ts';

export const migrateJobs = migration(lockNamed('jobs'), new URL('jobs.sql', import.meta.url));

/** A command of a job. */
export type Step<Name extends string> = { readonly name: Name; readonly body: object };

export type JobsOptions<Name extends string> = {
  readonly pool: Pool;
  readonly keys: SchoolKeys;
  readonly pipeline: Pick<Pipeline<Name>, 'authorise' | 'execute' | 'holds' | 'requireStanding'>;
  /** The command that undoes a step; undefined: it is for good, and so the last of its job. */
  readonly undo: (step: Step<Name>, commandId: string) => Step<Name> | undefined;
};

type Plan<Name extends string> = {
  readonly actor: Actor;
  readonly steps: readonly Step<Name>[];
  /** What it is done because of: the act that it undoes. */
  readonly cause?: string;
};

/**
 * Jobs: acts that write to several streams, all of it or nothing. The steps are kept, sealed, until the last is done, so that a start after a
 * crash finishes what was begun; each is a command whose id follows from the job's, and so is done once however often it is tried. If one is
 * refused, those before it are undone. All events of a job have its id as their `correlationId`.
 */
export class Jobs<Name extends string> {
  readonly #options: JobsOptions<Name>;
  readonly #plans: ReturnType<typeof keeping<Plan<Name>>>;
  readonly #underWay = new Set<string>();

  constructor(options: JobsOptions<Name>) {
    this.#options = options;
    this.#plans = keeping(options.keys, 'jobs');
  }

  /** The id of the job that a request begins, and the ids of its steps. */
  static ids({ actor, key }: { readonly actor: Actor; readonly key: string }): {
    readonly jobId: string;
    readonly step: (index: number) => string;
  } {
    const jobId = commandId(actor.accountId, key);
    return { jobId, step: (index) => commandId(actor.accountId, keyOf(jobId, index)) };
  }

  /**
   * `steps` follow from the request alone, so that a repeated one finds its job again.
   *
   * @throws ProblemError when a step is refused: nothing is changed then; or when it cannot go on now: it is finished later
   */
  async run(
    { actor, key = randomUUID() }: Request,
    steps: readonly Step<Name>[],
    cause?: string,
  ): Promise<readonly CommandAnswer<unknown>[]> {
    for (const { name } of steps) this.#options.pipeline.authorise(name, actor);
    await this.#options.pipeline.requireStanding(actor);
    const { jobId } = Jobs.ids({ actor, key });
    const plan = { actor, steps, ...(cause === undefined ? {} : { cause }) };
    const sealed = await this.#plans.seal(actor.schoolId, jobId, plan);
    await this.#options.pool.query('insert into operations.jobs (job_id, school_id, plan) values ($1, $2, $3) on conflict do nothing', [
      jobId,
      actor.schoolId,
      sealed,
    ]);
    return this.#carryOut(jobId, plan, { isNew: true });
  }

  /** Whether the request has begun its job already. */
  async holds({ actor, key }: Request, [first]: readonly Step<Name>[]): Promise<boolean> {
    if (key === undefined || first === undefined) return false;
    const { jobId } = Jobs.ids({ actor, key });
    return this.#options.pipeline.holds(first.name, { actor, key: keyOf(jobId, 0), body: first.body });
  }

  /** Finishes what was begun so many seconds ago, before a crash or an outage. `tell`: about a job that cannot be finished now. */
  async goOn(tell: (error: unknown) => void, seconds: number): Promise<void> {
    const { rows } = await this.#options.pool.query<{ job_id: string; school_id: string; plan: Buffer; refused: boolean }>(
      'select job_id, school_id, plan, refused from operations.jobs where at <= now() - make_interval(secs => $1) order by at',
      [seconds],
    );
    for (const { job_id: jobId, school_id, plan, refused } of rows) {
      if (this.#underWay.has(jobId)) continue;
      try {
        const known = await this.#plans.open(school_id, jobId, plan);
        await (refused ? this.#takeBack(jobId, known) : this.#carryOut(jobId, known, { isNew: false }));
      } catch (error) {
        if (!isRefusal(error)) tell(error);
      }
    }
  }

  /** @param isNew its author's standing is checked once more, as the first step asks for it; later steps are begun */
  async #carryOut(jobId: string, plan: Plan<Name>, how: { readonly isNew: boolean }): Promise<CommandAnswer<unknown>[]> {
    this.#underWay.add(jobId);
    try {
      return await this.#steps(jobId, plan, how);
    } finally {
      this.#underWay.delete(jobId);
    }
  }

  async #steps(jobId: string, plan: Plan<Name>, { isNew }: { readonly isNew: boolean }): Promise<CommandAnswer<unknown>[]> {
    const answers: CommandAnswer<unknown>[] = [];
    for (const [index, step] of plan.steps.entries()) {
      try {
        answers.push(await this.#step(jobId, plan, step, { key: keyOf(jobId, index), begun: !isNew || index > 0 }));
      } catch (error) {
        if (isRefusal(error)) await this.#takeBack(jobId, plan);
        throw error;
      }
    }
    await this.#end(jobId);
    return answers;
  }

  async #takeBack(jobId: string, plan: Plan<Name>): Promise<void> {
    await this.#options.pool.query('update operations.jobs set refused = true where job_id = $1', [jobId]);
    for (const [index, step] of [...plan.steps.entries()].toReversed()) {
      const key = keyOf(jobId, index);
      const undo = this.#options.undo(step, commandId(plan.actor.accountId, key));
      if (!undo) continue;
      // A step that was not done is refused: there is no such change.
      await this.#step(jobId, plan, undo, { key: `${key} undone`, begun: true }).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
    }
    await this.#end(jobId);
  }

  #step(
    jobId: string,
    { actor, cause }: Plan<Name>,
    { name, body }: Step<Name>,
    how: { readonly key: string; readonly begun: boolean },
  ): Promise<CommandAnswer<unknown>> {
    return this.#options.pipeline.execute(name, { actor, body, ...how, partOf: { jobId, cause } });
  }

  async #end(jobId: string): Promise<void> {
    await this.#options.pool.query('delete from operations.jobs where job_id = $1', [jobId]);
  }
}

const keyOf = (jobId: string, index: number): string => `${jobId} ${index}`;

/** Decided against, whenever it is tried again. */
const isRefusal = (error: unknown): boolean => error instanceof ProblemError && error.problem.status < 500 && error.problem.status !== 429;
