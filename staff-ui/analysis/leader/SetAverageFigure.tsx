import { openBeside } from '#api/contract/flags';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useMoment } from '../../as-of/useMoment.ts';
import { counted, fourDecimals } from '../../format.ts';
import explained from '../figures/Explanations.module.css';
import { ClassTotals, Gone } from '../figures/ClassMarks.tsx';
import { useExplain } from '../figures/Explanations.tsx';
import { Facts, useStand } from '../figures/Facts.tsx';
import { OpenFlag } from '../figures/OpenFlag.tsx';
import { STANDS } from './stands.ts';

type SetAverageFigureProps = { readonly yearGroupId: string; readonly testId: string; readonly setId: string };

/** How the mean of a class in a test came about, beside its year group. */
export const SetAverageFigure = ({ yearGroupId, testId, setId }: SetAverageFigureProps) => {
  const ask = { yearGroupId };
  const { data } = useQuestion('leader-dashboard', ask, useMoment().asOf);
  const stand = useStand('leader-dashboard', ask);
  const explain = useExplain();
  if (!data) return <Skeleton rows={6} label="Loading how the figure came about" />;
  const test = data.tests.find((one) => one.testId === testId);
  const average = test?.averages.find((one) => one.setId === setId);
  const set = data.sets.find((one) => one.setId === setId);
  if (!test || !average || !set) return <Gone what="assessment" />;
  const { mean, n, range, stands, leftOut, open } = average;
  const totals = () =>
    explain({ id: `totals ${testId}`, title: `Totals of ${set.name} – ${test.name}`, body: <ClassTotals setId={setId} testId={testId} /> });
  return (
    <>
      <Facts
        facts={[
          ['Test', `${test.name}, of ${test.max ?? 0}`],
          ['Mean', `${fourDecimals(mean)} % of ${counted(n, 'student')} with a staff total, of ${set.students} in ${set.name} now`],
          [
            'Year group',
            test.all
              ? `${fourDecimals(test.all.mean)} % of ${counted(test.all.n, 'student')}${openBeside(test.all.open)}`
              : 'no totals yet',
          ],
          [
            'By chance',
            range
              ? `between ${fourDecimals(range.from)} % and ${fourDecimals(range.to)} %, all classes together: at most once in 100 years without any difference is one named`
              : 'not said of fewer than 10 students',
          ],
          ['Stands', STANDS[stands]],
          ['Left out', `absent ${leftOut.absent}, exempt ${leftOut.exempt}, without a total ${leftOut.noTotal}`],
          stand,
        ]}
      />
      <OpenFlag open={open} of={set.name} onDecide={totals} />
      <div>
        <Button onClick={totals}>See the totals behind it</Button>
      </div>
      <p className={explained.note}>The mean is of the students who are in the class now, wherever they sat it.</p>
    </>
  );
};
