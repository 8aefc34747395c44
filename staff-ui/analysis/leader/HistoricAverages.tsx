import type { Dashboard } from '#api/analysis/tests.contract';
import { openBeside } from '#api/contract/flags';
import { counted, difference, fourDecimals, oneDecimal } from '../../format.ts';
import type { YearGroup } from '../../shell/place.ts';
import { Chart } from '../charts/Chart.tsx';
import { LinePicture } from '../charts/pictures.ts';
import { useExplain } from '../figures/Explanations.tsx';
import { HistoricFigure } from './HistoricFigure.tsx';
import { schoolYearName } from './stands.ts';

type Historic = Dashboard['tests'][number]['historic'];
type HistoricAveragesProps = { readonly test: Dashboard['tests'][number]; readonly yearGroup: YearGroup };

/** The mean in each school year in which the assessment was sat, as a line; each opens how it came about. */
export const HistoricAverages = ({
  test: { testId, name, historic, undated },
  yearGroup: { yearGroupId, year },
}: HistoricAveragesProps) => {
  const explain = useExplain();
  if (historic.length === 0)
    return <p>No school year is known for these totals: say on which day a class sat it, in its marks or with an upload.</p>;
  const open = (id: string) => {
    const schoolYear = Number(id);
    explain({
      id: `historic ${testId} ${id}`,
      title: `${schoolYearName(schoolYear)} in ${name} – how the mean came about`,
      body: <HistoricFigure yearGroupId={yearGroupId} testId={testId} schoolYear={schoolYear} year={year} />,
    });
  };
  return (
    <Chart
      title={findingOf(historic)}
      says={`Means of all classes of year ${year} by the school year in which they sat it.${undated > 0 ? ` ${counted(undated, 'total')} of students who were off roll then, or of no known day, ${undated === 1 ? 'is' : 'are'} left out.` : ''}`}
      twin={{
        head: ['School year', 'Mean %', 'Students', 'Not settled'],
        rows: historic.map(({ schoolYear, mean, n, open }) => ({
          id: String(schoolYear),
          cells: [schoolYearName(schoolYear), fourDecimals(mean), n, open ? open.contested + open.aboveMaximum : '–'],
        })),
      }}
    >
      <LinePicture
        label={`Means in ${name} by school year`}
        onChoose={open}
        points={historic.map(({ schoolYear, mean, n, open }) => ({
          id: String(schoolYear),
          name: schoolYearName(schoolYear),
          value: mean,
          text: `${oneDecimal(mean)} %${open ? ' ?' : ''}`,
          label: `${schoolYearName(schoolYear)}: ${oneDecimal(mean)} %, ${counted(n, 'student')}${openBeside(open)}`,
        }))}
      />
    </Chart>
  );
};

const findingOf = (historic: Historic): string => {
  const [last, before] = [historic.at(-1), historic.at(-2)];
  if (!last) return '';
  if (!before) return `${oneDecimal(last.mean)} % in ${schoolYearName(last.schoolYear)}`;
  return `${oneDecimal(last.mean)} % in ${schoolYearName(last.schoolYear)}, ${difference(last.mean - before.mean)} against ${schoolYearName(before.schoolYear)}`;
};
