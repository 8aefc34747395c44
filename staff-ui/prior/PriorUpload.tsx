import { messages } from '#api/contract/limits';
import { mixedText, priorMessages } from '#api/prior/prior-score.contract';
import { Suspense } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { FilePicker } from '../../ui/file/FilePicker.tsx';
import { BroughtFile, LeftOut } from '../../ui/file/brought/BroughtFile.tsx';
import { UploadFailure } from '../../ui/file/UploadFailure.tsx';
import { WhoQuestions } from '../../ui/file/WhoQuestions.tsx';
import { lazily } from '../../ui/lazily.ts';
import { counted } from '../format.ts';
import { FilledTemplate } from '../marks/upload/FilledTemplate.tsx';
import { UnmatchedNotice } from '../../ui/file/UnmatchedNotice.tsx';
import styles from './Prior.module.css';
import { usePriorUpload } from './usePriorUpload.ts';

// Once a file was read.
const Doubts = lazily(() => import('../../ui/file/Doubts.tsx'), 'Doubts');
const PriorPreviewTable = lazily(() => import('./PriorPreviewTable.tsx'), 'PriorPreviewTable');

type PriorUploadProps = { readonly terminalExamId: string; readonly year: number | undefined };

/** Prior data by CSV file: choose it, see what it would change, commit. */
export const PriorUpload = ({ terminalExamId, year }: PriorUploadProps) => {
  const upload = usePriorUpload(terminalExamId, year);
  const { read, done, startAgain } = upload;
  if (!read) return <ChooseFile upload={upload} year={year} />;
  if (!done) return <Check upload={upload} read={read} />;
  return (
    <div className={styles.step}>
      <Notice
        tone="good"
        title={
          done.stored > 0
            ? `Upload Successful! ${counted(done.stored, 'score')} stored.`
            : 'Nothing was stored: you have uploaded the same before.'
        }
        actions={<Button onClick={startAgain}>Upload another file</Button>}
      >
        {done.stored > 0 && <p>It stands under Recent uploads, and can be undone there.</p>}
      </Notice>
      <LeftOut rows={read.leftOut} />
      {done.leftOut && <Notice title="This file was stored already. Its unknown students are not listed again." />}
      <UnmatchedNotice
        message={messages.unmatched(done.unmatched.length)}
        students={done.unmatched}
        others={read.preview.students.length}
      />
    </div>
  );
};

type Upload = ReturnType<typeof usePriorUpload>;

const ChooseFile = ({
  upload: { file, chooseFile, upload, failed, busy, view, who },
  year,
}: {
  readonly upload: Upload;
  readonly year: number | undefined;
}) => (
  <div className={styles.step}>
    <p className={styles.hint}>
      One row per student of the subject, with a number or a grade from A* to G or U. Nothing is stored before you have seen and confirmed
      what would change.
    </p>
    <FilePicker takesWorkbooks file={file} onFile={chooseFile} template={`${import.meta.env.BASE_URL}prior_upload.csv`}>
      <FilledTemplate kind="prior" />
    </FilePicker>
    <BroughtFile view={view} expected="Its first line has to be StudentID, LastFirst, Grade." />
    {who && <WhoQuestions who={who} />}
    <UploadFailure failed={failed} />
    <div className={styles.submit}>
      {file && year === undefined && <p className={styles.error}>{priorMessages.noYear}</p>}
      <Button look="primary" disabled={!file || year === undefined || busy} onClick={() => void upload()}>
        {busy ? 'Reading…' : 'Upload'}
      </Button>
    </div>
  </div>
);

const Check = ({
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
    <div className={styles.step}>
      <p>
        <b>{fileName}</b>, completed in {year}: {parts.join(', ')}.
      </p>
      <UnmatchedNotice message={messages.unmatched(unmatched.length)} students={unmatched} others={students.length} />
      {preview.mixed && <Notice tone="warn" title={mixedText(preview.mixed)} />}
      <Suspense fallback={<Skeleton rows={6} label="Loading the preview" />}>
        <Doubts doubts={preview.doubts} of="score" />
        {students.length > 0 && <PriorPreviewTable students={students} />}
      </Suspense>
      <UploadFailure failed={failed} />
      <div className={styles.submit}>
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
