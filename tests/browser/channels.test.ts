import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Markbook } from '../../api/marks/marks.contract.ts';
import type { Me } from '../../api/accounts/accounts.contract.ts';
import type { Structure } from '../../api/school/school.contract.ts';
import { act, ask, enter } from './calls.ts';
import { marktrailInBrowser } from './marktrail.ts';

const marktrail = marktrailInBrowser();

test('marks typed in one year group reach the pages about it without a question, and cause none on those about another of the same subject', async () => {
  const admin = await marktrail.caller('admin@demo.example');
  const send = async (name: string, data: object) => (await act(admin, name, data)).result;
  const { subjectId } = (await ask<Me>(admin, 'me')).subjects.find(({ name }) => name === 'Mathematics') ?? expect.fail('no Mathematics');
  const { schemes, yearGroups } = await ask<Structure>(admin, `structure?subjectId=${subjectId}`);
  const eleven = await ask<Markbook>(admin, `markbook?yearGroupId=${yearGroups.find(({ year }) => year === 11)?.yearGroupId}`);
  const testId = eleven.tests[0]?.testId;
  const { yearGroupId } = await send('AddYearGroup', { subjectId, year: 10 });
  const { setId } = await send('AddSet', { subjectId, yearGroupId, name: '10X1', schemeId: schemes[0]?.schemeId });
  await send('ChangeSet', { subjectId, setId, testIds: [testId] });
  const { studentId } = await send('AddStudent', { subjectId, setId, admissionNo: 'T1', name: 'Tenth, Tess', dateOfBirth: null });

  const asked = (page: Page): string[] => {
    const paths: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/queries/')) paths.push(pathname.slice('/api/queries/'.length));
    });
    return paths;
  };
  const ofTen = await marktrail.person('leader@demo.example', { at: '/leader/markbook?year=10' });
  const ofEleven = await marktrail.person('leader@demo.example', { at: '/leader/markbook?year=11&find=Edwards, Sophie' });
  const shown = (page: Page, name: string, mark: number) =>
    page.getByRole('row', { name: new RegExp(`^${name}.*\\b${mark}\\b`) }).waitFor();
  await ofTen.getByRole('row', { name: /^Tenth, Tess/ }).waitFor();
  await ofEleven.getByRole('row', { name: /^Edwards, Sophie/ }).waitFor();
  const type = (who: string | undefined, is: number) => enter(admin, subjectId, [{ studentId: who, testId, is }]);
  // Both hear what changes, and have asked for all that changed before.
  const sophie = eleven.students.find(({ name }) => name === 'Edwards, Sophie')?.studentId;
  await type(studentId, 1);
  await type(sophie, 2);
  await shown(ofTen, 'Tenth, Tess', 1);
  await shown(ofEleven, 'Edwards, Sophie', 2);

  const [onTen, onEleven] = [asked(ofTen), asked(ofEleven)];
  for (const mark of [3, 4, 5]) {
    await type(studentId, mark);
    await shown(ofTen, 'Tenth, Tess', mark);
  }
  expect(onEleven).toEqual([]);
  await type(sophie, 6);
  await shown(ofEleven, 'Edwards, Sophie', 6);
  expect([onTen, onEleven]).toEqual([[], []]);
});
