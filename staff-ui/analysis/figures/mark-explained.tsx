import type { CellOf } from '../../queries.ts';
import type { Explanation } from './Explanations.tsx';
import { OneMark } from './OneMark.tsx';

/** A mark and who entered it, as the last step of an explanation. `title`: 'Edwards, Sophie – Q7 Payflow, Mock 1'. */
export const markExplained = (cell: CellOf, title: string, label: string): Explanation => ({
  id: `mark ${cell.studentId} ${cell.questionId ?? 'total'}`,
  title,
  body: <OneMark cell={cell} label={label} />,
});
