import { Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { lazilyAhead } from '../../../ui/lazily.ts';
import { useMoment } from '../../moment.ts';
import type { SchoolSet } from '../../shell/place.ts';

const TrackerDialog = lazilyAhead(() => import('./TrackerDialog.tsx'), 'TrackerDialog');

type TrackerButtonProps = {
  readonly test: { readonly testId: string; readonly name: string };
  /** Those to choose from; of one alone the dialog asks nothing. */
  readonly sets: readonly SchoolSet[];
  readonly look?: 'plain';
};

/** Opens the tracker of an assessment, which shows what is being sent in now. */
export const TrackerButton = ({ test, sets, look }: TrackerButtonProps) => {
  /** Once it has been open it stays, to return the focus when it closes. */
  const [isOpen, setOpen] = useState<boolean>();
  const { asOf } = useMoment();
  if (asOf !== undefined) return null;
  return (
    <>
      <Button {...(look && { look })} aria-label={`Submission tracker of ${test.name}`} onClick={() => setOpen(true)}>
        Submissions
      </Button>
      {isOpen !== undefined && (
        <Suspense fallback={null}>
          <TrackerDialog test={test} sets={sets} open={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
};
