import { messages } from '#api/contract/limits';
import { useSession } from '../../../../ui/session/Session.tsx';
import { FileStep } from '../FileStep.tsx';
import { FileSteps } from '../FileSteps.tsx';
import type { UploadDialogProps } from '../request.ts';
import { columnsOf } from './choice.ts';
import { TestsStep } from './TestsStep.tsx';
import { useTotals } from './useTotals.ts';

/** Totals by file: choose it, name its columns, check, commit. */
export const TotalsByFile = ({ request, open, onClose }: UploadDialogProps) => {
  const totals = useTotals(useSession().subject?.subjectId ?? '', request, open);
  const { step, read, choice, tests, check } = totals;
  const classes = read?.found.classes ?? [];
  const unmatched = messages.unmatched((check.uploaded ?? check.preview ?? read?.found)?.unmatched.length ?? 0);
  return (
    <FileSteps
      steps={['File', 'Tests', 'Check', 'Done']}
      upload={totals}
      read={read}
      noun="total"
      unmatched={unmatched}
      columns={columnsOf(classes, choice, tests)}
      year={classes[0]?.year}
      onClose={onClose}
    >
      {step === 'File' && (
        <FileStep
          upload={totals}
          kind="totals"
          about="One row per student with up to six totals, for any of your classes."
          expected="Its first line has to be StudentID, LastFirst, Test 1 to Test 6. Marks of questions go in by Enter question-level analysis."
        />
      )}
      {step === 'Tests' && read && <TestsStep totals={totals} read={read} unmatched={unmatched} />}
    </FileSteps>
  );
};
