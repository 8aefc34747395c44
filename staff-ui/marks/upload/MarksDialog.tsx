import { messages } from '#api/contract/limits';
import { useState } from 'react';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Tabs } from '../../../ui/controls/Tabs.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { UploadFailure } from '../../../ui/file/UploadFailure.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { ManualEntryTab } from '../sheet/ManualEntry.tsx';
import { counted } from '../../format.ts';
import { CheckStep } from './CheckStep.tsx';
import { DoneStep } from './DoneStep.tsx';
import { ChosenDate } from './DateSat.tsx';
import { Steps } from './Steps.tsx';
import type { UploadRequest } from './request.ts';
import { MarksFileStep } from './MarksFileStep.tsx';
import type { Results } from './useResults.ts';
import { useResults } from './useResults.ts';

type MarksDialogProps = { readonly request: UploadRequest; readonly open: boolean; readonly onClose: () => void };

/** Enter question-level analysis: the marks of one test, typed or pasted, or by CSV file (Q1 to Q50). */
export const MarksDialog = ({ request, open, onClose }: MarksDialogProps) => {
  const [tab, setTab] = useState<'manual' | 'bulk'>(request.by === 'hand' ? 'manual' : 'bulk');
  return (
    <Dialog size="tall" persistent title="Enter question-level analysis" open={open} onClose={onClose}>
      <Tabs
        label="How to enter marks"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          { id: 'manual', name: 'Manual Entry', content: tab === 'manual' && <ManualEntryTab kind="marks" request={request} /> },
          { id: 'bulk', name: 'Bulk Upload', content: <ByFile request={request} open={open} onClose={onClose} /> },
        ]}
      />
    </Dialog>
  );
};

const ByFile = ({ request, open, onClose }: MarksDialogProps) => {
  const results = useResults(useSession().subject?.subjectId ?? '', request, open);
  const { step, read, check, commit, date, goBack, startAgain } = results;
  const unmatched = messages.unmatchedInGroup((check.uploaded ?? check.preview)?.unmatched.length ?? 0);
  return (
    <>
      <Steps steps={['File', 'Check', 'Done']} current={step} />
      {step === 'File' && <MarksFileStep results={results} />}
      {step === 'Check' && read && (
        <CheckStep
          check={check}
          noun="mark"
          unmatched={unmatched}
          onBack={goBack}
          onCommit={commit}
          columns={read.found.test.questions.map(({ number, topic, marksAvailable }) => ({
            name: `Q${number}`,
            about: `${topic} (of ${marksAvailable})`,
          }))}
        >
          <ChosenDate date={date} />
          <Blanks results={results} />
        </CheckStep>
      )}
      {step === 'Done' && read && check.uploaded && (
        <DoneStep
          uploaded={check.uploaded}
          contested={check.contested}
          fileName={read.fileName}
          noun="mark"
          unmatched={unmatched}
          leftOut={read.leftOut}
          onAgain={startAgain}
          onClose={onClose}
          query={`?year=${read.found.group.year}`}
        />
      )}
    </>
  );
};

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
