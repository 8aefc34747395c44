import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { UploadPreview } from '../../../api/marks/upload/uploads.contract.ts';
import { PreviewTable } from '../../../staff-ui/marks/upload/PreviewTable.tsx';

vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));

const preview: UploadPreview = {
  counts: { equal: 0, new: 0, replaced: 2, contested: 0 },
  rankings: 0,
  repeats: false,
  questionIds: [],
  students: [
    {
      studentId: 's1',
      admissionNo: 'M0001',
      name: 'Edwards, Sophie',
      setId: 'x1',
      setName: '11X1',
      cells: [
        { column: 0, change: 'replaced', is: 19, now: [20] },
        { column: 1, change: 'replaced', is: 12, now: [14] },
      ],
    },
  ],
  unmatched: [],
};
const tests = [
  { name: 'Test 1', about: 'Mock 1 (of 26)' },
  { name: 'Test 2', about: 'Mock 2 (of 30)' },
];
const labelsOf = (columns: typeof tests): readonly string[] =>
  [
    ...renderToStaticMarkup(<PreviewTable preview={preview} columns={columns} ticked={new Set()} tick={() => undefined} />).matchAll(
      /data-label="([^"]*)"/g,
    ),
  ].map(([, label = '']) => label);

test('on a phone, where no head stands above it, each value that a file changes says which test it is of', () => {
  expect(labelsOf(tests)).toEqual(['ID', 'Class', 'Test 1, Mock 1 (of 26)', 'Test 2, Mock 2 (of 30)']);
  expect(labelsOf(tests.slice(0, 1))).toEqual(['ID', 'Class', 'Test 1']);
});
