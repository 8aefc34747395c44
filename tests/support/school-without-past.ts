import { buildDemo } from '../../run/commands/demo.ts';
import { reachDatabase } from '../../run/database/database.ts';
import { live } from '../../run/lifecycle.ts';
import { readSettings } from '../../run/settings.ts';

/** Like `npm run demo`, but only this year's sets and the examination, for tests that need no past: see `buildSchoolWithoutPast`. */
live(async (life) => {
  const settings = readSettings(process.env);
  await buildDemo({ settings, database: () => reachDatabase(settings, life) }, { past: false });
  void life.end(0);
});
