import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/postgres.ts';

/**
 * Every change of a cell stays in its row, some 36 characters each. All rows of a large file at once are 45 MB here before they are looked
 * at, as much again when they are changed, and once more as parameters. (After some hundred uploads that was all the memory there is.)
 */
test('a file of 15,000 marks over cells that were uploaded many times, its undo, and another paper need little memory', async () => {
  const database = await testDatabase();
  const worker = new Worker(new URL('long-histories.worker.ts', import.meta.url), {
    workerData: { url: database.url, uploads: 81, students: 300, questions: 50 },
    resourceLimits: { maxOldGenerationSizeMb: 110 },
  });
  try {
    const [{ cells, onPaper }] = (await once(worker, 'message')) as [
      { cells: readonly { mark: number; changes: number }[]; onPaper: readonly number[] },
    ];
    expect(cells).toEqual(Array.from({ length: 20 }, () => ({ mark: 0, changes: 82 })));
    expect(onPaper).toEqual([49]);
  } finally {
    await worker.terminate();
    await database.drop();
  }
});
