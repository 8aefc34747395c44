import { Button } from '@mui/material';
import { useMemo, useState } from 'react';
import { RemovalDialog, RemoveStudents } from '../../dialog/RemovalDialog.tsx';
import { counted } from '../../format.ts';
import { ImportDialog } from './ImportDialog.tsx';
import { movedOffBy, removedBy } from './import-input.ts';
import styles from './ImportPage.module.css';
import { changedIn, rowsOf } from './preview-rows.ts';
import type { Import } from './useImport.ts';

type FinishProps = { readonly running: Import; readonly preview: NonNullable<Import['preview']> };

/** What the import does in numbers, and Commit, always in sight. */
export const Finish = ({ running: { clear, commit, committing, looking, decide }, preview }: FinishProps) => {
  const [open, setOpen] = useState(false);
  const rows = useMemo(() => rowsOf(preview), [preview]);
  const [isAsked, setAsked] = useState(false);
  const removal = removedBy(preview);
  const removes = removal.students + removal.offRoll > 0;
  const movedOff = movedOffBy(preview);
  const takesMuch = removes || movedOff > 0;
  const close = () => setAsked(false);
  const go = () => {
    close();
    commit(preview);
  };
  const undecidedRows = preview.rows.filter(({ stored }) => stored?.counts === null).length;
  const { added, enrolled, moved, corrected, offRolled, removed } = preview.counts;
  const nothing = added + enrolled + moved + corrected + offRolled + removed === 0;
  const why =
    preview.missingSets.length > 0
      ? 'First choose or make the sets that are not known.'
      : undecidedRows > 0
        ? 'Decide first about the names and dates of birth that differ.'
        : nothing
          ? preview.rows.some(({ change }) => change === 'left-out')
            ? 'Nothing is left to store: those in Off-Roll are not in this subject, and everybody else is stored already.'
            : 'Everything in this file is stored already.'
          : undefined;
  const count = changedIn(rows);
  const commitButton = (
    <Button
      variant="contained"
      color={takesMuch ? 'error' : 'primary'}
      disabled={why !== undefined || committing || looking}
      onClick={() => {
        setOpen(false);
        if (takesMuch) setAsked(true);
        else commit(preview);
      }}
    >
      {committing ? 'Storing…' : count === 0 ? 'Commit to Database' : `Commit to Database (${count.toLocaleString('en-GB')})`}
    </Button>
  );
  return (
    <section className={`stack ${styles.finish}`} aria-label="Commit">
      <p className="strong" aria-live="polite">
        {added + enrolled} new · {moved} moved · {corrected} corrected · {offRolled} to Off-Roll · {removed} removed
      </p>
      {why && <p className="muted">{why}</p>}
      <div className={`row ${styles.buttons}`}>
        <Button variant="outlined" onClick={() => setOpen(true)}>
          View import data
        </Button>
        <Button variant="outlined" onClick={clear} disabled={committing}>
          Clear All
        </Button>
        {commitButton}
      </div>
      {isAsked && removes && (
        // What moves to Off-Roll instead is asked about as soon as its preview is there.
        <RemoveStudents
          {...removal}
          act="Remove"
          cannot={looking}
          onRemove={go}
          onOffRoll={() => decide({ others: 'off-roll' })}
          onClose={close}
        >
          <p>They are not in the file.</p>
        </RemoveStudents>
      )}
      {isAsked && movedOff > 0 && (
        <RemovalDialog
          title={`Move ${counted(movedOff, 'student')} to Off-Roll?`}
          go={`Move ${counted(movedOff, 'student')}`}
          stay="Keep them in their classes"
          onGo={go}
          onClose={close}
        >
          <p>
            {movedOff === 1 ? 'One who is on roll is' : `${counted(movedOff, 'student')} who are on roll are`} not in the file: they leave
            their classes, and their results stay. Undo brings them back.
          </p>
        </RemovalDialog>
      )}
      {open && <ImportDialog rows={rows} commit={commitButton} onClose={() => setOpen(false)} />}
    </section>
  );
};
