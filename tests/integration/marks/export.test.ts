import { expect, test } from 'vitest';
import { csvText } from '../../../api/contract/csv/write.ts';
import type { History } from '../../../api/history/history.contract.ts';
import type { ExportChoices, ExportTable } from '../../../api/marks/export.contract.ts';
import type { UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import { parseTotals } from '../../../api/marks/upload/totals-file.contract.ts';
import { parseStudents } from '../../../api/students/students-file.contract.ts';
import type { ImportPreview } from '../../../api/students/students.contract.ts';
import { schoolOfFile } from '../../support/school-of-file.ts';

const { school, admin, auditor } = await schoolOfFile('admin', 'auditor');
const { maths: subjectId, mock: testId, year, setA } = school.ids;
const fileOf = ({ columns, rows }: ExportTable) => ({
  name: 'data_download.csv',
  type: 'text/csv',
  bytes: Buffer.from(csvText(columns, rows, { mark: true })),
});

test('totals are exported in the form of their upload, and the choice says where there are no question marks yet', async () => {
  const classes = [{ setId: setA, testIds: [testId] }];
  const totals = [12, 7, 0];
  const rows = totals.map((total, at) => ({ admissionNo: `00A${at + 1}`, name: `A${at + 1}, Student`, totals: [total] }));
  await admin.done('UploadTotals', { subjectId, classes, rows, fileName: 'totals.csv' });
  const { tests } = await admin.ask<ExportChoices>('export-choices', { subjectId });
  expect(tests.map(({ name, totals: all, results }) => [name, all, results])).toEqual([
    ['Mock', 3, 0],
    ['Other', 0, 0],
    ['Unready', 0, 0],
  ]);
  const table = await auditor.ask<ExportTable>('export-totals', { testId });
  expect(table.columns).toEqual(['StudentID', 'LastFirst', 'Test 1', 'Test 2', 'Test 3', 'Test 4', 'Test 5', 'Test 6']);
  expect(table.rows[0]).toEqual(['00A1', 'A1, Student', 12, null, null, null, null, null]);
  const read = parseTotals(fileOf(table));
  if (!read.ok) throw new Error(read.message);
  const again = read.rows.map(({ admissionNo, name, totals: [total = null] }) => ({ admissionNo, name, totals: [total] }));
  const preview = await admin.ask<UploadPreview>('preview-totals', { subjectId, classes, rows: again });
  expect(preview.counts).toEqual({ equal: 3, new: 0, replaced: 0, contested: 0 });
  // Who is removed takes the results along.
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: school.ids.students['A3'], place: 'removed' }] });
  expect((await admin.ask<ExportTable>('export-totals', { testId })).rows).toHaveLength(2);
  const { events } = await admin.ask<History>('history', { kind: 'looks', by: school.accounts.auditor });
  expect(events.map(({ sentence }) => sentence.map(({ text }) => text).join(''))).toEqual(['downloaded the totals of Mock']);
});

test('a list of students that comes back as it was exported changes nothing', async () => {
  const { yearGroupId = '' } = await admin.done('AddYearGroup', { subjectId, year: 12 });
  const names = ['=SUM(A1)', "'t Hooft, Zoë", '"Nick", the', '-Dash', "'5 Guys", 'Łucja, Ng', '@home', '="00123"'];
  const rows = names.map((name, at) => ({ admissionNo: `00${at}`, name, set: '9-1', dateOfBirth: at === 0 ? null : '2008-02-29' }));
  const make = [{ in: { yearGroupId }, names: ['9-1'], schemeId: school.ids.scheme, testIds: [] }];
  await admin.done('ImportStudents', { subjectId, fileName: 'odd.csv', rows, make });
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: school.ids.students['B1'], place: 'off-roll' }] });
  const imported = async (groups: readonly string[]): Promise<ImportPreview> => {
    const read = parseStudents(fileOf(await admin.ask<ExportTable>('export-student-list', { subjectId, groups })));
    if (!read.ok) throw new Error(read.message);
    const again = read.rows.map(({ line: _, ...row }) => row);
    return admin.ask<ImportPreview>('preview-students', { subjectId, fileName: 'again.csv', rows: again, others: 'remove' });
  };
  const all = await imported([year, yearGroupId, 'off-roll']);
  expect(all.counts).toEqual({ added: 0, enrolled: 0, moved: 0, corrected: 0, offRolled: 0, removed: 0 });
  expect([all.missingSets, all.others, all.doubts, all.rows.length]).toEqual([[], [], undefined, names.length + 11]);
  const one = await imported([yearGroupId]);
  expect([one.rows.map(({ change }) => change), one.counts.removed]).toEqual([names.map(() => 'same'), 0]);
  const { groups } = await admin.ask<ExportChoices>('export-choices', { subjectId });
  expect(groups.map(({ name, students }) => [name, students])).toEqual([
    ['Year 11', 10],
    ['Year 12', 8],
    ['Off-Roll', 1],
  ]);
  // Groups of another subject give nobody.
  const foreign = { subjectId: school.ids.science, groups: [yearGroupId, year] };
  expect((await admin.ask<ExportTable>('export-student-list', foreign)).rows).toEqual([]);
  expect((await admin.query('export-student-list', { ...foreign, groups: [year] })).status).toBe(404);
});
