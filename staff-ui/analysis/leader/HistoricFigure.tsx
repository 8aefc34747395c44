import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useMoment } from '../../as-of/useMoment.ts';
import { counted, fourDecimals } from '../../format.ts';
import explained from '../figures/Explanations.module.css';
import { Gone } from '../figures/ClassMarks.tsx';
import { useExplain } from '../figures/Explanations.tsx';
import { Facts, useStand } from '../figures/Facts.tsx';
import { OpenFlag } from '../figures/OpenFlag.tsx';
import { HistoricMarks } from './HistoricMarks.tsx';
import { schoolYearName } from './stands.ts';

type HistoricFigureProps = { readonly yearGroupId: string; readonly testId: string; readonly schoolYear: number; readonly year: number };

/** How the mean of a school year came about: who is in it, by which day, and who is left out. */
export const HistoricFigure = ({ yearGroupId, testId, schoolYear, year }: HistoricFigureProps) => {
  const ask = { yearGroupId };
  const { data } = useQuestion('leader-dashboard', ask, useMoment().asOf);
  const stand = useStand('leader-dashboard', ask);
  const explain = useExplain();
  if (!data) return <Skeleton rows={6} label="Loading how the figure came about" />;
  const test = data.tests.find((one) => one.testId === testId);
  const average = test?.historic.find((one) => one.schoolYear === schoolYear);
  if (!test || !average) return <Gone what="assessment" />;
  const { mean, n, open } = average;
  const totals = () =>
    explain({
      id: `historic totals ${testId} ${schoolYear}`,
      title: `Totals of ${schoolYearName(schoolYear)} – ${test.name}`,
      body: <HistoricMarks yearGroupId={yearGroupId} testId={testId} schoolYear={schoolYear} test={test.name} />,
    });
  return (
    <>
      <Facts
        facts={[
          ['Test', `${test.name}, of ${test.max ?? 0}`],
          ['School year', `${schoolYearName(schoolYear)}: sat from 01/09/${schoolYear} to 31/08/${schoolYear + 1}`],
          ['Mean', `${fourDecimals(mean)} % of ${counted(n, 'student')} with a staff total`],
          ['Students', `everybody who was in a class of year ${year} on the day, also those who have left since`],
          [
            'Left out',
            test.undated === 0 ? 'nobody' : `${counted(test.undated, 'total')} of students who were off roll then, or of no known day`,
          ],
          stand,
        ]}
      />
      <OpenFlag open={open} of={schoolYearName(schoolYear)} onDecide={totals} />
      <div>
        <Button onClick={totals}>See the totals behind it</Button>
      </div>
      <p className={explained.note}>
        The day is the one that the class says it sat the test; otherwise that of the upload or save whose total counts; otherwise that of
        the first mark of the class.
      </p>
    </>
  );
};
