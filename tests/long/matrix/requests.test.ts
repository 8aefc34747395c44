import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openWorld } from '../../matrix/world.ts';
import { madeOnce } from '../../support/made-once.ts';
import type { Ids, RoleName } from '../../support/school.ts';
import { roles } from '../../support/school.ts';
import type { Variant } from './variants.ts';
import type { Things } from './things.ts';
import { variantsOf } from './variants.ts';

/** What a kept world says of itself. */
export type KeptWorld = {
  /** when it was made, in milliseconds */
  readonly at: number;
  readonly database: string;
  readonly emails: Readonly<Record<string, string>>;
  readonly ids: Ids;
  readonly accounts: Readonly<Record<RoleName, string>>;
  readonly things: Things;
  readonly variants: readonly Variant[];
};

/** RECORD_WORLD: the directory in which the world is kept for record.ts, with all requests. */
const kept = process.env['RECORD_WORLD'];
const world = await openWorld();
afterAll(() => world.close());

test('every request has ids of each kind', async () => {
  const { school } = world;
  const { variants, things } = await variantsOf(world);
  expect(variants.length).toBeGreaterThan(1);
  console.log(variants.length, variants.filter(({ reads }) => reads).length);
  if (kept === undefined) return;
  const { ids, accounts } = school;
  const emails = Object.fromEntries(roles.map((role) => [role, school.email(role)]));
  const {
    rows: [{ data_directory: cluster } = { data_directory: '' }],
  } = await inCluster('show data_directory');
  await inCluster('checkpoint');
  mkdirSync(kept, { recursive: true });
  for (const name of ['postgres', 'postgres.json']) cpSync(join(dirname(cluster), name), join(kept, 'cluster', name), { recursive: true });
  writeFileSync(
    join(kept, 'world.json'),
    JSON.stringify({
      at: Date.now(),
      database: new URL(school.databaseUrl).pathname.slice(1),
      emails: { ...emails, neighbour: world.neighbour.email('admin') },
      ids,
      accounts,
      things,
      variants,
    }),
  );
});

const inCluster = async (sql: string) => {
  const client = new pg.Client({ connectionString: (await madeOnce('postgres')).superuserUrl });
  await client.connect();
  return client.query<{ data_directory: string }>(sql).finally(() => client.end());
};
