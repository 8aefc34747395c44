import type { RankedStudent, TaskScore } from '#api/tasks/ranking/task-ranking.contract';
import { FLAGS } from '#api/contract/flags';
import { naturalOrder } from '#api/contract/order';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import type { ResidualsAnswer } from '#api/analysis/tests.contract';
import { useMoment } from '../../moment.ts';
import { NO_LINE } from '../../marks/markbook/beside.ts';
import { useStructure } from '../../queries.ts';
import { counted, dateTime, fourDecimals, oneDecimal } from '../../format.ts';
import { priorText, rankText, scoreText } from './figures.ts';
import styles from '../Steps.module.css';

type ScoreDialogProps = {
  readonly taskId: string;
  readonly student: Pick<RankedStudent, 'studentId' | 'name'>;
  readonly open: boolean;
  readonly onClose: () => void;
};

/** How a score came about: the totals, what each counts, and who entered them. */
export const ScoreDialog = ({ taskId, student, open, onClose }: ScoreDialogProps) => {
  const { asOf } = useMoment();
  const score = useQuestion('task-score', open ? { taskId, studentId: student.studentId } : undefined, asOf);
  return (
    <Dialog size="fit" title={`Score of ${student.name ?? 'a forgotten student'}`} open={open} onClose={onClose}>
      <div className="stack gap-3 pad">
        {score.error && <Failure error={score.error} retry={() => void score.refetch()} />}
        {score.isPending && <Skeleton rows={8} label="Loading how the score came about" />}
        {score.data && <Explained score={score.data} />}
      </div>
    </Dialog>
  );
};

/** Opens the explanation of a score from a table of a task; `dialog` belongs beside the table. */
export const useScoreDialog = (taskId: string) => {
  const [student, setStudent] = useState<ScoreDialogProps['student']>();
  const [isShown, setShown] = useState(false);
  return {
    explain: (one: ScoreDialogProps['student']) => {
      setStudent(one);
      setShown(true);
    },
    dialog: student && <ScoreDialog taskId={taskId} student={student} open={isShown} onClose={() => setShown(false)} />,
  };
};

type SentScoreProps = { readonly score: TaskScore; readonly standing: ReactNode };

/** Of a ranking that was made in another program nobody here knows how a score came about. */
const SentScore = ({ score: { score, ranking, rankedBy, rankedAt, computed, decided }, standing }: SentScoreProps) => (
  <>
    <p>
      <b>{scoreText(score)}</b>, rank {rankText(ranking)} – made in another program and sent by {rankedBy ?? 'somebody who was forgotten'},{' '}
      {dateTime(rankedAt)}. It was not computed here, so there is no more to show about it.
    </p>
    {decided && (
      <p>
        Decided by hand by {decided.by ?? 'somebody who was forgotten'}, {dateTime(decided.at)}; sent were {scoreText(computed.score)}, rank{' '}
        {rankText(computed.ranking)}.
      </p>
    )}
    {standing}
  </>
);

