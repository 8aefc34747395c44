import type { Pool } from 'pg';
import type { EventStore } from '../../events/store/port.ts';
import type { Projection } from '../../projections/engine/projection.ts';
import type { AsOf } from '../../projections/engine/as-of/as-of.ts';
import type { Compared } from '../../projections/engine/as-of/compare-school.ts';
import { buildStatuses, lagsAt } from '../../projections/engine/announcing/status.ts';
import type { Actor } from '../actor.ts';
import { ProblemError } from '../common/problems.ts';
import type { ReadModels as Answer, WorkProgress } from '../contract/read-models.ts';
import { purposes } from './purposes.ts';
import { ReadModelWork, type Work } from './read-model-work.ts';

export type ReadModelsOptions = {
  /** the owner's: the engine's own tables are closed to readers */
  readonly pool: Pool;
  readonly store: Pick<EventStore, 'head' | 'readAll'>;
  readonly asOf: Pick<AsOf, 'compare'>;
  /** Those that a school's events are folded into. */
  readonly compared: readonly Projection[];
  readonly rebuild: (name: string, onProgress: (fraction: number) => void) => Promise<void>;
  /** The e-mail addresses of the admins who may rebuild where there are several schools. */
  readonly rebuilders: readonly string[];
};

/** The read models: how they are, compared with a fold of the school's events, rebuilt. One of each at a time, in whichever process. */
export class ReadModels {
  readonly #options: ReadModelsOptions;
  readonly #work: ReadModelWork;

  constructor(options: ReadModelsOptions) {
    this.#options = options;
    this.#work = new ReadModelWork(options.pool);
  }

  async show(actor: Actor): Promise<Answer> {
    const { pool, store } = this.#options;
    const [builds, works, mayRebuild] = await Promise.all([buildStatuses(pool), this.#work.of(actor.schoolId), this.#mayRebuild(actor)]);
    const served = builds.filter(({ serving }) => serving);
    const lags = await lagsAt(
      store,
      await store.head(),
      served.map(({ position }) => position),
    );
    const compared = works.find(({ kind, result }) => kind === 'comparison' && result !== null);
    const last = works.find(({ isRunning }) => !isRunning);
    return {
      mayRebuild,
      models: served.map(({ name, state, position, begunAt }) => ({
        name,
        purpose: purposes[name] ?? '',
        state,
        builtAt: begunAt,
        position: String(position),
        behind: lags.get(position) ?? { events: 0, orMore: false, seconds: 0 },
        rebuilding: progressOf(works.find((work) => work.kind === 'rebuild' && work.model === name && work.isRunning)),
      })),
      comparing: progressOf(works.find(({ kind, isRunning }) => kind === 'comparison' && isRunning)),
      compared: compared ? { at: compared.at, by: compared.by, models: compared.result ?? [] } : null,
      trouble: last && last.result === null ? (last.trouble ?? INTERRUPTED) : null,
    };
  }

  /** Begins to compare; `show` says how far it is. @throws ProblemError `conflict` */
  async compare({ schoolId, accountId }: Actor): Promise<void> {
    const { asOf, compared } = this.#options;
    await this.#work.begin({ kind: 'comparison', schoolId, accountId, model: null }, async (onProgress) =>
      (await asOf.compare({ schoolId, accountId }, compared, onProgress)).map(summed),
    );
  }

  /** Begins to rebuild; `show` says how far it is. @throws ProblemError `forbidden`, `not-found`, `conflict` */
  async rebuild(actor: Actor, name: string): Promise<void> {
    const { schoolId, accountId } = actor;
    if (!(await this.#mayRebuild(actor)))
      throw new ProblemError(
        'forbidden',
        'The read models are those of all schools here: only whom the operator has named may rebuild them.',
      );
    if (purposes[name] === undefined) throw new ProblemError('not-found', 'There is no such read model.');
    await this.#work.begin({ kind: 'rebuild', schoolId, accountId, model: name }, async (onProgress) => {
      await this.#options.rebuild(name, (fraction) => void onProgress({ done: Math.round(fraction * 100), total: 100 }));
      return [];
    });
  }

  /** Fulfilled when nothing is under way in this process. */
  settled(): Promise<void> {
    return this.#work.settled();
  }

  async #mayRebuild({ role, email }: Actor): Promise<boolean> {
    if (role !== 'admin') return false;
    if (this.#options.rebuilders.includes(email.toLowerCase())) return true;
    const { rows } = await this.#options.pool.query('select from read.schools limit 2');
    return rows.length === 1;
  }
}

const INTERRUPTED = 'It was interrupted, because Marktrail was stopped. Start it again.';

const progressOf = (work: Work | undefined): WorkProgress | null => (work ? { done: work.done, total: work.total } : null);

const summed = ({ model, tables }: Compared): { name: string; rows: number; differing: number } => ({
  name: model,
  rows: tables.reduce((sum, { rows }) => sum + rows.shown, 0),
  differing: tables.reduce((sum, { differences }) => sum + differences, 0),
});
