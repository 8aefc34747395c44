import type { Dashboard } from '#api/analysis/tests.contract';
import { FLAGS, openBeside } from '#api/contract/flags';
import { studentsToldApart } from '#api/contract/names';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useMoment } from '../../moment.ts';
import { counted, day, difference, fourDecimals, oneDecimal } from '../../format.ts';
import type { YearGroup } from '../../shell/place.ts';
import { Chart } from '../charts/Chart.tsx';
import { LinePicture } from '../charts/pictures.ts';
import { Gone } from '../figures/ClassMarks.tsx';
import explained from '../figures/Explanations.module.css';
import { useExplain } from '../figures/Explanations.tsx';
import { Facts, MeanFacts, meanText, useAsOfText } from '../figures/Facts.tsx';
import { MarksTable } from '../figures/MarksTable.tsx';

type Historic = Dashboard['tests'][number]['historic'];
type HistoricAveragesProps = { readonly test: Dashboard['tests'][number]; readonly yearGroup: YearGroup };

/** The mean in each school year in which the assessment was sat, as a line; each opens its explanation. */
export const HistoricAverages = ({
  test: { testId, name, historic, undated },
  yearGroup: { yearGroupId, year },
}: HistoricAveragesProps) => {
  const explain = useExplain();
  if (historic.length === 0)
    return (
      <p>
        The school year of these totals is not known: enter the day on which a class sat the assessment, with its marks or with an upload.
      </p>
    );
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
      says={`Means of all classes of year ${year} by the school year in which they sat it.${undated > 0 ? ` ${counted(undated, 'total')} of students who were off roll then, or whose day is not known, ${undated === 1 ? 'is' : 'are'} left out.` : ''}`}
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

/** 2025/26 */
export const schoolYearName = (schoolYear: number): string => `${schoolYear}/${String((schoolYear + 1) % 100).padStart(2, '0')}`;

type HistoricFigureProps = { readonly yearGroupId: string; readonly testId: string; readonly schoolYear: number; readonly year: number };

/** How the mean of a school year came about: who is in it, by which day, and who is left out. */
const HistoricFigure = ({ yearGroupId, testId, schoolYear, year }: HistoricFigureProps) => {
  const ask = { yearGroupId };
  const { data } = useQuestion('leader-dashboard', ask, useMoment().asOf);
  const asOfText = useAsOfText('leader-dashboard', ask);
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
    <MeanFacts
      facts={[
        ['Test', `${test.name}, of ${test.max ?? 0}`],
        ['School year', `${schoolYearName(schoolYear)}: sat from 01/09/${schoolYear} to 31/08/${schoolYear + 1}`],
        ['Mean', `${fourDecimals(mean)} % of ${counted(n, 'student')} with a staff total`],
        ['Students', `everybody who was in a class of year ${year} on the day, also those who have left since`],
        [
          'Left out',
          test.undated === 0 ? 'nobody' : `${counted(test.undated, 'total')} of students who were off roll then, or whose day is not known`,
        ],
        asOfText,
      ]}
      open={open}
      of={schoolYearName(schoolYear)}
      onTotals={totals}
    >
      The day is the one that the class says it sat the test; otherwise that of the upload or save whose total counts; otherwise that of the
      first mark of the class.
    </MeanFacts>
  );
};

type HistoricMarksProps = { readonly yearGroupId: string; readonly testId: string; readonly schoolYear: number; readonly test: string };

/** The totals behind the mean of a school year, those that are to be decided first; each opens who entered it. */
const HistoricMarks = ({ yearGroupId, testId, schoolYear, test }: HistoricMarksProps) => {
  const ask = { yearGroupId, testId, schoolYear: String(schoolYear) };
  const { data, error, refetch } = useQuestion('historic-totals', ask, useMoment().asOf, studentsToldApart);
  const asOfText = useAsOfText('historic-totals', ask);
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={8} label="Loading the totals" />;
  const { students, max } = data;
  const totals = students.flatMap(({ total }) => total ?? []);
  const mean = meanText(totals, max);
  return (
    <>
      <Facts
        facts={[
          ['Test', `${test}, of ${max ?? 0}`],
          ['Mean', mean === undefined ? 'no totals any more' : `${mean} of ${counted(totals.length, 'student')}`],
          asOfText,
        ]}
      />
      <MarksTable
        label={`Totals behind it: ${test}`}
        head={max === null ? 'Total' : `Total of ${max}`}
        columns={[{ name: 'Class then' }, { name: 'Sat on' }]}
        rows={[...students.filter(({ flags }) => flags), ...students.filter(({ flags }) => !flags)].map((student) => ({
          studentId: student.studentId,
          name: student.name,
          value: student.total,
          cells: [student.set, day(student.day)],
          note: student.flags?.map((flag) => (
            <span key={flag} className={`small strong ${explained.flag}`}>
              {FLAGS[flag].short}
            </span>
          )),
        }))}
        test={test}
        mark="total"
        cell={{ testId }}
      />
    </>
  );
};
