import { isRefused } from '../../../ui/api/failure.ts';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { AboveMaximum } from '../../marks/markbook/cell/CellDialog.tsx';
import { Decide } from '../../marks/markbook/cell/Decide.tsx';
import { History } from '../../marks/markbook/cell/History.tsx';
import type { CellOf } from '../../queries.ts';
import { useCell } from '../../queries.ts';
import styles from './Explanations.module.css';
import type { Explanation } from './Explanations.tsx';
import { HistoryLink } from '../../../ui/record/HistoryLink.tsx';

/** A mark and who entered it, as the last step of an explanation. `place`: 'Q7 Payflow, Mock 1'. */
export const markExplained = (cell: CellOf, student: string, place: string, label: string): Explanation => ({
  id: `mark ${cell.studentId} ${cell.questionId ?? 'total'}`,
  title: `${student} – ${place}`,
  body: <OneMark cell={cell} student={student} place={place} label={label} />,
});

type OneMarkProps = {
  readonly cell: CellOf;
  readonly student: string;
  readonly place: string;
  /** What is decided: 'mark of question 7'. */
  readonly label: string;
};

/** A mark, who entered it and when, and the choice where several values stand. */
const OneMark = ({ cell, student, place, label }: OneMarkProps) => {
  const history = useCell(cell);
  const away: CellOf = { testId: cell.testId, studentId: cell.studentId, attendance: 'true' };
  const attendance = useCell(away);
  if (isRefused(history.error, 'not-your-set')) return <p>{history.error.message}</p>;
  if (history.error) return <Failure error={history.error} retry={() => void history.refetch()} />;
  if (!history.data) return <Skeleton rows={3} label="Loading the history" />;
  return (
    <div className={`stack gap-6 ${styles.mark}`}>
      <AboveMaximum above={history.data.above} />
      <Decide cell={cell} history={history.data} label={label} />
      <History title="Who entered it" changes={history.data.changes} />
      {attendance.data && <Decide cell={away} history={attendance.data} label="attendance" />}
      {attendance.data && attendance.data.changes.length > 0 && <History title="Attendance" changes={attendance.data.changes} />}
      <HistoryLink of={{ id: cell.studentId, name: student }} in={{ id: cell.questionId ?? cell.testId, name: place }}>
        Everything about this mark
      </HistoryLink>
    </div>
  );
};
