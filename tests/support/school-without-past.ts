import { buildDemo } from '../../run/commands/demo.ts';
import { reachDatabase } from '../../run/database/database.ts';
import { runUntilStopped } from '../../run/lifecycle.ts';
import { readSettings } from '../../run/settings.ts';

/** Like `npm run demo`, but only this year's sets and the examination, for tests that need no past: see `buildSchoolWithoutPast`. */
runUntilStopped(async (lifecycle) => {
  const settings = readSettings(process.env);
  await buildDemo({ settings, database: () => reachDatabase(settings, lifecycle) }, { past: false });
  void lifecycle.end(0);
});
