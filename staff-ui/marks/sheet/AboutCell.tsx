import type { RefObject } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { dateTime } from '../../format.ts';
import type { Place } from '../grid/place.ts';
import { Decide } from '../markbook/cell/Decide.tsx';
import type { CellOf } from '../../queries.ts';
import { useCell } from '../../queries.ts';
import { cellIn } from '../../../ui/marks/mark-drafts.ts';
import { AtCell } from './AtCell.tsx';
import styles from './Sheet.module.css';
import type { SheetModel } from './model/useSheet.ts';

type AboutCellProps = {
  readonly model: SheetModel;
  readonly place: Place;
  /** What is decided floats at its cell, in the table within this element. */
  readonly around?: RefObject<HTMLElement | null>;
};

/** What there is to know or to decide about the cell that is typed into. Its line is always there, so that nothing moves. */
export const AboutCell = ({ model, place, around }: AboutCellProps) => {
  const key = model.table.keyAt(place);
  const view = model.cellAt(place);
  const cell = cellIn(key);
  const isAsked = view.isContested === true || view.status === 'conflict';
  const of: CellOf | undefined = cell && {
    testId: cell.sheetKey.testId,
    studentId: cell.studentId,
    ...(cell.questionId === undefined ? {} : { questionId: cell.questionId }),
  };
  const history = useCell(isAsked ? of : undefined).data;
  const away: CellOf | undefined =
    cell && model.isAttendanceContested(place.row)
      ? { testId: cell.sheetKey.testId, studentId: cell.studentId, attendance: 'true' }
      : undefined;
  const attendance = useCell(away).data;
  const question = model.columns[place.column];
  const student = model.rows[place.row];
  const last = history?.changes.at(-1);
  const isAsking =
    (view.status === 'conflict' && last !== undefined) || (away && attendance) || (view.isContested && history !== undefined);
  const decisions = (
    <>
      {view.status === 'conflict' && last && (
        <div className={styles.conflict}>
          <p>
            You typed {view.text || 'nothing'}. {last.by ?? 'Somebody who was forgotten'} entered {String(last.is)} meanwhile,{' '}
            {dateTime(last.at)}.
          </p>
          <Button onClick={() => model.table.type({ [key]: view.text }, 'one')}>Keep {view.text || 'it empty'}</Button>
          <Button onClick={() => model.discard([key])}>Use {last.is === 'cleared' ? 'nothing' : String(last.is)}</Button>
        </div>
      )}
      {away && attendance && <Decide cell={away} history={attendance} label="attendance" />}
      {view.isContested && of && history && (
        <Decide cell={of} history={history} label={model.kind === 'total' ? 'total' : `mark of ${question?.name ?? 'the question'}`} />
      )}
    </>
  );
  return (
    <div className={styles.about}>
      <p>
        <b>{student?.name}</b>
        {question && `, ${question.name}${question.topic === undefined ? '' : ` ${question.topic}`} (of ${question.max})`}
        {view.wrong !== undefined ? <span className={styles.bad}> {view.wrong}</span> : !isAsked && view.note && ` · ${view.note}`}
      </p>
      {around
        ? isAsking && (
            <AtCell key={key} around={around}>
              {decisions}
            </AtCell>
          )
        : decisions}
    </div>
  );
};
