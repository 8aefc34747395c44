import type { Sheet } from '#api/marks/sheet.contract';
import type { ComponentType, ReactNode } from 'react';
import { useEffect, useId, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { counted } from '../../format.ts';
import { Grid } from '../grid/Grid.tsx';
import { PasteDialog } from '../grid/paste/PasteDialog.tsx';
import { at } from '../grid/place.ts';
import { useActiveCell, useFirstFocus } from '../grid/useActiveCell.ts';
import { useGrid } from '../grid/useGrid.ts';
import type { SheetKey } from '../../../ui/marks/mark-drafts.ts';
import { useTyping } from '../Typing.tsx';
import { AboutCell } from './AboutCell.tsx';
import { showKeys, Tools, useMoveOn } from './Tools.tsx';
import { OneStudent } from './OneStudent.tsx';
import styles from './Sheet.module.css';
import { Homeless, SheetStatus, sheetStatus } from './SheetStatus.tsx';
import { useAfterAll } from './useAfterAll.ts';
import { useAttendanceNotice } from './useAttendanceNotice.ts';
import { useIsPhone } from '../../../ui/controls/useMedia.ts';
import { useSubmission } from './useSubmission.ts';
import { useSheet } from './model/useSheet.ts';

export type SheetEditorProps = {
  readonly sheet: Sheet;
  readonly sheetKey: SheetKey;
  /** Where the button to submit stands: a dialog's foot, or below the grid. */
  readonly Foot: ComponentType<{ readonly children: ReactNode }>;
  /** The first empty cell has the focus. */
  readonly takesFocus: boolean;
  /** Where its tools stand, in line with what chooses the sheet. */
  readonly toolsPlace: HTMLElement | null;
};

/** Question marks of a class: stored as one types, and submitted when one is done. */
export const SheetEditor = ({ sheet, sheetKey, Foot, takesFocus, toolsPlace }: SheetEditorProps) => {
  const model = useSheet(sheet, sheetKey, 'marks');
  const [moveOn, setMoveOn] = useMoveOn();
  const submitId = useId();
  const editor = useRef<HTMLDivElement>(null);
  const focusActive = useActiveCell(editor);
  const onEnd = () => document.getElementById(submitId)?.focus();
  const afterAll = useAfterAll(model);
  const attendance = useAttendanceNotice(model, afterAll.table);
  const { submission, table, ...submitting } = useSubmission(model, attendance.table);
  const grid = useGrid({ ...table, onEnd, reveal: focusActive }, moveOn, model.firstEmpty);
  useFirstFocus(editor, takesFocus, grid.take);
  const isPhone = useIsPhone();
  const { announceOpen } = useTyping();
  useEffect(() => announceOpen(sheetKey), [announceOpen, sheetKey]);
  const { questions, students } = sheet;
  if (students.length === 0 || questions.length === 0)
    return (
      <>
        <Homeless model={model} />
        {students.length === 0 ? (
          <EmptyState title="Nobody is in this class yet">An admin of your school adds its students.</EmptyState>
        ) : (
          <EmptyState title="No questions yet">Marks are entered question by question. An admin of your school adds them first.</EmptyState>
        )}
      </>
    );

  const goTo = (key: string | undefined) => {
    const place = key === undefined ? undefined : model.placeOf(key);
    if (!place) return;
    grid.go(at(place));
    focusActive();
  };
  const submit = async () => {
    if (submission === 'going') return;
    grid.settle();
    if (!(await submitting.submit())) goTo(model.wrong[0]);
  };
  return (
    <div ref={editor} className={styles.editor}>
      {sheet.mayWrite &&
        toolsPlace &&
        createPortal(
          <Tools
            model={model}
            grid={grid}
            progress={`${model.progress.done} of ${counted(model.progress.of, 'student')} complete`}
            moveOn={moveOn ?? 'right'}
            setMoveOn={setMoveOn}
            isPhone={isPhone}
          />,
          toolsPlace,
        )}
      {isPhone ? (
        <OneStudent model={{ ...model, table }} grid={grid} onEnd={onEnd} />
      ) : (
        <Grid
          label={`Marks of ${sheet.name}`}
          grid={grid}
          columns={model.columns}
          means={model.means}
          rows={model.rows}
          cellAt={model.cellAt}
          tailHeads={TAIL}
          readOnly={!sheet.mayWrite}
          onHelp={() => showKeys(editor.current)}
        />
      )}
      <PasteDialog grid={grid} table={afterAll.table} subjectId={sheetKey.subjectId} />
      <Homeless model={model} />
      <Foot>
        <div className={`row ${styles.outcome}`}>
          {!isPhone && <AboutCell model={model} place={grid.selection.active} around={editor} />}
          {sheet.mayWrite && (
            <>
              {afterAll.question && <AfterAll {...afterAll.question} />}
              {attendance.words !== undefined && (
                <div className={`row ${styles.asks}`} role="status">
                  <span>{attendance.words}</span>
                  <Button onClick={grid.undo}>Undo</Button>
                </div>
              )}
              <SheetStatus model={model} report={grid.report} goTo={goTo} status={sheetStatus(model)} />
              {submission && submission !== 'going' && (
                <Notice tone="good" title="Submitted successfully!">
                  {submission.words !== '' && <p>{submission.words}</p>}
                </Notice>
              )}
            </>
          )}
        </div>
        {sheet.mayWrite && (
          // Not `disabled`, which would take the focus from it.
          <Button id={submitId} look="primary" aria-disabled={submission === 'going'} onClick={() => void submit()}>
            {submission === 'going' ? 'Submitting…' : 'Submit'}
          </Button>
        )}
      </Foot>
    </div>
  );
};

type AfterAllProps = NonNullable<ReturnType<typeof useAfterAll>['question']>;

const AfterAll = ({ words, sat, stays }: AfterAllProps) => (
  <div className={`row ${styles.asks}`} role="status">
    <span>{words}</span>
    <Button onClick={sat}>Sat it</Button>
    <Button onClick={stays}>No, take the mark out</Button>
  </div>
);

const TAIL = ['Total', 'Teacher’s total', 'Difference'];
