import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach } from 'vitest';
import type { AsOf, AsOfOptions } from '../../projections/engine/as-of/as-of.ts';
import { moment, openAsOf, schoolNameIn } from './as-of.ts';
import { schoolOfFile } from './school-of-file.ts';

const names = ['One', 'Two', 'Three', 'Four'];
export const somebody = () => randomUUID();

/** For all tests of a file: two schools that were renamed four times, and processes that are asked what they were called. */
export const renamedSchools = async () => {
  const { school, admin } = await schoolOfFile('admin');
  const neighbour = await school.neighbour();
  /** After the school was called 'One', 'Two', 'Three', and so on. */
  const times: string[] = [];
  for (const name of names) {
    await admin.done('RenameSchool', { name });
    await (await neighbour.as('admin')).done('RenameSchool', { name: `${name} of the neighbour` });
    times.push(await moment());
  }
  /** Called at the end of the test. */
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    const database = new pg.Client({ connectionString: school.databaseUrl });
    await database.connect();
    // What a test leaves behind is nobody's.
    await database.query(`drop schema if exists read_as_of cascade`);
    await database.end();
  });
  const process = (options: Partial<AsOfOptions> = {}): AsOf => {
    const opened = openAsOf(school, options);
    closing.push(opened.close);
    return opened.asOf;
  };
  const ask = async (at: AsOf, time: number, accountId = somebody(), of = school): Promise<string | undefined> =>
    (await at.read({ schoolId: of.schoolId, accountId, moment: times[time] ?? '' }, schoolNameIn)).result;
  return { school, neighbour, names, times, closing, process, ask };
};
