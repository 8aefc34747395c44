import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Status } from '../../api/contract/errors.ts';
import { keptOf, nameOf, startBackups } from '../../run/backup/schedule.ts';
import { readSettings } from '../../run/settings.ts';
import { temporaryDataDir } from '../support/marktrail.ts';
import { MASTER_KEY, SIGNING_KEY } from '../support/product.ts';
import { openSchool } from '../support/school.ts';
import { query } from '../support/query.ts';
import { until } from '../support/until.ts';

test('of two years of backups every six hours, the newest of 7 days, 4 weeks and 12 months are kept', () => {
  const newest = Date.UTC(2026, 10, 28, 18);
  const all = Array.from({ length: 2 * 365 * 4 }, (_, n) => nameOf(new Date(newest - n * 6 * 3_600_000)));
  const days = [...keptOf([...all, 'heads.ndjson'])].map((name) => name.slice('marktrail-'.length, -'Z.backup'.length)).sort();
  expect(days).toEqual([
    ...['2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30'].map((day) => `${day}T1800`),
    ...['2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31'].map((day) => `${day}T1800`),
    // Sundays, then days.
    ...['2026-11-08', '2026-11-15', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26', '2026-11-27'].map(
      (day) => `${day}T1800`,
    ),
    '2026-11-28T1800',
  ]);
});

test('a backup is made as soon as it is due, once, old ones go, and health says of when it is; one that fails is said', async () => {
  const dataDir = temporaryDataDir();
  onTestFinished(() => dataDir.remove());
  const school = await openSchool();
  onTestFinished(() => school.close());
  const said: string[] = [];
  const start = (backupDir: string) => {
    const settings = readSettings({
      DATABASE_URL: school.databaseUrl,
      DATA_DIR: dataDir.path,
      MASTER_KEY,
      SIGNING_KEY,
      BACKUP_DIR: backupDir,
    });
    return startBackups({
      settings: { ...settings, backupDir },
      databaseUrl: school.databaseUrl,
      tell: (line) => said.push(line),
      lookMs: 20,
    });
  };
  const status = async () => ((await (await (await school.as('admin')).send('/api/status')).json()) as Status).health;
  expect((await status()).facts.join()).not.toContain('backup');

  writeFileSync(join(dataDir.path, 'file'), '');
  const failing = start(join(dataDir.path, 'file'));
  await until(() => said.length > 0);
  await failing();
  expect(said).toEqual([expect.stringMatching(/^The backup failed: EEXIST/)]);
  expect(await status()).toMatchObject({ status: 'degraded', problems: [expect.stringMatching(/^The backup of \S+ \S+ UTC failed/)] });

  const backups = join(dataDir.path, 'backups');
  mkdirSync(backups);
  for (const day of [10, 11, 12, 13, 14, 15, 16]) writeFileSync(join(backups, `marktrail-2020-01-${day}T0000Z.backup`), '');
  // A failure is tried again after a tenth of the time.
  await query(school.databaseUrl, `update operations.backups set at = at - interval '3 hours'`);
  const stop = start(backups);
  await until(() => !readdirSync(backups).includes('marktrail-2020-01-10T0000Z.backup'));
  await stop();
  expect(readdirSync(backups)).toHaveLength(7);
  expect(await status()).toMatchObject({
    status: 'ok',
    facts: expect.arrayContaining([expect.stringMatching(/^The last backup is of .* and was read back at .* UTC\.$/)]),
  });
  await start(backups)();
  expect(readdirSync(backups)).toHaveLength(7);
});
