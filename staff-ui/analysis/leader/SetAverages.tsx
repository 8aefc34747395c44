import type { Dashboard } from '#api/analysis/tests.contract';
import { openBeside } from '#api/contract/flags';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useMoment } from '../../moment.ts';
import { counted, fourDecimals, oneDecimal, some } from '../../format.ts';
import type { YearGroup } from '../../shell/place.ts';
import { setsInOrder } from '../../shell/place.ts';
import { Chart } from '../charts/Chart.tsx';
import { BarsPicture } from '../charts/pictures.ts';
import { ClassTotals, Gone } from '../figures/ClassMarks.tsx';
import { useExplain } from '../figures/Explanations.tsx';
import { MeanFacts, useAsOfText } from '../figures/Facts.tsx';
import { OpenFlag } from '../figures/OpenFlag.tsx';

type Test = Dashboard['tests'][number];
type Average = Test['averages'][number];

/** How the mean of a class stands to its year group. */
const STANDS: Readonly<Record<Average['stands'], string>> = {
  higher: 'above the year by more than chance',
  lower: 'below the year by more than chance',
  among: 'no different from the year',
  few: 'too few students to say',
};

type SetAveragesProps = { readonly test: Test; readonly dashboard: Dashboard; readonly yearGroup: YearGroup };

/** A bar per class, with the range in which its mean says nothing; each opens its explanation. */
export const SetAverages = ({ test, dashboard, yearGroup }: SetAveragesProps) => {
  const explain = useExplain();
  const nameOf = new Map(dashboard.sets.map(({ setId, name }) => [setId, name]));
  const order = new Map(setsInOrder(yearGroup).map(({ setId }, place) => [setId, place]));
  const averages = test.averages.toSorted((a, b) => (order.get(a.setId) ?? 0) - (order.get(b.setId) ?? 0));
  const open = (setId: string) =>
    explain({
      id: `set average ${test.testId} ${setId}`,
      title: `${nameOf.get(setId) ?? ''} in ${test.name} – how the mean came about`,
      body: <SetAverageFigure yearGroupId={dashboard.yearGroupId} testId={test.testId} setId={setId} />,
    });
  const contested = averages.filter((one) => one.open);
  return (
    <div>
      <Chart
        title={findingOf(averages, nameOf)}
        says={`Means of the staff totals in per cent${test.all ? `, beside ${oneDecimal(test.all.mean)} % of the year (${counted(test.all.n, 'student')})${openBeside(test.all.open)}` : ''}. The line is where chance alone would put a class of its size; nothing is said of fewer than 10 students.`}
        twin={{
          head: ['Class', 'Mean %', 'Students', 'By chance from', 'to', 'Stands'],
          rows: averages.map(({ setId, mean, n, range, stands, open: isOpen }) => ({
            id: setId,
            cells: [
              nameOf.get(setId) ?? '',
              `${fourDecimals(mean)}${openBeside(isOpen)}`,
              n,
              range ? fourDecimals(range.from) : '–',
              range ? fourDecimals(range.to) : '–',
              STANDS[stands],
            ],
          })),
        }}
      >
        <BarsPicture
          label={`Means in ${test.name} by class`}
          rows={averages.map(({ setId, mean, n, stands, range, open: isOpen }) => ({
            id: setId,
            name: nameOf.get(setId) ?? '',
            value: mean,
            text: `${oneDecimal(mean)} %${isOpen ? ' ?' : ''}`,
            label: `${nameOf.get(setId) ?? ''}: ${oneDecimal(mean)} %, ${counted(n, 'student')}, ${STANDS[stands]}${openBeside(isOpen)}`,
            tone: stands,
            range,
          }))}
          middle={test.all ? { value: test.all.mean, name: `year ${oneDecimal(test.all.mean)} %` } : undefined}
          onChoose={open}
        />
      </Chart>
      {contested.map((one) => (
        <OpenFlag key={one.setId} open={one.open} of={nameOf.get(one.setId) ?? ''} onDecide={() => open(one.setId)} />
      ))}
    </div>
  );
};

const findingOf = (averages: readonly Average[], nameOf: ReadonlyMap<string, string>): string => {
  const names = (stands: Average['stands']) => averages.flatMap((one) => (one.stands === stands ? [nameOf.get(one.setId) ?? ''] : []));
  const [above, below] = [names('higher'), names('lower')];
  if (above.length === 0 && below.length === 0) return 'No class differs from the year by more than chance';
  return [above.length > 0 && `${some(above)} above the year`, below.length > 0 && `${some(below)} below`].filter(Boolean).join(', ');
};

type SetAverageFigureProps = { readonly yearGroupId: string; readonly testId: string; readonly setId: string };

/** How the mean of a class in a test came about, beside its year group. */
const SetAverageFigure = ({ yearGroupId, testId, setId }: SetAverageFigureProps) => {
  const ask = { yearGroupId };
  const { data } = useQuestion('leader-dashboard', ask, useMoment().asOf);
  const asOfText = useAsOfText('leader-dashboard', ask);
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
    <MeanFacts
      facts={[
        ['Test', `${test.name}, of ${test.max ?? 0}`],
        ['Mean', `${fourDecimals(mean)} % of ${counted(n, 'student')} with a staff total, of ${set.students} in ${set.name} now`],
        [
          'Year group',
          test.all ? `${fourDecimals(test.all.mean)} % of ${counted(test.all.n, 'student')}${openBeside(test.all.open)}` : 'no totals yet',
        ],
        [
          'By chance',
          range
            ? `between ${fourDecimals(range.from)} % and ${fourDecimals(range.to)} %, for all classes together: where there is no real difference, one is named at most once in 100 years`
            : 'not worked out for fewer than 10 students',
        ],
        ['Stands', STANDS[stands]],
        ['Left out', `absent ${leftOut.absent}, exempt ${leftOut.exempt}, without a total ${leftOut.noTotal}`],
        asOfText,
      ]}
      open={open}
      of={set.name}
      onTotals={totals}
    >
      The mean is of the students who are in the class now, wherever they sat it.
    </MeanFacts>
  );
};
