import type { Model, ModelProgress } from '../common/models.ts';

export type RightsOptions = Pick<ModelProgress, 'positions' | 'waitFor'>;

/** How long a reader waits for read models. */
export const READ_WAIT_MS = 2_000;

/** What the rights of a user are read from (api/auth/log-in/session-actors.ts), and whom they may view the site as (view-as.ts). */
const MODELS: readonly Model[] = ['accounts', 'structure', 'roster'];

/**
 * Waits for the rights at a position, so that a right that was just given counts. If one of their read models has stopped, the first readers
 * wait in vain; later ones do not wait until it moves again, and get the rights of now.
 */
export class Rights {
  readonly #options: RightsOptions;
  /** the position of each when it was waited for in vain, although others had reached the requested one */
  readonly #leftAt = new Map<Model, bigint | undefined>();

  constructor(options: RightsOptions) {
    this.#options = options;
  }

  /** Fulfilled when they are there, or too late. */
  async waitFor(position: bigint): Promise<void> {
    const { positions, waitFor } = this.#options;
    const before = positions();
    const moving = MODELS.filter((model) => !this.#leftAt.has(model) || this.#leftAt.get(model) !== before.get(model));
    await waitFor(moving, position, READ_WAIT_MS).catch(() => {
      const now = positions();
      const has = (reached: bigint | undefined): boolean => reached !== undefined && reached >= position;
      if (!now.values().some(has)) return;
      // One that has moved may only be slow.
      for (const model of moving) if (!has(now.get(model)) && now.get(model) === before.get(model)) this.#leftAt.set(model, now.get(model));
    });
  }
}
