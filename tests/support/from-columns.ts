import { type MarkChange, type MarkColumns, seenIn } from '../../events/codec/columnar.ts';

/** The changes that columns of an event stand for, student by student: the reverse of `toColumns`. */
export const fromColumns = ({ columns, students, is, was }: MarkColumns): MarkChange[] => {
  const heads = columns.map(({ cell: kind, testId, questionId, max }) => ({
    cell: questionId === undefined ? { kind, testId } : { kind, testId, questionId },
    max,
  }));
  const changes: MarkChange[] = [];
  students.forEach((studentId, row) => {
    const values = is[row];
    const seenRow = was?.[row];
    heads.forEach(({ cell, max }, column) => {
      const value = values?.[column] ?? null;
      if (value === null) return;
      const before = seenIn(seenRow?.[column]);
      changes.push(max === undefined ? { studentId, cell, is: value, was: before } : { studentId, cell, max, is: value, was: before });
    });
  });
  return changes;
};
