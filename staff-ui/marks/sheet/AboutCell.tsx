import type { RefObject, ReactNode } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { dateTime } from '../../format.ts';
import type { Place } from '../grid/place.ts';
import { Decide } from '../markbook/cell/Decide.tsx';
import type { CellOf } from '../../queries.ts';
import { useCell } from '../../queries.ts';
import { cellIn } from '../../../ui/marks/mark-drafts.ts';
import styles from './Sheet.module.css';
import type { SheetModel } from './model/useSheet.ts';
import { useLayoutEffect, useRef } from 'react';
import { placeBeneath } from '../../../ui/controls/place-beneath.ts';
import panel from './AtCell.module.css';

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
        <div className={`row ${styles.asks}`}>
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
    <div className={`muted ${styles.about}`}>
      <p>
        <b>{student?.name}</b>
        {question && `, ${question.name}${question.topic === undefined ? '' : ` ${question.topic}`} (of ${question.max})`}
        {view.wrong !== undefined ? <span className="failed"> {view.wrong}</span> : !isAsked && view.note && ` · ${view.note}`}
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

type AtCellProps = { readonly around: RefObject<HTMLElement | null>; readonly children: ReactNode };

/** What there is to decide about the active cell of a table, beneath it, and as long as it is the active one. */
const AtCell = ({ around, children }: AtCellProps) => {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [floats, table] = [box.current, around.current];
    if (!floats || !table) return;
    const place = () => {
      const cell = table.querySelector('[data-active]');
      if (cell) placeBeneath(floats, cell.getBoundingClientRect());
    };
    floats.showPopover();
    place();
    const resized = new ResizeObserver(place);
    resized.observe(floats);
    // Whatever scrolls, the table, the page or a dialog.
    window.addEventListener('scroll', place, { capture: true, passive: true });
    window.addEventListener('resize', place);
    return () => {
      resized.disconnect();
      window.removeEventListener('scroll', place, { capture: true });
      window.removeEventListener('resize', place);
    };
  }, [around]);
  return (
    <div ref={box} popover="manual" className={panel.floats}>
      {children}
    </div>
  );
};
