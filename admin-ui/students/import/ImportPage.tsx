import { Button } from '@mui/material';
import { useState } from 'react';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { FilePicker } from '../../../ui/file/FilePicker.tsx';
import { BroughtFile, LeftOut } from '../../../ui/file/brought/BroughtFile.tsx';
import { Doubts } from '../../../ui/file/Doubts.tsx';
import { UploadFailure } from '../../../ui/file/UploadFailure.tsx';
import { Page } from '../../../ui/frame/Page.tsx';
import { RemovalDialog, RemoveStudents } from '../../dialog/RemovalDialog.tsx';
import { subjectPage } from '../../frame/NeedsSubject.tsx';
import styles from './ImportPage.module.css';
import { Candidates } from './Candidates.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { movedOffBy, notInFile, removedBy } from './import-input.ts';
import { OtherDetails } from './OtherDetails.tsx';
import { SetMatching } from './SetMatching.tsx';
import { useImport } from './useImport.ts';
import type { Import } from './useImport.ts';
import { counted } from '../../format.ts';
import type { Others } from './import-input.ts';

/** Imports a file of students; nothing is stored before every change has been shown. */
export const ImportPage = subjectPage('Bulk Upload', ({ subjectId, name }) => (
  <Page
    title="Bulk Upload"
    sub={`Students of ${name}, one row each: StudentID, Name, Set, DoB. The set Off-Roll takes a student off roll.`}
  >
    <Steps subjectId={subjectId} />
  </Page>
));

const Steps = ({ subjectId }: { readonly subjectId: string }) => {
  const running = useImport(subjectId);
  const { file, view, rows, choose, decisions, decide, preview, failed, done } = running;
  return (
    <div className={styles.steps}>
      {done && (
        <Notice tone="good" title={done.summary}>
          <p>{done.changed}</p>
        </Notice>
      )}
      {done && <LeftOut rows={done.leftOut} />}
      <FilePicker takesWorkbooks file={file} onFile={choose} template={`${import.meta.env.BASE_URL}student_upload.csv`} />
      <BroughtFile view={view} expected="Its first line has to be StudentID, Name, Set, DoB." />
      <UploadFailure failed={failed} />
      {file && !preview && !failed && !view.refusal && <Skeleton rows={6} />}
      {preview && (
        <>
          <Doubts doubts={preview.doubts} of="student" />
          <SetMatching
            subjectId={subjectId}
            rows={rows}
            missing={preview.missingSets}
            matched={decisions.matched}
            make={decisions.make}
            onMake={(make) => decide({ make })}
            onMatch={(matched) => decide({ matched })}
          />
          <Candidates preview={preview} people={decisions.people} onDecide={(people) => decide({ people })} />
          <OtherDetails preview={preview} details={decisions.details} onDecide={(details) => decide({ details })} />
          <OthersChoice preview={preview} value={decisions.others} onChange={(others) => decide({ others })} />
          <Finish running={running} preview={preview} />
        </>
      )}
    </div>
  );
};

type FinishProps = { readonly running: Import; readonly preview: NonNullable<Import['preview']> };

const Finish = ({ running: { clear, commit, committing, looking, decide }, preview }: FinishProps) => {
  const [open, setOpen] = useState(false);
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
        ? 'First decide about the names and dates of birth that differ.'
        : nothing
          ? preview.rows.some(({ change }) => change === 'left-out')
            ? 'Nothing is left to store: those in Off-Roll are not in this subject, and everybody else is stored already.'
            : 'Everything in this file is stored already.'
          : undefined;
  return (
    <section className={styles.finish} aria-label="Commit">
      <p className={styles.counts} aria-live="polite">
        {added + enrolled} new · {moved} moved · {corrected} corrected · {offRolled} to Off-Roll · {removed} removed
      </p>
      {why && <p className={styles.quiet}>{why}</p>}
      <div className={styles.buttons}>
        <Button variant="outlined" onClick={() => setOpen(true)}>
          View import data
        </Button>
        <Button variant="outlined" onClick={clear} disabled={committing}>
          Clear All
        </Button>
        <Button
          variant="contained"
          color={takesMuch ? 'error' : 'primary'}
          disabled={why !== undefined || committing || looking}
          onClick={() => (takesMuch ? setAsked(true) : commit(preview))}
        >
          {committing ? 'Storing…' : 'Commit to Database'}
        </Button>
      </div>
      {isAsked && removes && (
        // What moves to Off-Roll instead is asked about as soon as its preview is there.
        <RemoveStudents {...removal} cannot={looking} onRemove={go} onOffRoll={() => decide({ others: 'off-roll' })} onClose={close}>
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
      {open && <ImportDialog preview={preview} onClose={() => setOpen(false)} />}
    </section>
  );
};

type OthersChoiceProps = {
  readonly preview: Parameters<typeof notInFile>[0];
  readonly value: Others;
  readonly onChange: (others: Others) => void;
};

const options: readonly { readonly value: Others; readonly label: string }[] = [
  { value: 'keep', label: '1. Keep them in their current groups' },
  { value: 'off-roll', label: '2. Move them to Off-Roll' },
  { value: 'remove', label: '3. Permanently remove them from this subject, with their results' },
];

/** What to do with students of the subject who are not in the file. */
const OthersChoice = ({ preview, value, onChange }: OthersChoiceProps) => (
  <fieldset className={styles.part}>
    <legend>Existing students who are not in the file</legend>
    <p className={styles.quiet}>
      {preview.others.length === 0 ? 'There are none: the file holds every student of this subject.' : notInFile(preview)}
      {value === 'remove' && ' Undo brings them back with their results, and so does adding them again.'}
    </p>
    {preview.others.length > 0 &&
      options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input type="radio" name="others" checked={value === option.value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
  </fieldset>
);
