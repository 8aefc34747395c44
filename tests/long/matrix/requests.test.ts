import { cpSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withClient } from '../../../run/with-client.ts';
import { offeredBy } from '../../matrix/asking.ts';
import { openWorld } from '../../matrix/world.ts';
import { madeOnce } from '../../support/made-once.ts';
import { roles } from '../../support/school.ts';
import { kinds } from './things.ts';
import type { KeptWorld } from './variants.ts';
import { isRecorded, variantsOf } from './variants.ts';

/** The directory in which the world is kept, with all requests, for record.ts. */
const kept = process.env['RECORD_WORLD'];
const world = await openWorld();
afterAll(() => world.close());

test('there is a request of every address about each kind of thing, wherever it may be', async () => {
  const { variants, things } = await variantsOf(world);
  const recorded = new Set(variants.map(({ route }) => route.split(' ').slice(0, 2).join(' ')));
  expect((await offeredBy(world.school)).filter((route) => isRecorded(route) && !recorded.has(route))).toEqual([]);
  const everywhere = ['other subject', 'other school', 'removed', 'of a removed subject', 'nowhere'] as const;
  const lacking = kinds.flatMap((kind) => everywhere.flatMap((place) => (things[place][kind] === undefined ? [`${kind} ${place}`] : [])));
  expect(lacking).toEqual(['subject of a removed subject']);
  if (kept !== undefined) await keep(kept, { variants, things });
});

const keep = async (directory: string, made: Pick<KeptWorld, 'variants' | 'things'>): Promise<void> => {
  const { school, neighbour } = world;
  const cluster = await withClient((await madeOnce('postgres')).superuserUrl, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    await client.query('checkpoint');
    return rows[0]?.data_directory ?? '';
  });
  for (const name of ['postgres', 'postgres.json'])
    cpSync(join(dirname(cluster), name), join(directory, 'cluster', name), { recursive: true });
  const of: KeptWorld = {
    at: Date.now(),
    database: new URL(school.databaseUrl).pathname.slice(1),
    emails: { ...Object.fromEntries(roles.map((role) => [role, school.email(role)])), neighbour: neighbour.email('admin') },
    ids: school.ids,
    accounts: school.accounts,
    ...made,
  };
  writeFileSync(join(directory, 'world.json'), JSON.stringify(of));
};
