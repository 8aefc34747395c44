import { expect } from 'vitest';
import type { Backend } from '../../run/backend.ts';
import { MarksByFold } from './fold-check.ts';
import { MASTER_KEY } from './product.ts';

/** Compares the read models of marks with a fold of the log, once they have reached its head. */
export const expectMarksAsInLog = async (backend: Backend, databaseUrl: string): Promise<void> => {
  await backend.progress.waitFor(['results'], await backend.store.head(), 30_000);
  const fold = await MarksByFold.open({ databaseUrl, dataDir: '/nowhere', masterKey: MASTER_KEY });
  try {
    expect(await fold.differences()).toEqual([]);
  } finally {
    await fold.close();
  }
};
