import type { Dashboard } from '#api/analysis/tests.contract';
import { dateText } from '#api/contract/dates';
import { Suspense, useState } from 'react';
import { Link } from 'wouter';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Button, buttonClass } from '../../../ui/controls/Button.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Section } from '../../../ui/frame/Page.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { useMoment } from '../../moment.ts';
import { useUploadDialogs } from '../../marks/upload/request.ts';
import { useArea } from '../../shell/area.ts';
import type { YearGroup } from '../../shell/place.ts';
import { placeQuery } from '../../shell/place.ts';
import { useMayLead } from '../../tasks/may-lead.ts';
import styles from './Averages.module.css';
import { HistoricAverages } from './HistoricAverages.tsx';
import { SetAverages } from './SetAverages.tsx';

const MappingStepper = lazily(() => import('../../../ui/assessments/MappingStepper.tsx'), 'MappingStepper');

/** So many are shown at first. */
const MOST = 4;

/** The averages of a year group, assessment by assessment: its classes beside each other, and the school years. */
export const Averages = ({ yearGroup }: { readonly yearGroup: YearGroup }) => {
  const ask = { yearGroupId: yearGroup.yearGroupId };
  const dashboard = useQuestion('leader-dashboard', ask, useMoment().asOf);
  const [isAll, setAll] = useState(false);
  const { data, error } = dashboard;
  const shown = data && (isAll ? data.tests : data.tests.slice(0, MOST));
  return (
    <Section title="Averages">
      {error && !data && <Failure error={error} retry={() => void dashboard.refetch()} />}
      {!data && !error && <Skeleton rows={6} label="Loading the averages" />}
      {data?.tests.length === 0 && (
        <EmptyState title="No assessments yet">
          Once the totals of an assessment are in, the averages of the classes and of the school years appear here.
        </EmptyState>
      )}
      {data && shown && (
        <div className={styles.list}>
          {shown.map((test) => (
            <OneAssessment key={test.testId} test={test} dashboard={data} yearGroup={yearGroup} />
          ))}
        </div>
      )}
      {data && data.tests.length > MOST && !isAll && (
        <Button look="plain" onClick={() => setAll(true)}>
          Show the averages of all {data.tests.length} assessments
        </Button>
      )}
    </Section>
  );
};

type OneAssessmentProps = {
  readonly test: Dashboard['tests'][number];
  readonly dashboard: Dashboard;
  readonly yearGroup: YearGroup;
};

const OneAssessment = ({ test, dashboard, yearGroup }: OneAssessmentProps) => (
  <article className={styles.assessment} aria-label={`Averages in ${test.name}`}>
    <header>
      <h3>{test.name}</h3>
      <p className={styles.note}>
        {test.max === null ? 'No questions yet: add them first' : `of ${test.max}`}
        {test.day !== null && ` · last sat on ${dateText(test.day)}`}
      </p>
    </header>
    {test.averages.length === 0 && <p className={styles.note}>No totals of these classes yet.</p>}
    {(test.averages.length > 0 || test.historic.length > 0) && (
      <div className={styles.pictures}>
        {test.averages.length > 0 && <SetAverages test={test} dashboard={dashboard} yearGroup={yearGroup} />}
        <HistoricAverages test={test} yearGroup={yearGroup} />
      </div>
    )}
    <Actions test={test} yearGroup={yearGroup} subjectId={dashboard.subjectId} />
  </article>
);

type ActionsProps = { readonly test: Dashboard['tests'][number]; readonly yearGroup: YearGroup; readonly subjectId: string };

/** Where one goes on from the averages of an assessment. */
const Actions = ({ test: { testId, name, max }, yearGroup, subjectId }: ActionsProps) => {
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
