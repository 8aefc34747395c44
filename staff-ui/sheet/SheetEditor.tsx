import type { Sheet } from '#api/marks/sheet.contract';
import type { ComponentType, ReactNode } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { counted } from '../format.ts';
import { Grid } from '../grid/Grid.tsx';
import { at } from '../grid/place.ts';
import type { MoveOn } from '../grid/useGrid.ts';
import { useGrid } from '../grid/useGrid.ts';
import type { Form } from '../typing/queue.ts';
import { useTyping } from '../typing/Typing.tsx';
import { AboutCell } from './AboutCell.tsx';
import { OneStudent } from './OneStudent.tsx';
import styles from './Sheet.module.css';
import { SheetStatus } from './SheetStatus.tsx';
import { useIsPhone } from './useIsPhone.ts';
import { useMoveOn } from './useMoveOn.ts';
import { useSheet } from './useSheet.ts';

type SheetEditorProps = {
  readonly sheet: Sheet;
  readonly form: Form;
  /** Where the button to submit stands: a dialog's foot, or below the grid. */
  readonly Foot: ComponentType<{ readonly children: ReactNode }>;
};

/** Question marks of a class: typed and stored as one types, and submitted when one is done. */
export const SheetEditor = ({ sheet, form, Foot }: SheetEditorProps) => {
  const model = useSheet(sheet, form, 'marks');
  const [moveOn, setMoveOn] = useMoveOn();
  const [submitted, setSubmitted] = useState<'going' | 'done'>();
  const submitId = useId();
  const editor = useRef<HTMLDivElement>(null);
  const grid = useGrid({ ...model.table, onEnd: () => document.getElementById(submitId)?.focus() }, moveOn);
  const isPhone = useIsPhone();
  const { announceOpen } = useTyping();
  useEffect(() => announceOpen(form), [announceOpen, form]);
  const { questions, students } = sheet;
  if (students.length === 0) return <EmptyState title="Nobody is in this class yet">An admin of your school adds its students.</EmptyState>;
  if (questions.length === 0)
    return (
      <EmptyState title="No questions yet">Marks are entered question by question. An admin of your school adds them first.</EmptyState>
    );

  const goTo = (key: string | undefined) => {
    const place = key === undefined ? undefined : model.placeOf(key);
    if (!place) return;
    grid.go(at(place));
    // Once it is drawn there. The focus scrolls to it.
    requestAnimationFrame(() => editor.current?.querySelector<HTMLElement>('td[data-active] input')?.focus());
  };
  const submit = async () => {
    if (submitted === 'going') return;
    grid.settle();
    setSubmitted('going');
    const isTaken = await model.submit();
    setSubmitted(isTaken && model.wrong.length === 0 ? 'done' : undefined);
    if (model.wrong.length > 0) goTo(model.wrong[0]);
  };
  return (
    <div ref={editor} className={styles.editor}>
      {sheet.mayWrite && <Tools model={model} grid={grid} moveOn={moveOn} setMoveOn={setMoveOn} isPhone={isPhone} />}
      {isPhone ? (
        <OneStudent model={model} grid={grid} />
      ) : (
        <Grid
          label={`Marks of ${sheet.name}`}
          grid={grid}
          columns={model.columns}
          rows={model.rows}
          cellAt={model.cellAt}
          tailHeads={TAIL}
          readOnly={!sheet.mayWrite}
        />
      )}
      <AboutCell model={model} place={grid.selection.active} />
      {sheet.mayWrite && (
        <Foot>
          <div className={styles.outcome}>
            <SheetStatus model={model} report={grid.report} goTo={goTo} />
            {submitted === 'done' && <Notice tone="good" title="Submitted successfully!" />}
          </div>
          {/* Not `disabled`, which would take the focus from it. */}
          <Button id={submitId} look="primary" aria-disabled={submitted === 'going'} onClick={() => void submit()}>
            {submitted === 'going' ? 'Submitting…' : 'Submit'}
          </Button>
        </Foot>
      )}
    </div>
  );
};

const TAIL = ['Total', 'Teacher’s total', 'Difference'];

type ToolsProps = {
  readonly model: ReturnType<typeof useSheet>;
  readonly grid: ReturnType<typeof useGrid>;
  readonly moveOn: MoveOn;
  readonly setMoveOn: (to: MoveOn) => void;
  readonly isPhone: boolean;
};

const Tools = ({ model, grid, moveOn, setMoveOn, isPhone }: ToolsProps) => {
  const { blanks, progress } = model;
  return (
    <div className={styles.tools}>
      <div className={styles.progress}>
        <span>
          {progress.done} of {counted(progress.of, 'student')} complete
        </span>
        <progress max={Math.max(1, progress.of)} value={progress.done} aria-hidden="true" />
      </div>
      {blanks.length > 0 && (
        <Button look="plain" onClick={() => grid.put(blanks.map((key) => ({ key, text: '0' })))}>
          {blanks.length === 1 ? 'Enter 0 for the 1 blank' : `Enter 0 for the ${blanks.length} blanks`}
        </Button>
      )}
      <span className={styles.space} />
      <Button look="plain" onClick={grid.undo} title="Ctrl+Z">
        Undo
      </Button>
      <Button look="plain" onClick={grid.redo} title="Ctrl+Y">
        Redo
      </Button>
      {!isPhone && (
        <label className={styles.moveOn}>
          A full mark
          <select value={moveOn} onChange={(event) => setMoveOn(moveOns.find((one) => one === event.target.value) ?? 'stay')}>
            <option value="stay">stays in its cell</option>
            <option value="right">moves on to the right</option>
            <option value="down">moves on down</option>
          </select>
        </label>
      )}
    </div>
  );
};

const moveOns: readonly MoveOn[] = ['stay', 'right', 'down'];
