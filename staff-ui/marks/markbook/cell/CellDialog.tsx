import { AWAY_WORDS, isAway } from '#api/contract/attendance';
import type { CellHistory, Markbook } from '#api/marks/marks.contract';
import { isRefused } from '../../../../ui/api/failure.ts';
import { Dialog } from '../../../../ui/controls/Dialog.tsx';
import { Failure } from '../../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../../ui/feedback/Skeleton.tsx';
import { useCell, useQuestions } from '../../../queries.ts';
import styles from './CellDialog.module.css';
import { Decide } from './Decide.tsx';
import { History } from './History.tsx';
import { flagTexts, markedText } from '../TotalCell.tsx';
import type { OpenCell } from '../view.ts';
import { FORGOTTEN } from '../view.ts';
import { useQueries } from '@tanstack/react-query';
import { question, useApi } from '../../../../ui/api/ApiProvider.tsx';
import { useMoment } from '../../../moment.ts';
import { HistoryLink } from '../../../../ui/record/HistoryLink.tsx';
import type { ReactNode } from 'react';

type CellDialogProps = { readonly cell: OpenCell | undefined; readonly markbook: Markbook; readonly onClose: () => void };

/** Everything about one total: its value, who entered what and when, and the choice between contested values. */
export const CellDialog = ({ cell, markbook, onClose }: CellDialogProps) => {
  const student = markbook.students.find(({ studentId }) => studentId === cell?.studentId);
  const column = markbook.tests.findIndex(({ testId }) => testId === cell?.testId);
  const test = markbook.tests[column];
  const name = student?.name ?? FORGOTTEN;
  return (
    <Dialog open={cell !== undefined} onClose={onClose} title={`${name} – ${test?.name ?? ''}`}>
      {cell && student && test && (
        <CellBody cell={cell} total={student.totals[column]} max={test.max}>
          <HistoryLink of={{ id: cell.studentId, name }} in={{ id: cell.testId, name: test.name }}>
            Everything about this total
          </HistoryLink>
          <HistoryLink of={{ id: cell.studentId, name }}>History of {name}</HistoryLink>
        </CellBody>
      )}
    </Dialog>
  );
};

type CellBodyProps = {
  readonly cell: OpenCell;
  readonly total: Markbook['students'][number]['totals'][number] | undefined;
  readonly max: number | null;
  /** The ways to the record. */
  readonly children: ReactNode;
};

const CellBody = ({ cell, total, max, children }: CellBodyProps) => {
  const history = useCell(cell);
  const away = { ...cell, attendance: 'true' } as const;
  // Also of somebody who counts as present: it may be contested.
  const attendance = useCell(total && away);
  return (
    <div className="stack gap-6 pad">
      <p className="row baseline muted">
        <span className={styles.figure}>{total?.total ?? (isAway(total?.attendance) ? AWAY_WORDS[total.attendance].sign : '–')}</span>
        <span>{typeof total?.total === 'number' ? `of ${max}` : isAway(total?.attendance) ? total.attendance : 'not entered'}</span>
        {total?.source === 'marks' && <span className="small">the sum of the question marks</span>}
        {total?.marked && <span className="small">{markedText(total.marked)} entered</span>}
        {total &&
          flagTexts(total, max).map((text) => (
            <span key={text} className="failed strong">
              {text}
            </span>
          ))}
      </p>
      {isRefused(history.error, 'not-your-set') ? (
        <p>{history.error.message}</p>
      ) : (
        history.error && <Failure error={history.error} retry={() => void history.refetch()} />
      )}
      {history.isPending && <Skeleton rows={3} label="Loading the history" />}
      {history.data && <AboveMaximum above={history.data.above} />}
      {history.data && <Entered cell={cell} history={history.data} contested={total?.flags?.includes('contested') ?? false} />}
      {attendance.data && <Decide cell={away} history={attendance.data} label="attendance" />}
      {attendance.data && attendance.data.changes.length > 0 && <History title="Attendance" changes={attendance.data.changes} />}
      <p>{children}</p>
    </div>
  );
};

const Entered = ({ cell, history, contested }: { readonly cell: OpenCell; readonly history: CellHistory; readonly contested: boolean }) => (
  <>
    <Decide cell={cell} history={history} label="total" />
    {contested && history.reading.state !== 'contested' && <ContestedQuestions cell={cell} />}
    <History title="History" changes={history.changes} />
  </>
);

/** Question marks that are above what their question is worth now. */
export const AboveMaximum = ({ above }: Pick<CellHistory, 'above'>) => {
  const questions = above.filter(({ questionId }) => questionId !== null);
  return (
    questions.length > 0 && (
      <Notice tone="warn" title="Above the maximum. Correct the mark, or the maximum of the question:">
        <ul>
          {questions.map(({ questionId, number, mark, max }) => (
            <li key={questionId}>
              Question {number}: {mark} of {max}
            </li>
          ))}
        </ul>
      </Notice>
    )
  );
};

/** Questions whose marks are contested, and so the total that is their sum. */
const ContestedQuestions = ({ cell }: { readonly cell: OpenCell }) => {
  const api = useApi();
  const { asOf } = useMoment();
  const questions = useQuestions()?.get(cell.testId) ?? [];
  const cells = useQueries({
    queries: questions.map(({ questionId }) => question(api, 'cell', { ...cell, questionId }, asOf)),
  });
  return questions.map(({ questionId, number, topic }, index) => {
    const history = cells[index]?.data;
    return (
      history && (
        <Decide key={questionId} cell={{ ...cell, questionId }} history={history} label={`mark of question ${number} (${topic})`} />
      )
    );
  });
};
