import { messages } from '#api/contract/limits';
import { useState } from 'react';
import { Dialog, DialogFoot } from '../../ui/controls/Dialog.tsx';
import { Tabs } from '../../ui/controls/Tabs.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useStructure } from '../queries.ts';
import { ManualEntry } from '../sheet/ManualEntry.tsx';
import sheetStyles from '../sheet/Sheet.module.css';
import { ownClasses } from '../shell/place.ts';
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
          { id: 'manual', name: 'Manual Entry', content: tab === 'manual' && <ByHand request={request} /> },
          { id: 'bulk', name: 'Bulk Upload', content: <ByFile request={request} open={open} onClose={onClose} /> },
        ]}
      />
    </Dialog>
  );
};

const ByHand = ({ request }: Pick<MarksDialogProps, 'request'>) => {
  const { me } = useSession();
  const structure = useStructure();
  const [{ setId, testId }, setPlace] = useState<{ readonly setId?: string; readonly testId?: string }>(request);
  if (structure.error) return <Failure error={structure.error} retry={() => void structure.refetch()} />;
  if (!structure.data) return <Skeleton rows={8} label="Loading classes" />;
  return (
    <div className={sheetStyles.dialog}>
      <ManualEntry
        structure={ownClasses(structure.data, me.role)}
        setId={setId}
        testId={testId}
        isSetGiven={request.setId !== undefined}
        choose={(chosen) => setPlace((before) => ({ ...before, ...chosen }))}
        Foot={DialogFoot}
      />
    </div>
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
