import { AWAYS } from '#api/contract/attendance';
import { openBeside } from '#api/contract/flags';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { counted, day, fourDecimals } from '../../format.ts';
import { ClassTotals, Gone } from '../figures/ClassMarks.tsx';
import { useExplain } from '../figures/Explanations.tsx';
import { leftOutText, MeanFacts, useAsOfText } from '../figures/Facts.tsx';
import { useClassHome } from './useClassHome.ts';

/** How the mean of a class in a test came about, beside that of all students. */
export const AverageFigure = ({ setId, testId }: { readonly setId: string; readonly testId: string }) => {
  const home = useClassHome(setId);
  const explain = useExplain();
  const asOfText = useAsOfText('class-home', { setId });
  if (!home.data) return <Skeleton rows={6} label="Loading how the figure came about" />;
  const test = home.data.completed.find((one) => one.testId === testId);
  if (!test) return <Gone what="assessment" />;
  const { average, all, leftOut } = test;
  const totals = () =>
    explain({
      id: `totals ${testId}`,
      title: `Totals of ${home.data.name} – ${test.name}`,
      body: <ClassTotals setId={setId} testId={testId} />,
    });
  return (
    <MeanFacts
      facts={[
        [
          'Class',
          average.mean === null
            ? 'no questions yet'
            : `mean ${fourDecimals(average.mean)} % of ${counted(average.n, 'student')} with a staff total`,
        ],
        ['Spread', average.sd === null ? 'none: of one student' : `SD ${fourDecimals(average.sd)} percentage points (of a sample)`],
        [
          'All students',
          all.mean === null
            ? 'no questions yet'
            : `mean ${fourDecimals(all.mean)} % of ${counted(all.n, 'student')} of the subject, in any year${openBeside(all.open)}`,
        ],
        ['Sat on', test.day === null ? 'unknown' : day(test.day)],
        ['Left out', leftOutText(leftOut, [...AWAYS, 'no-total'])],
        asOfText,
      ]}
      open={average.open}
      of={test.name}
      onTotals={totals}
    >
      A staff total is the total that a teacher entered, or the sum of the staff’s question marks if every question has one.
    </MeanFacts>
  );
};
