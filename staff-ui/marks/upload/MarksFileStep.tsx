import { Button } from '../../../ui/controls/Button.tsx';
import { DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { FilePicker } from '../../../ui/file/FilePicker.tsx';
import { DateSat } from './DateSat.tsx';
import { FilledTemplate } from './FilledTemplate.tsx';
import styles from './Upload.module.css';
import { BroughtFile } from '../../../ui/file/brought/BroughtFile.tsx';
import { UploadFailure } from '../../../ui/file/UploadFailure.tsx';
import { WhoQuestions } from '../../../ui/file/WhoQuestions.tsx';
import type { Results } from './useResults.ts';

export const MarksFileStep = ({ results }: { readonly results: Results }) => {
  const { tests, groups, test, group, file, chooseTest, chooseGroup, chooseFile, date, upload, failed, busy, check, view, who } = results;
  if (tests.length === 0 || groups.length === 0) return <NothingToChoose tests={tests.length > 0} />;
  const years = [...new Set(groups.map(({ year }) => year))];
  return (
    <>
      <div className={`${styles.step} ${styles.narrow}`}>
        <p className={styles.quiet}>
          One row per student with a mark for each question. Nothing is stored before you have seen and confirmed what would change.
        </p>
        <div className={styles.pair}>
          <Select
            label="Assessment"
            value={test?.testId ?? ''}
            onChange={(event) => chooseTest(event.target.value)}
            hint={test && `${test.questions.length} questions, ${test.max} marks`}
          >
            <option value="" disabled>
              Select an assessment
            </option>
            {tests.map(({ testId, name }) => (
              <option key={testId} value={testId}>
                {name}
              </option>
            ))}
          </Select>
          <Select
            label="Class"
            value={group?.id ?? ''}
            onChange={(event) => chooseGroup(event.target.value)}
            hint={group ? undefined : 'Select a set to continue...'}
          >
            <option value="" disabled>
              Select Class
            </option>
            {years.map((year) => (
              <optgroup key={year} label={`Year ${year}`}>
                {groups
                  .filter((one) => one.year === year)
                  .map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
              </optgroup>
            ))}
          </Select>
        </div>
        <FilePicker takesWorkbooks file={file} onFile={chooseFile} template={`${import.meta.env.BASE_URL}results_upload.csv`}>
          <FilledTemplate kind="results" />
        </FilePicker>
        <DateSat date={date} />
        <BroughtFile
          view={view}
          expected="Its first line has to be StudentID, LastFirst, Q1 to Q50. Totals go in by Upload Student Assessment Totals."
        />
        {who && <WhoQuestions who={who} />}
        <UploadFailure failed={failed ?? check.failed} />
      </div>
      <DialogFoot>
        <Button look="primary" disabled={!file || !test || !group || busy || date.wrong !== undefined} onClick={() => void upload()}>
          {busy ? 'Reading…' : 'Upload'}
        </Button>
      </DialogFoot>
    </>
  );
};

const NothingToChoose = ({ tests }: { readonly tests: boolean }) => (
  <EmptyState title={tests ? 'No class of yours' : 'No assessment with questions yet'}>
    {tests
      ? 'Marks can be uploaded for classes that you teach. Your subject leader can assign them to you.'
      : 'Marks are uploaded question by question. An admin of your school adds the assessment and its questions first.'}
  </EmptyState>
);
