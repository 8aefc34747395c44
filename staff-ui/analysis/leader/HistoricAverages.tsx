import type { Dashboard } from '#api/analysis/tests.contract';
import { counted, difference, fourDecimals, oneDecimal } from '../../format.ts';
import { Chart } from '../charts/Chart.tsx';
import { LinePicture } from '../charts/pictures.ts';

type Historic = Dashboard['tests'][number]['historic'];
type HistoricAveragesProps = { readonly test: Dashboard['tests'][number]; readonly year: number };

/** The mean in each school year in which the assessment was sat, as a line. */
export const HistoricAverages = ({ test: { name, historic, undated }, year }: HistoricAveragesProps) => {
  if (historic.length === 0)
    return <p>No school year is known for these totals: say on which day a class sat it, in its marks or with an upload.</p>;
  return (
    <Chart
      title={findingOf(historic)}
      says={`Means of all classes of year ${year} by the school year in which they sat it.${undated > 0 ? ` ${counted(undated, 'total')} of students who were off roll then, or of no known day, ${undated === 1 ? 'is' : 'are'} left out.` : ''}`}
      twin={{
        head: ['School year', 'Mean %', 'Students', 'Not settled'],
        rows: historic.map(({ schoolYear, mean, n, open }) => ({
          id: String(schoolYear),
          cells: [nameOf(schoolYear), fourDecimals(mean), n, open ? open.contested + open.aboveMaximum : '–'],
        })),
      }}
    >
      <LinePicture
        label={`Means in ${name} by school year`}
        points={historic.map(({ schoolYear, mean, n, open }) => ({
          id: String(schoolYear),
          name: nameOf(schoolYear),
          value: mean,
          text: `${oneDecimal(mean)} %${open ? ' *' : ''}`,
          label: `${nameOf(schoolYear)}: ${oneDecimal(mean)} %, ${counted(n, 'student')}${open ? ', rests on totals that are not settled' : ''}`,
        }))}
      />
    </Chart>
  );
};

/** 2025/26 */
const nameOf = (schoolYear: number): string => `${schoolYear}/${String((schoolYear + 1) % 100).padStart(2, '0')}`;

const findingOf = (historic: Historic): string => {
  const [last, before] = [historic.at(-1), historic.at(-2)];
  if (!last) return '';
  if (!before) return `${oneDecimal(last.mean)} % in ${nameOf(last.schoolYear)}`;
  return `${oneDecimal(last.mean)} % in ${nameOf(last.schoolYear)}, ${difference(last.mean - before.mean)} against ${nameOf(before.schoolYear)}`;
};