const Explained = ({ score }: { readonly score: TaskScore }) => {
  const { computed, decided, now, points, priorNorms } = score;
  const tests = score.tests.toSorted((a, b) => naturalOrder(a.name, b.name));
  const sat = tests.filter(({ part }) => part !== null);
  const standing = <Standing taskId={score.taskId} studentId={score.studentId} setId={score.setId} points={points} />;
  if (score.formula === 'client') return <SentScore score={score} standing={standing} />;
  return (
    <>
      <p>
        <b>{scoreText(score.score)}</b>, rank {rankText(score.ranking)} – ranked by {score.rankedBy ?? 'somebody who was forgotten'},{' '}
        {dateTime(score.rankedAt)}, with {score.exam ?? 'an exam that was removed'}: {priorText(score.prior, points)}.
      </p>
      {decided && (
        <p>
          Decided by hand by {decided.by ?? 'somebody who was forgotten'}, {dateTime(decided.at)}; computed were {scoreText(computed.score)}
          , rank {rankText(computed.ranking)}.
        </p>
      )}
      {computed.score === null ? (
        <p>No test was sat: there is no score.</p>
      ) : (
        <p>
          100 ÷ 6 × ({sat.map(({ name, part }) => `${name} ${figureText(part)}`).join(' + ')}) ÷ {sat.length} ={' '}
          <b>{scoreText(computed.score)}</b>
        </p>
      )}
      {now.score !== null && now.score !== computed.score && (
        <p className={styles.now}>
          Totals have changed since: by the means and weights of the ranking it would now be {scoreText(now.score)}.
        </p>
      )}
      <Table label="What each test counts" region={styles.scroll} className={styles.rows}>
        <thead>
          <tr>
            <th scope="col">Test</th>
            {['Total', 'Per cent', 'Mean', 'SD', 'z', 'Weight', 'Weight × (z + 3)'].map((name) => (
              <th key={name} scope="col" className="figure">
                {name}
              </th>
            ))}
            <th scope="col">Entered by</th>
          </tr>
        </thead>
        <tbody>
          {tests.map((test) => (
            <tr key={test.testId}>
              <th scope="row">{test.name}</th>
              <td className={`figure ${styles.text}`}>
                {test.total === null ? 'did not sit it' : `${test.total} of ${test.max}`}
                {test.now !== test.total && <span className={styles.now}>now {test.now ?? 'none'}</span>}
                {test.totalFlags.map((flag) => (
                  <span key={flag} className={styles.now}>
                    {FLAGS[flag].text}
                  </span>
                ))}
              </td>
              <td className="figure">{figureText(test.percent)}</td>
              <td className="figure">{figureText(test.mean)}</td>
              <td className="figure">{figureText(test.sd)}</td>
              <td className="figure">{figureText(test.z)}</td>
              <td className="figure">{figureText(test.multiplier)}</td>
              <td className="figure">{figureText(test.part)}</td>
              <td className={styles.text}>{test.changes.map(changeText).join('; ')}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {standing}
      <div className="muted small">
        <p>
          z = (per cent − mean) ÷ SD, within −3 and +3; mean and SD (of the population) are those of all students of the ranking who sat the
          test.
        </p>
        <p>
          Weight = 1 + (mean prior of those who sat the test − mean prior of all) ÷ SD of the priors ÷ 3, where the quotient of the priors
          is kept within −2 and +2. Of all, the mean is {figureText(priorNorms.mean)} and the SD {figureText(priorNorms.sd)}.
        </p>
        <ul className={styles.warnings}>
          {tests.map((test) => (
            <li key={test.testId}>
              {test.name}: {counted(test.n, 'student')}; 1 + {weightText(test, priorNorms)} ÷ 3 = {figureText(test.multiplier)}
            </li>
          ))}
        </ul>
        <p>They stay as they were at the ranking.</p>
      </div>
    </>
  );
};

/** '(46.4000 − 36.4444) ÷ 12.5708', '−2, the least,' */
const weightText = (
  { priorMean, difference, clipped }: Pick<TaskScore['tests'][number], 'priorMean' | 'difference' | 'clipped'>,
  { mean, sd }: TaskScore['priorNorms'],
): string => {
  if (clipped) return difference < 0 ? '(−2, the least)' : '(+2, the most)';
  return priorMean === null || mean === null || !sd ? '0' : `(${figureText(priorMean)} − ${figureText(mean)}) ÷ ${figureText(sd)}`;
};

const figureText = (value: number | null): string => (value === null ? '–' : fourDecimals(value));

const HOW = { upload: 'uploaded', typed: 'typed', decided: 'decided' } as const;

const changeText = ({ by, at, how, fileName, marks, is, later }: TaskScore['tests'][number]['changes'][number]): string =>
  [
    marks ? 'marks' : is === null ? 'cleared' : String(is),
    `${HOW[how]} by ${by ?? 'somebody who was forgotten'}`,
    fileName ?? '',
    dateTime(at),
    later ? 'after the ranking' : '',
  ]
    .filter((part) => part !== '')
    .join(', ');

type StandingProps = { readonly taskId: string; readonly studentId: string; readonly setId: string; readonly points: number | null };

/** Beside a score: how it compares with what students of the same prior usually get, and where it stands in the cohort. */
const Standing = ({ taskId, studentId, setId, points }: StandingProps) => {
  const { data: structure } = useStructure();
  const yearGroup = structure?.yearGroups.find(({ sets }) => sets.some((set) => set.setId === setId));
  const { data } = useQuestion('residuals', yearGroup && { yearGroupId: yearGroup.yearGroupId, taskId }, useMoment().asOf);
  const student = data?.students.find((one) => one.studentId === studentId);
  if (!data || !student || data.taskId !== taskId) return null;
  return (
    <section aria-label="Beside the score" className="muted small">
      <h3>Beside the score</h3>
      <p>{regressionText(data, student, points)}</p>
      {setText(data, setId)}
      <p>
        In this cohort of {data.students.length}, not nationally: standardised score {student.standardised} (mean 100, SD 15, within 60 and
        140), percentile rank {oneDecimal(student.percentile)}.
      </p>
    </section>
  );
};

const regressionText = ({ line }: ResidualsAnswer, { residual }: ResidualsAnswer['students'][number], points: number | null): string => {
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
