import type { ReactNode } from 'react';
import type { RefusedRow } from '../../../ui/file/brought/brought.ts';
import { ChosenDate, type useDateSat } from './DateSat.tsx';
import { DoneStep } from './DoneStep.tsx';
import type { Column } from './PreviewTable.tsx';
import type { Check } from './useCheck.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { WorkStrips } from '../../../ui/sending/Work.tsx';
import { PreviewTable } from './PreviewTable.tsx';
import { counted } from '../../format.ts';
import { inWords, writtenBy } from './preview-model.ts';
import styles from './Upload.module.css';
import { UnmatchedNotice } from '../../../ui/file/UnmatchedNotice.tsx';
import { Doubts, kindsOf } from '../../../ui/file/Doubts.tsx';
import { UploadFailure } from '../../../ui/file/UploadFailure.tsx';
import { useUnsaved } from '../../../ui/session/unsaved.ts';
import { useFocusOnNewStep } from '../../../ui/controls/useFocusOnNewStep.ts';
import stepStyles from './Steps.module.css';

type FileStepsProps = {
  readonly steps: readonly string[];
  readonly upload: {
    readonly step: string;
    readonly check: Check;
    readonly date: ReturnType<typeof useDateSat>;
    readonly commit: () => void;
    readonly goBack: () => void;
    readonly startAgain: () => void;
  };
  readonly read: { readonly fileName: string; readonly leftOut: readonly RefusedRow[] } | undefined;
  readonly noun: 'total' | 'mark';
  readonly unmatched: string;
  readonly columns: readonly Column[];
  readonly year: number | undefined;
  /** What the check offers besides. */
  readonly offers?: ReactNode;
  readonly onClose: () => void;
  /** The steps before the check. */
  readonly children: ReactNode;
};

/** An upload by file, step by step: what leads to the check is of its kind; the check and the end are alike. */
export const FileSteps = ({ steps, upload, read, noun, unmatched, columns, year, offers, onClose, children }: FileStepsProps) => {
  const { step, check, date, commit, goBack, startAgain } = upload;
  // A file that was read, and not stored, is work; one that is being stored goes on.
  useUnsaved(step !== 'Done' && read !== undefined && !check.busy, 'part');
  return (
    <>
      <Steps steps={steps} current={step} />
      {children}
      {step === 'Check' && read && (
        <CheckStep check={check} noun={noun} unmatched={unmatched} columns={columns} onBack={goBack} onCommit={commit}>
          <ChosenDate date={date} />
          {offers}
        </CheckStep>
      )}
      {step === 'Done' && read && check.uploaded && (
        <DoneStep
          uploaded={check.uploaded}
          contested={check.contested}
          fileName={read.fileName}
          noun={noun}
          unmatched={unmatched}
          leftOut={read.leftOut}
          query={year === undefined ? '' : `?year=${year}`}
          onAgain={startAgain}
          onClose={onClose}
        />
      )}
    </>
  );
};

type CheckStepProps = Pick<FileStepsProps, 'columns' | 'noun' | 'unmatched'> & {
  readonly check: Check;
  readonly onBack: () => void;
  readonly onCommit: () => void;
  readonly children: ReactNode;
};

/** Shows what the upload would change, cell by cell, and commits it. */
const CheckStep = ({ check, columns, noun, unmatched, onBack, onCommit, children }: CheckStepProps) => {
  const { preview, ticked, tick, busy, failed } = check;
  if (!preview) return null;
  const warnings = kindsOf(preview.doubts);
  return (
    <>
      {busy && <WorkStrips />}
      <div className={`pad ${styles.step} ${styles.full}`}>
        <p className="large strong">
          {inWords(preview, noun)}
          {preview.rankings > 0 && ` ${counted(preview.rankings, 'ranking')} would show that totals have changed since.`}
        </p>
        <UnmatchedNotice message={unmatched} students={preview.unmatched} others={preview.students.length} />
        {children}
        <UploadFailure failed={failed} />
        <PreviewTable preview={preview} columns={columns} ticked={ticked} tick={tick} />
        {warnings > 0 && (
          <details className={`rigid ${styles.warnings}`}>
            <summary>{counted(warnings, 'warning')} about the file</summary>
            <Doubts doubts={preview.doubts} of={noun} />
          </details>
        )}
      </div>
      <DialogFoot>
        <Button onClick={onBack} disabled={busy}>
          Show Upload dialog
        </Button>
        <Button look="primary" onClick={onCommit} disabled={busy || writtenBy(preview) === 0}>
          {busy ? 'Storing…' : 'Commit to DB'}
        </Button>
      </DialogFoot>
    </>
  );
};

/** The steps of an upload and the current one. */
const Steps = ({ steps, current }: { readonly steps: readonly string[]; readonly current: string }) => {
  const list = useFocusOnNewStep(current);
  return (
    <ol ref={list} className={`row rigid gap-6 pad muted ${stepStyles.steps}`} aria-label="Steps">
      {steps.map((step, index) => (
        <li
          key={step}
          className="line"
          tabIndex={-1}
          aria-current={step === current ? 'step' : undefined}
          data-past={index < steps.indexOf(current) || undefined}
        >
          <span className={`tiny strong ${stepStyles.number}`}>{index + 1}</span> {step}
        </li>
      ))}
    </ol>
  );
};
