import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { WorkStrips } from '../../../ui/sending/Work.tsx';
import type { Column } from './PreviewTable.tsx';
import { PreviewTable } from './PreviewTable.tsx';
import { inWords, writtenBy } from './preview-model.ts';
import styles from './Upload.module.css';
import { UnmatchedNotice } from '../../../ui/file/UnmatchedNotice.tsx';
import { Doubts } from '../../../ui/file/Doubts.tsx';
import { UploadFailure } from '../../../ui/file/UploadFailure.tsx';
import type { Check } from './useCheck.ts';

type CheckStepProps = {
  readonly check: Check;
  readonly columns: readonly Column[];
  readonly noun: 'total' | 'mark';
  readonly unmatched: string;
  readonly onBack: () => void;
  readonly onCommit: () => void;
  /** What it offers besides. */
  readonly children?: ReactNode;
};

/** Shows what the upload would change, cell by cell, and commits it. */
export const CheckStep = ({ check, columns, noun, unmatched, onBack, onCommit, children }: CheckStepProps) => {
  const { preview, ticked, tick, busy, failed } = check;
  if (!preview) return null;
  return (
    <>
      {busy && <WorkStrips />}
      <div className={`${styles.step} ${styles.full}`}>
        <p className={styles.summary}>{inWords(preview, noun)}</p>
        <UnmatchedNotice message={unmatched} students={preview.unmatched} others={preview.students.length} />
        <Doubts doubts={preview.doubts} of={noun} />
        {children}
        <UploadFailure failed={failed} />
        <PreviewTable preview={preview} columns={columns} ticked={ticked} tick={tick} />
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
