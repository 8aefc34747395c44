import { messages } from '#api/contract/limits';
import { Dialog } from '../../ui/controls/Dialog.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { CheckStep } from '../upload/CheckStep.tsx';
import { DoneStep } from '../upload/DoneStep.tsx';
import { Steps } from '../upload/Steps.tsx';
import type { UploadRequest } from '../upload/request.ts';
import { FileStep } from './FileStep.tsx';
import { useResults } from './useResults.ts';

type ResultsDialogProps = { readonly request: UploadRequest; readonly open: boolean; readonly onClose: () => void };

/** Uploads the question marks of one test by CSV file (Q1 to Q50). */
export const ResultsDialog = ({ request, open, onClose }: ResultsDialogProps) => {
  const results = useResults(useSession().subject?.subjectId ?? '', request, open);
  const { step, read, check, commit, goBack, startAgain } = results;
  const unmatched = messages.unmatchedInGroup((check.uploaded ?? check.preview)?.unmatched.length ?? 0);
  return (
    <Dialog size="wide" persistent title="Upload question results" open={open} onClose={onClose}>
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
    </Dialog>
  );
};
