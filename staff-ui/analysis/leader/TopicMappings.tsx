import { Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { leaving } from '../../../ui/session/unsaved.ts';
import { useMoment } from '../../moment.ts';
import { useMayLead } from '../../tasks/may-lead.ts';

const MappingStepper = lazily(() => import('../../../ui/assessments/MappingStepper.tsx'), 'MappingStepper');

type TopicMappingsProps = { readonly test: { readonly testId: string; readonly name: string }; readonly subjectId: string };

/** Opens which topics the questions of an assessment belong to, for those who lead. */
export const TopicMappings = ({ test: { testId, name }, subjectId }: TopicMappingsProps) => {
  const [isOpen, setOpen] = useState(false);
  const { asOf } = useMoment();
  if (!useMayLead() || asOf !== undefined) return null;
  return (
    <>
      <Button look="plain" aria-label={`Topic mappings of ${name}`} onClick={() => setOpen(true)}>
        Topic mappings
      </Button>
      <Dialog
        size="wide"
        title={`Topic mappings – ${name}`}
        open={isOpen}
        beforeClose={(close) => leaving('page', close)}
        onClose={() => setOpen(false)}
      >
        {isOpen && (
          <Suspense fallback={<Skeleton rows={8} label="Loading the allocations" />}>
            <div className="pad">
              <MappingStepper subjectId={subjectId} testId={testId} chooseTree={<p>An admin of your school chooses the topic tree.</p>} />
            </div>
          </Suspense>
        )}
      </Dialog>
    </>
  );
};
