import { tmpdir } from 'node:os';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { diskState, roomIn } from '../../run/disk.ts';
import { openSchool } from '../support/school.ts';

const room = { free: 52.14e9, total: 252e9, database: 31e6, isHere: true };

test('health says how much room there is, and before it is gone what then stops', async () => {
  const { databaseUrl, close } = await openSchool();
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  onTestFinished(async () => void (await Promise.all([pool.end(), close()])));
  const { free, total, database } = await roomIn(pool, tmpdir());
  expect([free > 0, free < total, database > 1e6]).toEqual([true, true, true]);
  expect(diskState(room)).toEqual({ disk: '52.1 GB of 252.0 GB are free on the disk of DATA_DIR. The database takes 31 MB there.' });
  expect(diskState({ ...room, free: 0.9e9 }).problem).toBe(
    'The disk of DATA_DIR has 900 MB left: make room there. Once it is full, nothing can be stored, and no backup is made.',
  );
  expect(diskState({ ...room, free: 4e6, isHere: false }).problem).toBe(
    'The disk of DATA_DIR has 4 MB left: make room there. Once it is full, no head is kept, and no backup is made.',
  );
});
