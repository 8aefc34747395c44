import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toldApart } from '../../../api/contract/names.ts';
import type { RankingPreview } from '../../../api/tasks/ranking/ranking-preview.contract.ts';
import { namesInPreview } from '../../../staff-ui/tasks/ranking/preview-notices.ts';

const named = (name: string | null, admissionNo: string | null) => ({ name, admissionNo });
const names = (...students: Parameters<typeof toldApart>[0]) => toldApart(students).map(({ name }) => name);

test('who has the name of another one has the StudentID beside it, whatever its capitals, accents and blanks', () => {
  expect(names(named('Núñez, Ana', '001'), named('nunez,  ana', '002'), named('Nunes, Ana', '003'))).toEqual([
    'Núñez, Ana (001)',
    'nunez,  ana (002)',
    'Nunes, Ana',
  ]);
});

test('one who is listed twice is one, and who was forgotten is nobody’s namesake', () => {
  const listed = [named('Lee, Kay', '001'), named('Lee, Kay', '001'), named(null, null), named(null, null)];
  expect(toldApart(listed)).toBe(listed);
});

test('some of a list are told apart from all of it', () => {
  const [one, other] = [named('Lee, Kay', '001'), named('Lee, Kay', '002')];
  expect(toldApart([one], [one, other])).toEqual([named('Lee, Kay (001)', '001')]);
});

test('a preview of a ranking tells apart whom it warns about, and who would not be in it any more', () => {
  const [one, other] = [named('Lee, Kay', '001'), named('Lee, Kay', '002')];
  const warnings = [{ about: 'sat-few', ...one, studentId: '', sat: 1, of: 4 }];
  const preview = { students: [one], warnings, decisions: { gone: [], kept: [] }, changes: { left: [other] } };
  const told = namesInPreview(preview as unknown as RankingPreview);
  expect([...told.students, ...told.warnings, ...(told.changes?.left ?? [])]).toMatchObject(
    ['001', '001', '002'].map((id) => ({ name: `Lee, Kay (${id})` })),
  );
});

test('of the pages of students only the one on which staff choose whom to view tells them apart', () => {
  const root = new URL('../../../student-ui/', import.meta.url);
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) =>
    /[tT]oldApart|withStudentId|StudentFinder/.test(readFileSync(new URL(file, root), 'utf8')),
  );
  expect(files).toEqual(['shell/SelectPage.tsx']);
});
