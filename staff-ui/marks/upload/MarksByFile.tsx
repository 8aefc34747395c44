import { messages } from '#api/contract/limits';
import { Button } from '../../../ui/controls/Button.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { UploadFailure } from '../../../ui/file/UploadFailure.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { counted } from '../../format.ts';
import { FileStep } from './FileStep.tsx';
import { FileSteps } from './FileSteps.tsx';
import styles from './Upload.module.css';
import type { UploadDialogProps } from './request.ts';
import type { Results } from './useResults.ts';
import { useResults } from './useResults.ts';

/** The marks of one test by file (Q1 to Q50). */
export const MarksByFile = ({ request, open, onClose }: UploadDialogProps) => {
  const results = useResults(useSession().subject?.subjectId ?? '', request, open);
  const { step, read, check } = results;
  return (
    <FileSteps
      steps={['File', 'Check', 'Done']}
      upload={results}
      read={read}
      noun="mark"
      unmatched={messages.unmatchedInGroup((check.uploaded ?? check.preview)?.unmatched.length ?? 0)}
      columns={(read?.found.test.questions ?? []).map(({ number, topic, marksAvailable }) => ({
        name: `Q${number}`,
        about: `${topic} (of ${marksAvailable})`,
      }))}
      year={read?.found.group.year}
      offers={<Blanks results={results} />}
      onClose={onClose}
    >
      {step === 'File' && <MarksFileStep results={results} />}
    </FileSteps>
  );
};

const MarksFileStep = ({ results }: { readonly results: Results }) => {
  const { tests, groups, test, group, chooseTest, chooseGroup, failed, check } = results;
  if (tests.length === 0 || groups.length === 0) return <NothingToChoose tests={tests.length > 0} />;
  const years = [...new Set(groups.map(({ year }) => year))];
  return (
    <FileStep
      upload={{ ...results, failed: failed ?? check.failed }}
      kind="results"
      about="One row per student with a mark for each question."
      expected="Its first line has to be StudentID, LastFirst, Q1 to Q50. Totals go in by Upload Student Assessment Totals."
      isReady={test !== undefined && group !== undefined}
    >
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
    </FileStep>
  );
};

const NothingToChoose = ({ tests }: { readonly tests: boolean }) => (
  <EmptyState title={tests ? 'No class of yours' : 'No assessment with questions yet'}>
    {tests
      ? 'Marks can be uploaded for classes that you teach. Your subject leader can assign them to you.'
      : 'Marks are uploaded question by question. An admin of your school adds the assessment and its questions first.'}
  </EmptyState>
);

/** Without a mark for each question a student has no total from them: 0 is offered for the rest. */
const Blanks = ({ results: { blanks, zeros: filled, busy, failed, enterZeros, leaveBlanks } }: { readonly results: Results }) => {
  const zeros = filled?.blanks ?? 0;
  if (failed) return <UploadFailure failed={failed} />;
  if (blanks === 0 && zeros === 0) return null;
  return (
    <Notice
      tone="warn"
      actions={
        blanks > 0 ? (
          <Button disabled={busy} onClick={() => void enterZeros()}>
            Enter 0 for the {counted(blanks, 'blank')}
          </Button>
        ) : (
          <Button disabled={busy} onClick={() => void leaveBlanks()}>
            Leave them blank
          </Button>
        )
      }
    >
      <p>
        {blanks > 0
          ? `${counted(blanks, 'mark')} ${blanks === 1 ? 'is' : 'are'} missing in rows that hold marks. Until every question has one, no sum counts as a total.`
          : `0 goes in for ${counted(zeros, 'blank')}, with the file: one upload, and one undo.`}
      </p>
    </Notice>
  );
};
