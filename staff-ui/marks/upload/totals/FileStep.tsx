import { Button } from '../../../../ui/controls/Button.tsx';
import { DialogFoot } from '../../../../ui/controls/Dialog.tsx';
import { FilePicker } from '../../../../ui/file/FilePicker.tsx';
import { DateSat } from '../DateSat.tsx';
import { FilledTemplate } from '../FilledTemplate.tsx';
import styles from '../Upload.module.css';
import { BroughtFile } from '../../../../ui/file/brought/BroughtFile.tsx';
import { UploadFailure } from '../../../../ui/file/UploadFailure.tsx';
import { WhoQuestions } from '../../../../ui/file/WhoQuestions.tsx';
import type { Totals } from './useTotals.ts';

export const FileStep = ({ totals: { file, chooseFile, date, upload, failed, busy, view, who } }: { readonly totals: Totals }) => (
  <>
    <div className={`${styles.step} ${styles.narrow}`}>
      <p className={styles.quiet}>
        One row per student with up to six totals, for any of your classes. Nothing is stored before you have seen and confirmed what would
        change.
      </p>
      <FilePicker takesWorkbooks file={file} onFile={chooseFile} template={`${import.meta.env.BASE_URL}totals_upload.csv`}>
        <FilledTemplate kind="totals" />
      </FilePicker>
      <DateSat date={date} />
      <BroughtFile
        view={view}
        expected="Its first line has to be StudentID, LastFirst, Test 1 to Test 6. Marks of questions go in by Upload question marks."
      />
      {who && <WhoQuestions who={who} />}
      <UploadFailure failed={failed} />
    </div>
    <DialogFoot>
      <Button look="primary" disabled={!file || busy || date.wrong !== undefined} onClick={() => void upload()}>
        {busy ? 'Reading…' : 'Upload'}
      </Button>
    </DialogFoot>
  </>
);
