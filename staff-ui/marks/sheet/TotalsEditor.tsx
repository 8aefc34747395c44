import type { Sheet } from '#api/marks/sheet.contract';
import { useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { sentence } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Confirm } from '../../../ui/controls/Confirm.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { counted } from '../../format.ts';
import { Grid } from '../grid/Grid.tsx';
import { PasteDialog } from '../grid/paste/PasteDialog.tsx';
import { at } from '../grid/place.ts';
import { useActiveCell, useFirstFocus } from '../grid/useActiveCell.ts';
import { useGrid } from '../grid/useGrid.ts';
import type { SheetEditorProps } from './SheetEditor.tsx';
import { turnedText } from '../upload/outcome-text.ts';
import { useUndo } from '../upload/undo.ts';
import { AboutCell } from './AboutCell.tsx';
import styles from './Sheet.module.css';
import { KeyList, showKeys, Tools, useMoveOn } from './Tools.tsx';
import { Homeless, SheetStatus } from './SheetStatus.tsx';
import { changesInWords, mostlyRemoves } from './totals.ts';
import { useIsPhone, useMedia } from '../../../ui/controls/useMedia.ts';
import { useSheet } from './model/useSheet.ts';
import type { Submission } from './useTypedTotals.ts';
import { useTypedTotals } from './useTypedTotals.ts';

/** One total per student. Nothing is stored until it is submitted; until then it waits among the drafts. */
export const TotalsEditor = ({ sheet, sheetKey, Foot, takesFocus, toolsPlace }: SheetEditorProps) => {
  const model = useSheet(sheet, sheetKey, 'total');
  const { typedInto, changes, submit, isGoing, error, done, hideDone } = useTypedTotals(model);
  const [moveOn, setMoveOn] = useMoveOn();
  const [asks, setAsks] = useState(false);
  const submitId = useId();
  const editor = useRef<HTMLFormElement>(null);
  const onEnd = () => (model.isValid ? document.getElementById(submitId)?.focus() : goTo(model.wrong[0]));
  const focusActive = useActiveCell(editor);
  const grid = useGrid({ ...model.table, onEnd, reveal: focusActive }, moveOn ?? 'stay', model.firstEmpty);
  useFirstFocus(editor, takesFocus, grid.take);
  const isPhone = useIsPhone();
  const hasRoom = useMedia('(min-width: 1200px) and (min-height: 700px)');
  const goTo = (key: string | undefined) => {
    const place = key === undefined ? undefined : model.placeOf(key);
    if (!place) return;
    grid.go(at(place));
    focusActive();
  };
  if (sheet.students.length === 0)
    return (
      <>
        <Homeless model={model} />
        <EmptyState title="Nobody is in this class yet">An admin of your school adds its students.</EmptyState>
      </>
    );

  const { progress } = model;
  const emptied = sheet.students.map((_, row) => ({ key: model.table.keyAt({ row, column: 0 }), text: '' }));
  const entered = sheet.students.filter(({ total }) => total !== null && total.value !== null).length;
  return (
    <form
      ref={editor}
      className={`${styles.editor} ${styles.totals}`}
      noValidate
      // Not the way to the button that takes it back, nor that button.
      onKeyDownCapture={({ key, target }) => {
        const isOnWay = key === 'Tab' || key === 'Shift' || (target instanceof Element && target.closest('[data-done]'));
        if (!isOnWay) hideDone();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!model.isValid || typedInto === 0 || isGoing) return;
        grid.settle();
        // What is submitted is taken back as a whole.
        grid.forget();
        if (mostlyRemoves(changes)) setAsks(true);
        else submit();
      }}
    >
      {sheet.mayWrite &&
        toolsPlace &&
        createPortal(
          <Tools
            model={model}
            grid={grid}
            progress={`${progress.done} of ${counted(progress.of, 'student')} ${progress.of === 1 ? 'has' : 'have'} a total`}
            moveOn={moveOn === 'down' ? 'down' : 'stay'}
            setMoveOn={setMoveOn}
            isPhone={isPhone}
          />,
          toolsPlace,
        )}
      <div className={styles.beside}>
        <Grid
          label={`Totals of ${sheet.name}`}
          grid={grid}
          columns={model.columns}
          means={model.means}
          rows={model.rows}
          cellAt={model.cellAt}
          tailHeads={TAIL}
          readOnly={!sheet.mayWrite}
          onHelp={() => showKeys(editor.current)}
        />
        <div className={`stack gap-4 ${styles.side}`}>
          <AboutCell model={model} place={grid.selection.active} />
          {hasRoom && sheet.mayWrite && <KeyList kind="total" />}
        </div>
      </div>
      {/* No part of the form: Enter in it submits nothing. */}
      {createPortal(<PasteDialog grid={grid} table={model.table} subjectId={sheetKey.subjectId} />, document.body)}
      <Homeless model={model} />
      {sheet.mayWrite && (
        <Foot>
          <div className={`row ${styles.outcome} ${styles.reserved}`}>
            {done && (
              <div data-done>
                <Done {...done} name={sheet.name} />
              </div>
            )}
            {!done && error !== undefined && <Notice tone="bad" title={error} />}
            {error === undefined && (
              <SheetStatus
                model={model}
                report={grid.report}
                goTo={goTo}
                status={model.isValid ? changesInWords(changes) : 'Correct the fields that are marked, then submit.'}
              />
            )}
          </div>
          {model.isValid && (
            <>
              <Button
                disabled={isGoing}
                onClick={() => {
                  hideDone();
                  grid.put(emptied);
                }}
              >
                Clear
              </Button>
              {/* Not `disabled`, which would take the focus from it when everything is stored. */}
              <Button id={submitId} look="primary" type="submit" aria-disabled={isGoing || typedInto === 0}>
                {isGoing ? 'Storing…' : 'Submit'}
              </Button>
            </>
          )}
        </Foot>
      )}
      {asks && (
        <Confirm
          title={`Remove ${counted(changes.removed, 'total')}?`}
          go={`Remove ${counted(changes.removed, 'total')}`}
          removes
          onGo={() => {
            setAsks(false);
            submit();
          }}
          onClose={() => setAsks(false)}
        >
          <p>
            {changes.removed} of the {counted(entered, 'total')} of {setName(sheet)}, {sheet.name} would be taken out. They stay in the
            history of their cells, and can be brought back.
          </p>
        </Confirm>
      )}
    </form>
  );
};

const TAIL = ['Question marks'];

const setName = ({ sets }: Sheet): string => sets.map(({ name }) => name).join(', ');

/** What was submitted is stored, and can be taken back. */
const Done = ({ save, words, name }: Submission & { readonly name: string }) => {
  const { turn, busy, undone, turned, error } = useUndo({ quiet: true });
  const text = turned ? turnedText(turned) : words;
  return (
    <>
      <Notice
        tone="good"
        title={undone ? 'Undone' : 'Done'}
        actions={
          save && (
            <Button disabled={busy !== undefined} onClick={() => turn({ ...save, name }, undone ? 'redone' : 'undone')}>
              {undone ? 'Redo' : 'Undo'}
            </Button>
          )
        }
      >
        {text !== '' && <p>{text}</p>}
      </Notice>
      {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
    </>
  );
};
