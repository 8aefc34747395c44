import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openSchool } from '../../support/school.ts';
import { open } from '../support/open.ts';

const school = await openSchool();
afterAll(school.close);
const admin = await school.as('admin');

test('a file of people is recorded before there is one, and there is none if it cannot be recorded', async () => {
  const files: string[] = [];
  // jsdom has no files to download.
  Object.assign(URL, { createObjectURL: () => 'blob:' });
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function save() {
    files.push(this.download);
  };
  onTestFinished(() => void (HTMLAnchorElement.prototype.click = click));
  const handedOut = async (): Promise<object[]> => {
    const all = [];
    for await (const { type, data } of school.backend.eventsOf(school.schoolId)) if (type === 'DataHandedOut') all.push(data);
    return all;
  };
  const page = await open(admin, '/admin/users');
  page.line.refuse(/RecordHandOut/, 'Your account may not do this.');
  await page.press('Export CSV');
  await page.says('Nothing was downloaded, because it could not be recorded. Your account may not do this.');
  expect([files, await handedOut()]).toEqual([[], []]);
  await page.press('Export CSV');
  await expect.poll(() => files).toEqual(['staff_users.csv']);
  expect(await handedOut()).toEqual([{ what: 'staff users', as: 'file' }]);
});
