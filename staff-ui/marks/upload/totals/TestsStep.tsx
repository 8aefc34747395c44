import { useId } from 'react';
import { Button } from '../../../../ui/controls/Button.tsx';
import { DialogFoot } from '../../../../ui/controls/Dialog.tsx';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { counted, some } from '../../../format.ts';
import { inWords } from '../preview-model.ts';
import { UnmatchedNotice } from '../../../../ui/file/UnmatchedNotice.tsx';
import styles from '../Upload.module.css';
import { UploadFailure } from '../../../../ui/file/UploadFailure.tsx';
import { leftOut } from './choice.ts';
import { ClassTests } from './ClassTests.tsx';
import type { Totals } from './useTotals.ts';

type TestsStepProps = { readonly totals: Totals; readonly read: NonNullable<Totals['read']>; readonly unmatched: string };

/** Chooses a test for each column, class by class, and previews the upload. */
export const TestsStep = ({ totals, read, unmatched }: TestsStepProps) => {
  const { choice, choose, tests, check, confirm, busy, failed, look, startAgain } = totals;
  const { classes } = read.found;
  const goOn = useId();
  const foreign = classes.filter(({ mayWrite }) => !mayWrite);
  const chosen = classes.some(({ setId }) => (choice[setId] ?? []).length > 0);
  const students = read.parsed.rows.length - read.found.unmatched.length;
  const warning = leftOut(classes, choice, read.parsed.tests);
  return (
    <>
      <div className={`pad ${styles.step}`}>
        <p className="muted">
          <b>{read.fileName}</b>: {counted(students, 'student')} in {counted(classes.length, 'class', 'classes')}.
        </p>
        <UnmatchedNotice message={unmatched} students={read.found.unmatched} others={students} />
        {foreign.length > 0 && <ForeignClasses names={foreign.map(({ name }) => name)} />}
        {foreign.length === 0 && classes.length > 0 && (
          <ClassTests
            classes={classes}
            tests={tests}
            choice={choice}
            onChoose={choose}
            onSkip={chosen ? () => document.getElementById(goOn)?.focus() : undefined}
          />
        )}
        {warning && <Notice tone="warn" title={warning} />}
        <UploadFailure failed={failed} />
      </div>
      <DialogFoot>
        {check.preview && (
          <p role="status" className={styles.outcome}>
            {inWords(check.preview, 'total')}
          </p>
        )}
        <Button onClick={startAgain} disabled={busy}>
          Choose another file
        </Button>
        {check.preview ? (
          <Button id={goOn} look="primary" onClick={look}>
            View Upload Data
          </Button>
        ) : (
          <Button id={goOn} look="primary" disabled={busy || !chosen || foreign.length > 0} onClick={() => void confirm()}>
            {busy ? 'Comparing…' : 'Confirm Assessments'}
          </Button>
        )}
      </DialogFoot>
    </>
  );
};

const ForeignClasses = ({ names }: { readonly names: readonly string[] }) => (
  <Notice tone="bad" title={`You may not upload for ${some(names, 30)}.`}>
    <p>
      The file holds students of {names.length === 1 ? 'this class' : 'these classes'}, and nothing of it was stored. Take their rows out of
      the file, or ask your subject leader to upload it.
    </p>
  </Notice>
);
