import type { ResidualsAnswer } from '#api/analysis/tests.contract';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { useMoment } from '../../as-of/useMoment.ts';
import { counted, fourDecimals, oneDecimal } from '../../format.ts';
import { NO_LINE } from '../../marks/markbook/beside.ts';
import { useStructure } from '../../queries.ts';
import styles from '../Steps.module.css';

type StandingProps = { readonly taskId: string; readonly studentId: string; readonly setId: string; readonly points: number | null };

/** Beside a score: how it compares with what students of the same prior usually get, and where it stands in the cohort. */
export const Standing = ({ taskId, studentId, setId, points }: StandingProps) => {
  const { data: structure } = useStructure();
  const yearGroup = structure?.yearGroups.find(({ sets }) => sets.some((set) => set.setId === setId));
  const { data } = useQuestion('residuals', yearGroup && { yearGroupId: yearGroup.yearGroupId, taskId }, useMoment().asOf);
  const student = data?.students.find((one) => one.studentId === studentId);
  if (!data || !student || data.taskId !== taskId) return null;
  return (
    <section aria-label="Beside the score" className={styles.hint}>
      <h3>Beside the score</h3>
      <p>{residualText(data, student, points)}</p>
      {setText(data, setId)}
      <p>
        In this cohort of {data.students.length}, not nationally: standardised score {student.standardised} (mean 100, SD 15, within 60 and
        140), percentile rank {oneDecimal(student.percentile)}.
      </p>
    </section>
  );
};

const residualText = ({ line }: ResidualsAnswer, { residual }: ResidualsAnswer['students'][number], points: number | null): string => {
  if (!line) return NO_LINE;
  if (residual === null || points === null) return 'Regression residual: none, because there is no prior.';
  const expected = line.a + line.b * points;
  return `Regression residual ${signed(residual)}: the score minus ${fourDecimals(expected)}, which students with this prior usually get (${fourDecimals(line.a)} + ${fourDecimals(line.b)} × prior, over ${counted(line.n, 'student')}).`;
};

const setText = ({ sets }: ResidualsAnswer, setId: string) => {
  const set = sets.find((one) => one.setId === setId);
  if (!set) return null;
  return (
    <p>
      Mean of the class {signed(set.mean)}, between {signed(set.from)} and {signed(set.to)} (95 %):{' '}
      {set.clear ? (
        <b>{set.mean > 0 ? 'above' : 'below'} what its priors would lead one to expect</b>
      ) : (
        'no different from what its priors would lead one to expect'
      )}
      .
    </p>
  );
};

/** +3.1000, −0.0200 */
const signed = (value: number): string => `${value < 0 ? '' : '+'}${fourDecimals(value)}`;
