import type { Dashboard } from '#api/analysis/tests.contract';
import { openBeside } from '#api/contract/flags';
import { counted, fourDecimals, oneDecimal, some } from '../../format.ts';
import type { YearGroup } from '../../shell/place.ts';
import { setsInOrder } from '../../shell/place.ts';
import { Chart } from '../charts/Chart.tsx';
import { BarsPicture } from '../charts/pictures.ts';
import { useExplain } from '../figures/Explanations.tsx';
import { OpenFlag } from '../figures/OpenFlag.tsx';
import type { Average } from './stands.ts';
import { STANDS } from './stands.ts';
import { SetAverageFigure } from './SetAverageFigure.tsx';

type Test = Dashboard['tests'][number];

type SetAveragesProps = { readonly test: Test; readonly dashboard: Dashboard; readonly yearGroup: YearGroup };

/** A bar per class, with the range in which its mean says nothing; each opens how it came about. */
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
        says={`Means of the staff totals in per cent${test.all ? `, beside ${oneDecimal(test.all.mean)} % of the year (${counted(test.all.n, 'student')})${openBeside(test.all.open)}` : ''}. The line is where chance alone would put a class of its size; of fewer than 10 students nothing is said.`}
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
