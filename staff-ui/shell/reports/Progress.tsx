import { sentence } from '../../../ui/api/failure.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { NotRecorded } from '../../../ui/file/useHandOut.ts';
import styles from './Progress.module.css';
import type { Report } from './useReport.ts';
import { NothingToReport } from './useReport.ts';

type ProgressProps = { readonly report: Pick<Report<never>, 'pending' | 'progress' | 'cancel' | 'wasCancelled' | 'error'> };

/** How far a report is, with Cancel; or that it was cancelled, or why there is none. */
export const Progress = ({ report: { pending, progress, cancel, wasCancelled, error } }: ProgressProps) => (
  <>
    {pending && (
      <div className={`row small ${styles.progress}`} role="status">
        <progress value={progress ? progress.done / progress.all : undefined} aria-label="Making the file" />
        <span>{progress ? `${progress.done} of ${progress.all}` : 'Making the file…'}</span>
        <Button look="plain" onClick={cancel}>
          Cancel
        </Button>
      </div>
    )}
    {wasCancelled && !pending && <Notice tone="warn" title="Cancelled: no file was saved." />}
    {error !== undefined && (
      <Notice
        tone="bad"
        title={
          error instanceof NothingToReport || error instanceof NotRecorded
            ? error.message
            : `The file could not be made. ${sentence(error)}`
        }
      />
    )}
  </>
);
