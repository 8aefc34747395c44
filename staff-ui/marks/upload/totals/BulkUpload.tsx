import { messages } from '#api/contract/limits';
import { useSession } from '../../../../ui/session/Session.tsx';
import { CheckStep } from '../CheckStep.tsx';
import { DoneStep } from '../DoneStep.tsx';
import { ChosenDate } from '../DateSat.tsx';
import type { UploadRequest } from '../request.ts';
import { Steps } from '../Steps.tsx';
import { columnsOf } from './choice.ts';
import { FileStep } from './FileStep.tsx';
import { TestsStep } from './TestsStep.tsx';
import { useTotals } from './useTotals.ts';

type BulkUploadProps = { readonly request: UploadRequest; readonly open: boolean; readonly onClose: () => void };

/** Totals by CSV file: choose it, name its columns, check, commit. */
export const BulkUpload = ({ request, open, onClose }: BulkUploadProps) => {
  const totals = useTotals(useSession().subject?.subjectId ?? '', request, open);
  const { step, look, read, choice, tests, check, commit, date, startAgain } = totals;
  const unmatched = messages.unmatched((check.uploaded ?? check.preview ?? read?.found)?.unmatched.length ?? 0);
  return (
    <>
      <Steps steps={['File', 'Tests', 'Check', 'Done']} current={step} />
      {step === 'File' && <FileStep totals={totals} />}
      {step === 'Tests' && read && <TestsStep totals={totals} read={read} unmatched={unmatched} />}
      {step === 'Check' && read && (
        <CheckStep
          check={check}
          noun="total"
          unmatched={unmatched}
          columns={columnsOf(read.found.classes, choice, tests)}
          onBack={() => look(false)}
          onCommit={commit}
        >
          <ChosenDate date={date} />
        </CheckStep>
      )}
      {step === 'Done' && read && check.uploaded && (
        <DoneStep
          uploaded={check.uploaded}
          contested={check.contested}
          fileName={read.fileName}
          noun="total"
          unmatched={unmatched}
          leftOut={read.leftOut}
          onAgain={startAgain}
          onClose={onClose}
          query={read.found.classes[0] ? `?year=${read.found.classes[0].year}` : ''}
        />
      )}
    </>
  );
};
