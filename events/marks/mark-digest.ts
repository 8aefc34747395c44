import { createHash } from 'node:crypto';
import type { MarkColumns } from '../codec/columnar.ts';

/** What marks say, cell by cell: the same for every order of students and columns. Cells that are not changed say nothing. */
export const digestOf = ({ columns, students, is }: Pick<MarkColumns, 'columns' | 'students' | 'is'>): string => {
  const inOrder = columns
    .map(({ cell, testId, questionId }, index) => ({ index, key: `${cell} ${testId} ${questionId ?? ''}` }))
    .filter(({ index }) => is.some((row) => (row[index] ?? null) !== null))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rows = students.flatMap((studentId, row) => {
    const values = inOrder.map(({ index }) => is[row]?.[index] ?? null);
    return values.every((value) => value === null) ? [] : [`${studentId} ${values.join()}`];
  });
  const text = [...inOrder.map(({ key }) => key), ...rows.sort()].join('\n');
  return createHash('sha256').update(text).digest('base64url');
};
