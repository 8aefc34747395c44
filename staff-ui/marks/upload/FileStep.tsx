import type { TemplateKind } from '#api/templates';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { BroughtFile } from '../../../ui/file/brought/BroughtFile.tsx';
import type { BroughtView } from '../../../ui/file/brought/useBrought.ts';
import { FilePicker } from '../../../ui/file/FilePicker.tsx';
import { UploadFailure } from '../../../ui/file/UploadFailure.tsx';
import { WhoQuestions } from '../../../ui/file/WhoQuestions.tsx';
import { DateSat } from './DateSat.tsx';
import { FilledTemplate } from './FilledTemplate.tsx';
import styles from './Upload.module.css';
import type { Results } from './useResults.ts';

type FileStepProps = {
  readonly upload: Pick<Results, 'file' | 'chooseFile' | 'date' | 'upload' | 'failed' | 'busy' | 'who'> & { readonly view: BroughtView };
  readonly kind: TemplateKind;
  readonly about: string;
  /** What its first line has to be, and where files of the other kind go in. */
  readonly expected: string;
  /** Whether everything besides the file is chosen. */
  readonly isReady?: boolean;
  readonly children?: ReactNode;
};

/** Chooses a file and the day on which its assessments were sat, and answers what it leaves open. */
export const FileStep = ({ upload: step, kind, about, expected, isReady = true, children }: FileStepProps) => {
  const { file, chooseFile, date, upload, failed, busy, view, who } = step;
  return (
    <>
      <div className={`pad ${styles.step} ${styles.narrow}`}>
        <p className="muted">{about} Nothing is stored before you have seen and confirmed what would change.</p>
        {children}
        <FilePicker takesWorkbooks file={file} onFile={chooseFile} template={`${import.meta.env.BASE_URL}${kind}_upload.csv`}>
          <FilledTemplate kind={kind} />
        </FilePicker>
        <DateSat date={date} />
        <BroughtFile view={view} expected={expected} />
        {who && <WhoQuestions who={who} />}
        <UploadFailure failed={failed} />
      </div>
      <DialogFoot>
        <Button look="primary" disabled={!file || !isReady || busy || date.wrong !== undefined} onClick={() => void upload()}>
          {busy ? 'Reading…' : 'Upload'}
        </Button>
      </DialogFoot>
    </>
  );
};
