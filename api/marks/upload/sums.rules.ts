/** Totals beside the sums of question marks, where both are known. */
import { reading } from '../../../events/marks/cell.ts';
import type { MarkCell } from '../../../events/codec/columnar.ts';
import type { MarkFacts, TestFact } from '../marks.facts.ts';
import type { PlannedStudent } from './upload.rules.ts';
import type { UploadDoubts } from './uploads.contract.ts';

export type OtherSum = NonNullable<UploadDoubts['sums']>['first'][number];

/** Totals that would not be the sum of their question marks after the upload. */
export const otherSums = (students: readonly PlannedStudent[], facts: MarkFacts): readonly OtherSum[] =>
  students.flatMap((planned) => {
    const { admissionNo, name } = planned.student;
    const valueAt = valuesAfter(planned, facts);
    return testsOf(planned, facts).flatMap(({ testId, name: test, questions }) => {
      const total = valueAt({ kind: 'total', testId });
      const sum = total === undefined ? undefined : sumOf(testId, questions, valueAt);
      return total === undefined || sum === undefined || total === sum ? [] : [{ admissionNo, name, test, total, sum }];
    });
  });

const testsOf = ({ cells }: PlannedStudent, { tests }: MarkFacts): readonly TestFact[] =>
  [...new Set(cells.map(({ target }) => target.cell.testId))].flatMap((testId) => tests.get(testId) ?? []);

/** undefined: no value, or several */
type ValueAt = (cell: MarkCell) => number | undefined;

/** undefined: a question has none */
const sumOf = (testId: string, questions: TestFact['questions'], valueAt: ValueAt): number | undefined => {
  let sum = 0;
  for (const { questionId } of questions) {
    const mark = valueAt({ kind: 'mark', testId, questionId });
    if (mark === undefined) return undefined;
    sum += mark;
  }
  return questions.length > 0 ? sum : undefined;
};

/** What the file says of a cell, and what stands in one of which it says nothing. */
const valuesAfter = ({ student: { studentId }, cells }: PlannedStudent, facts: MarkFacts): ValueAt => {
  const keyOf = ({ kind, testId, questionId = '' }: MarkCell): string => kind + testId + questionId;
  const inFile = new Map(cells.map(({ target, is }) => [keyOf(target.cell), is]));
  return (cell) => {
    const is = inFile.get(keyOf(cell));
    if (typeof is === 'number') return is;
    const now = reading(facts.cell(cell, studentId));
    return now.state === 'counts' && typeof now.value === 'number' ? now.value : undefined;
  };
};
