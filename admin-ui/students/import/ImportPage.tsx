import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { FilePicker } from '../../../ui/file/FilePicker.tsx';
import { BroughtFile, LeftOut } from '../../../ui/file/brought/BroughtFile.tsx';
import { Doubts } from '../../../ui/file/Doubts.tsx';
import { UploadFailure } from '../../../ui/file/UploadFailure.tsx';
import { AppLink } from '../../../ui/frame/navigation.tsx';
import { Page } from '../../../ui/frame/Page.tsx';
import { subjectPage } from '../../frame/NeedsSubject.tsx';
import styles from './ImportPage.module.css';
import { Candidates } from './Candidates.tsx';
import { Finish } from './Finish.tsx';
import { OtherDetails } from './OtherDetails.tsx';
import { OthersChoice } from './OthersChoice.tsx';
import { SetMatching } from './SetMatching.tsx';
import { useImport } from './useImport.ts';

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
    <div className={`stack gap-6 ${styles.steps}`}>
      {done && (
        <Notice tone="good" title={done.summary}>
          <p>{done.changed}</p>
          {done.renamed.map(({ was, is }) => (
            <p key={was}>
              {was} is called {is} now. Its students went there.
            </p>
          ))}
        </Notice>
      )}
      {done && <LeftOut rows={done.leftOut} />}
      <FilePicker takesWorkbooks file={file} onFile={choose} template={`${import.meta.env.BASE_URL}student_upload.csv`} />
      {!file && (
        <p className="muted">
          To prepare a year in a spreadsheet, download the students under <AppLink to="/admin/export">Export QLA Data</AppLink>, change the
          list, and bring it back here.
        </p>
      )}
      <BroughtFile view={view} expected="Its first line has to be StudentID, Name, Set, DoB." />
      <UploadFailure failed={failed} />
      {file && !preview && !failed && !view.refusal && <Skeleton rows={6} />}
      {preview && (
        <>
          <Doubts doubts={preview.doubts} of="student" />
          <SetMatching
            subjectId={subjectId}
            rows={rows}
            meant={preview.sets}
            missing={preview.missingSets}
            matched={decisions.matched}
            make={decisions.make}
            onMake={(make) => decide({ make })}
            onMatch={(matched) => decide({ matched })}
          />
          <Candidates preview={preview} people={decisions.people} onDecide={(people) => decide({ people })} />
          <OtherDetails preview={preview} details={decisions.details} onDecide={(details) => decide({ details })} />
          <OthersChoice subjectId={subjectId} preview={preview} value={decisions.others} onDecide={decide} />
          <Finish running={running} preview={preview} />
        </>
      )}
    </div>
  );
};
