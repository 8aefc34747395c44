import type { HistoricTotals } from '#api/analysis/tests.contract';
import { FLAGS } from '#api/contract/flags';
import { studentsToldApart } from '#api/contract/names';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { useMoment } from '../../as-of/useMoment.ts';
import { counted, day, fourDecimals } from '../../format.ts';
import styles from '../figures/Explanations.module.css';
import { useExplain } from '../figures/Explanations.tsx';
import { Facts, useStand } from '../figures/Facts.tsx';
import { markExplained } from '../figures/mark-explained.tsx';

type HistoricMarksProps = { readonly yearGroupId: string; readonly testId: string; readonly schoolYear: number; readonly test: string };

/** The totals behind the mean of a school year, those that are to be decided first; each opens who entered it. */
export const HistoricMarks = ({ yearGroupId, testId, schoolYear, test }: HistoricMarksProps) => {
  const ask = { yearGroupId, testId, schoolYear: String(schoolYear) };
  const { data, error, refetch } = useQuestion('historic-totals', ask, useMoment().asOf, studentsToldApart);
  const stand = useStand('historic-totals', ask);
  const explain = useExplain();
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton rows={8} label="Loading the totals" />;
  const { students, max } = data;
  const totals = students.flatMap(({ total }) => total ?? []);
  const sum = totals.reduce((all, total) => all + total, 0);
  const rows = [...students.filter(isOpen), ...students.filter((one) => !isOpen(one))];
  return (
    <>
      <Facts facts={[['Test', `${test}, of ${max ?? 0}`], ['Mean', meanText(sum, totals.length, max)], stand]} />
      <Table label={`Totals behind it: ${test}`}>
        <thead>
          <tr>
            <th scope="col">Student</th>
            <th scope="col" className={styles.number}>
              {max === null ? 'Total' : `Total of ${max}`}
            </th>
            <th scope="col">Class then</th>
            <th scope="col">Sat on</th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((student) => (
            <tr key={student.studentId}>
              <th scope="row">{student.name ?? 'Forgotten student'}</th>
              <td className={styles.number}>
                <button
                  type="button"
                  className={styles.link}
                  aria-label={`${student.total ?? 'Nothing'}: who entered it, ${student.name ?? 'Forgotten student'}`}
                  onClick={() =>
                    explain(
                      markExplained(
                        { testId, studentId: student.studentId },
                        `${student.name ?? 'Forgotten student'} – total, ${test}`,
                        'total',
                      ),
                    )
                  }
                >
                  {student.total ?? '–'}
                </button>
              </td>
              <td>{student.set}</td>
              <td>{day(student.day)}</td>
              <td className={styles.wrapped}>
                {student.flags?.map((flag) => (
                  <span key={flag} className={styles.flag}>
                    {FLAGS[flag].short}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
};

const isOpen = ({ flags }: HistoricTotals['students'][number]): boolean => flags !== undefined;

const meanText = (sum: number, n: number, max: number | null): string =>
  n === 0 || !max
    ? 'no totals any more'
    : `${sum} ÷ ${n} = ${fourDecimals(sum / n)} of ${max}: ${fourDecimals((100 * sum) / n / max)} % of ${counted(n, 'student')}`;
