import { messages } from '#api/contract/limits';
import { useState } from 'react';
import { Dialog } from '../../ui/controls/Dialog.tsx';
import { Tabs } from '../../ui/controls/Tabs.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { ManualEntryTab } from '../sheet/ManualEntry.tsx';
import { CheckStep } from '../upload/CheckStep.tsx';
import { DoneStep } from '../upload/DoneStep.tsx';
import { Steps } from '../upload/Steps.tsx';
import type { UploadRequest } from '../upload/request.ts';
import { FileStep } from './FileStep.tsx';
import { useResults } from './useResults.ts';

type MarksDialogProps = { readonly request: UploadRequest; readonly open: boolean; readonly onClose: () => void };

/** Enter question-level analysis: the marks of one test, typed or pasted, or by CSV file (Q1 to Q50). */
export const MarksDialog = ({ request, open, onClose }: MarksDialogProps) => {
  const [tab, setTab] = useState<'manual' | 'bulk'>(request.by === 'hand' ? 'manual' : 'bulk');
  return (
    <Dialog size="wide" persistent title="Enter question-level analysis" open={open} onClose={onClose}>
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
  const { step, read, check, commit, goBack, startAgain } = results;
  const unmatched = messages.unmatchedInGroup((check.uploaded ?? check.preview)?.unmatched.length ?? 0);
  return (
    <>
      <Steps steps={['File', 'Check', 'Done']} current={step} />
      {step === 'File' && <FileStep results={results} />}
      {step === 'Check' && read && (
        <CheckStep
          check={check}
          noun="mark"
          unmatched={unmatched}
          onBack={goBack}
          onCommit={commit}
          columns={read.test.questions.map(({ number, topic, marksAvailable }) => ({
            name: `Q${number}`,
            about: `${topic} (of ${marksAvailable})`,
          }))}
        />
      )}
      {step === 'Done' && read && check.uploaded && (
        <DoneStep
          uploaded={check.uploaded}
          contested={check.contested}
          fileName={read.fileName}
          noun="mark"
          unmatched={unmatched}
          onAgain={startAgain}
          onClose={onClose}
          query={`?year=${read.group.year}`}
        />
      )}
    </>
  );
};
