import type { Dashboard } from '#api/analysis/tests.contract';
import { openBeside } from '#api/contract/flags';
import { Suspense, useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { oneDecimal } from '../../format.ts';
import { useMoment } from '../../moment.ts';
import { useArea } from '../../shell/area.ts';
import type { YearGroup } from '../../shell/place.ts';
import styles from './Averages.module.css';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { lazily } from '../../../ui/lazily.ts';

// Pictures that most do not open.
const HistoricAverages = lazily(() => import('./HistoricAverages.tsx'), 'HistoricAverages');
const SetAverages = lazily(() => import('./SetAverages.tsx'), 'SetAverages');

type Test = Dashboard['tests'][number];

/** The averages of a year group, which leaders see. */
export const useAverages = ({ yearGroupId }: YearGroup) => {
  const isLeading = useArea() === '/leader';
  return useQuestion('leader-dashboard', isLeading ? { yearGroupId } : undefined, useMoment().asOf);
};

type AveragesProps = { readonly test: Test; readonly dashboard: Dashboard; readonly yearGroup: YearGroup };

/** The average of an assessment and its range; it opens the classes beside each other, and the school years. */
export const Averages = ({ test, dashboard, yearGroup }: AveragesProps) => {
  const [isOpen, setOpen] = useState(false);
  if (test.averages.length === 0 && test.historic.length === 0) return null;
  const text = averageText(test, dashboard);
  return (
    <>
      <Button
        look="plain"
        className={styles.average}
        aria-label={`Averages in ${test.name}: ${text}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Averages: {text}
      </Button>
      {isOpen && (
        <Suspense fallback={<Skeleton rows={6} label="Loading the averages" />}>
          <div className={styles.pictures}>
            {test.averages.length > 0 && <SetAverages test={test} dashboard={dashboard} yearGroup={yearGroup} />}
            <HistoricAverages test={test} yearGroup={yearGroup} />
          </div>
        </Suspense>
      )}
    </>
  );
};

/** 'year 50.2 %, classes from 42.0 % (11Y14) to 57.2 % (11X5)' */
const averageText = ({ all, averages }: Test, { sets }: Dashboard): string => {
  if (!all) return 'of earlier school years';
  const named = averages
    .toSorted((a, b) => a.mean - b.mean)
    .map(({ setId, mean }) => `${oneDecimal(mean)} % (${sets.find((set) => set.setId === setId)?.name ?? ''})`);
  const [lowest, highest] = [named[0], named.at(-1)];
  return `year ${oneDecimal(all.mean)} %${openBeside(all.open)}${named.length > 1 ? `, classes from ${lowest} to ${highest}` : ''}`;
};
