import type { Dashboard } from '#api/analysis/tests.contract';
import { Suspense, useState } from 'react';
import { Link } from 'wouter';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { useMoment } from '../../as-of/useMoment.ts';
import { useUploadDialogs } from '../../marks/upload/request.ts';
import { useArea } from '../../shell/area.ts';
import type { YearGroup } from '../../shell/place.ts';
import { placeQuery } from '../../shell/place.ts';
import { useMayLead } from '../../tasks/may-lead.ts';
import styles from './Averages.module.css';

const MappingStepper = lazily(() => import('../../../ui/assessments/MappingStepper.tsx'), 'MappingStepper');

type ActsProps = { readonly test: Dashboard['tests'][number]; readonly yearGroup: YearGroup; readonly subjectId: string };

/** Where one goes on from the averages of an assessment. */
export const Acts = ({ test: { testId, name, max }, yearGroup, subjectId }: ActsProps) => {
  const { open, mayUpload } = useUploadDialogs();
  const { asOf } = useMoment();
  const mayMap = useMayLead() && asOf === undefined;
  const area = useArea();
  const [isMapping, setMapping] = useState(false);
  const place = placeQuery(yearGroup, undefined);
  const query = `${place}${place === '' ? '?' : '&'}test=${testId}${asOf === undefined ? '' : `&asOf=${encodeURIComponent(asOf)}`}`;
  return (
    <div className={styles.acts}>
      <Link className={buttonClass('plain')} to={`${area}/questions${query}`} aria-label={`Question analysis of ${name}`}>
        Question analysis
      </Link>
      {mayUpload && max !== null && (
        <Button look="plain" aria-label={`Upload totals: ${name}`} onClick={() => open({ kind: 'totals', testId })}>
          Upload totals
        </Button>
      )}
      <Link className={buttonClass('plain')} to={`${area}/marks${query}`} aria-label={`Question marks of ${name}`}>
        Question marks
      </Link>
      <Link className={buttonClass('plain')} to={`${area}/markbook${query}`} aria-label={`Markbook with ${name}`}>
        Markbook
      </Link>
      {mayMap && (
        <Button look="plain" aria-label={`Topic mappings of ${name}`} onClick={() => setMapping(true)}>
          Topic mappings
        </Button>
      )}
      {mayMap && (
        <Dialog size="wide" title={`Topic mappings – ${name}`} open={isMapping} onClose={() => setMapping(false)} persistent>
          {isMapping && (
            <Suspense fallback={<Skeleton rows={8} label="Loading the allocations" />}>
              <MappingStepper subjectId={subjectId} testId={testId} chooseTree={<p>An admin of your school chooses the topic tree.</p>} />
            </Suspense>
          )}
        </Dialog>
      )}
    </div>
  );
};
