import { messages } from '#api/contract/limits';
import { priorMessages } from '#api/prior/prior-score.contract';
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
const PriorCheck = lazily(() => import('./PriorCheck.tsx'), 'PriorCheck');

type PriorUploadProps = { readonly terminalExamId: string; readonly year: number | undefined };

/** Prior data by CSV file: choose it, see what it would change, commit. */
export const PriorUpload = ({ terminalExamId, year }: PriorUploadProps) => {
  const upload = usePriorUpload(terminalExamId, year);
  const { read, done, startAgain } = upload;
  if (!read) return <ChooseFile upload={upload} year={year} />;
  if (!done)
    return (
      <Suspense fallback={<Skeleton rows={6} label="Loading the preview" />}>
        <PriorCheck upload={upload} read={read} />
      </Suspense>
    );
  return (
    <div className={`stack gap-3 ${styles.step}`}>
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
  <div className={`stack gap-3 ${styles.step}`}>
    <p className="small muted">
      One row per student of the subject, with a number or a grade from A* to G or U. Nothing is stored before you have seen and confirmed
      what would change.
    </p>
    <FilePicker takesWorkbooks file={file} onFile={chooseFile} template={`${import.meta.env.BASE_URL}prior_upload.csv`}>
      <FilledTemplate kind="prior" />
    </FilePicker>
    <BroughtFile view={view} expected="Its first line has to be StudentID, LastFirst, Grade." />
    {who && <WhoQuestions who={who} />}
    <UploadFailure failed={failed} />
    <div className="row gap-4">
      {file && year === undefined && <p className="small failed">{priorMessages.noYear}</p>}
      <Button look="primary" disabled={!file || year === undefined || busy} onClick={() => void upload()}>
        {busy ? 'Reading…' : 'Upload'}
      </Button>
    </div>
  </div>
);
