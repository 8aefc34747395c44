import { messages } from '#api/contract/limits';
import { mixedText } from '#api/prior/prior-score.contract';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Doubts } from '../../ui/file/Doubts.tsx';
import { UnmatchedNotice } from '../../ui/file/UnmatchedNotice.tsx';
import { UploadFailure } from '../../ui/file/UploadFailure.tsx';
import { counted } from '../format.ts';
import styles from './Prior.module.css';
import { PriorPreviewTable } from './PriorPreviewTable.tsx';
import type { usePriorUpload } from './usePriorUpload.ts';

type Upload = ReturnType<typeof usePriorUpload>;

/** What a file of prior data would change, before it is committed. */
export const PriorCheck = ({
  upload: { busy, failed, commit, startAgain },
  read,
}: {
  readonly upload: Upload;
  readonly read: NonNullable<Upload['read']>;
}) => {
  const { preview, fileName } = read;
  const { year } = read.found;
  const { blank } = read.parsed;
  const { counts, students, unmatched } = preview;
  const parts = [
    counts.new > 0 && counted(counts.new, 'new score'),
    counts.replaced > 0 && counted(counts.replaced, 'score replaced', 'scores replaced'),
    counts.equal > 0 && counted(counts.equal, 'score confirmed', 'scores confirmed'),
    counts.earlier > 0 && `${counted(counts.earlier, 'score')} beside one of a later year, which goes on counting`,
    blank > 0 && counted(blank, 'student without a grade', 'students without a grade'),
  ].filter(Boolean);
  return (
    <div className={`stack gap-3 ${styles.step}`}>
      <p>
        <b>{fileName}</b>, completed in {year}: {parts.join(', ')}.
      </p>
      <UnmatchedNotice message={messages.unmatched(unmatched.length)} students={unmatched} others={students.length} />
      {preview.mixed && <Notice tone="warn" title={mixedText(preview.mixed)} />}
      <Doubts doubts={preview.doubts} of="score" />
      {students.length > 0 && <PriorPreviewTable students={students} />}
      <UploadFailure failed={failed} />
      <div className="row gap-4">
        <Button onClick={startAgain} disabled={busy}>
          Choose another file
        </Button>
        <Button look="primary" onClick={commit} disabled={busy || students.length === 0}>
          {busy ? 'Storing…' : 'Commit to DB'}
        </Button>
      </div>
    </div>
  );
};
