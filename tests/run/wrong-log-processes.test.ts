import { expect, test } from 'vitest';
import { failure } from '../store/seen.ts';
import { marktrailCommand } from '../support/marktrail.ts';
import { settings, count, createSchool, exchanged, isRefused } from './wrong-log-processes.ts';

test('a process refuses to start with another log, in one line', async () => {
  await exchanged();
  await isRefused('all');
});

test('a command that would write says the same, and writes nothing', async () => {
  await exchanged();
  const said = String(await failure(marktrailCommand(settings(), ...createSchool)));
  expect(said).toMatch(
    /DATA_DIR belongs to the log .*, and the log in PostgreSQL is the log .*: check EVENTSTORE_URL\. Nothing was changed\./,
  );
  expect(await count()).toBe(1);
});
