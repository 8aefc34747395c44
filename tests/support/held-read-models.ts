import pg from 'pg';
import { expect, onTestFinished, vi } from 'vitest';
import type { School } from './school.ts';

/**
 * Nothing that is stored from now on shows until `release`, or the end of the test: the read models wait for a row that a projector takes
 * first.
 *
 * `until`: resolves once a command or a query waits for them, or `asked` was answered without.
 */
export const holdReadModels = async ({ databaseUrl, backend: { progress } }: Pick<School, 'databaseUrl' | 'backend'>) => {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  await database.query(`begin; select from read.checkpoint where projection = 'results' for update`);
  const waited = vi.spyOn(progress, 'waitFor');
  const reached = progress.positions().get('results') ?? 0n;
  let released: Promise<void> | undefined;
  const release = (): Promise<void> => {
    waited.mockRestore();
    return (released ??= database.end());
  };
  onTestFinished(release);
  return {
    until: async (asked: Promise<unknown>): Promise<void> => {
      let isAnswered = false;
      const answered = (): void => void (isAnswered = true);
      asked.then(answered, answered);
      const isWaiting = () => waited.mock.calls.some(([models, position]) => models.includes('results') && position > reached);
      await expect.poll(() => isAnswered || isWaiting()).toBe(true);
    },
    release,
  };
};
