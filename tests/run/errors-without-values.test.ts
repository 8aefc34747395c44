import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { urlOfRunningServer } from '../../run/postgres/server.ts';
import { startMarktrail } from '../support/marktrail.ts';
import { startedDataDir } from '../support/started-data-dir.ts';

const dataDir = await startedDataDir({ demo: false });
const marktrail = startMarktrail({ DATA_DIR: dataDir.path, DEMO: 'no' }, ['--without-apps']);
afterAll(async () => {
  marktrail.process.kill('SIGTERM');
  await marktrail.ended;
  dataDir.remove();
});

test('an error of the database is logged with what it is about, and without what somebody typed', async () => {
  const address = await marktrail.ready;
  const database = new pg.Client({ connectionString: urlOfRunningServer(dataDir.path) });
  await database.connect();
  // A row that does not fit is told in the detail; a text that a function complains of, in the message.
  await database.query(`alter table mail.outbox add constraint no_such_mail check (about ->> 'email' not like 'ada.constraint@%')`);
  await database.query(`
    create function mail.complain() returns trigger language plpgsql as $$ begin raise 'no mail to %', new.about ->> 'email'; end $$;
    create trigger complain before insert on mail.outbox for each row when (new.about ->> 'email' like 'ada.message@%') execute function mail.complain()`);
  const forgotten = (email: string) =>
    fetch(`${address}/api/door/password/forgotten`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: address },
      body: JSON.stringify({ email }),
    });
  const answers = [await forgotten('ada.constraint@secret.example'), await forgotten('ada.message@secret.example')];
  expect(answers.map(({ status }) => status)).toEqual([500, 500]);
  const { rows } = await database.query<{ message: string }>('select message from support.errors order by id desc limit 2');
  await database.end();

  await expect.poll(() => marktrail.output().match(/a request failed/g)?.length).toBe(2);
  const told = {
    console: marktrail.output(),
    answers: (await Promise.all(answers.map((answer) => answer.text()))).join(),
    errors: rows.map(({ message }) => message).join(),
    server: readFileSync(join(dataDir.path, 'postgres.log'), 'utf8'),
  };
  for (const [where, text] of Object.entries(told)) expect(text, where).not.toMatch(/secret\.example|ada\./);
  expect(told.console).toMatch(/23514.*constraint no_such_mail/);
  expect(told.console).toMatch(/P0001/);
  expect(told.errors).toContain('no_such_mail');
});
