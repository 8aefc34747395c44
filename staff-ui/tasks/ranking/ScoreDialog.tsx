import type { RankedStudent, TaskScore } from '#api/tasks/task-answers.contract';
import { flagText } from '#api/tasks/task-fields.contract';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Dialog } from '../../../ui/controls/Dialog.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { dateTime } from '../../format.ts';
import { rankText, scoreText } from './figures.ts';
import styles from '../Steps.module.css';

type ScoreDialogProps = {
  readonly taskId: string;
  readonly student: Pick<RankedStudent, 'studentId' | 'name'>;
  readonly open: boolean;
  readonly onClose: () => void;
};

/** How a score came about: the totals, what each counts, and who entered them. */
export const ScoreDialog = ({ taskId, student, open, onClose }: ScoreDialogProps) => {
  const score = useQuestion('task-score', open ? { taskId, studentId: student.studentId } : undefined);
  return (
    <Dialog size="wide" title={`Score of ${student.name ?? 'a forgotten student'}`} open={open} onClose={onClose}>
      <div className={styles.explained}>
        {score.error && <Failure error={score.error} retry={() => void score.refetch()} />}
        {score.isPending && <Skeleton rows={8} label="Loading how the score came about" />}
        {score.data && <Explained score={score.data} />}
      </div>
    </Dialog>
  );
};

const figure = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 4, maximumFractionDigits: 4 });
const figureText = (value: number | null): string => (value === null ? '–' : figure.format(value));

const Explained = ({ score }: { readonly score: TaskScore }) => {
  const { computed, decided, tests, now } = score;
  const sat = tests.filter(({ part }) => part !== null);
  return (
    <>
      <p>
        <b>{scoreText(score.score)}</b>, rank {rankText(score.ranking)} – ranked by {score.rankedBy ?? 'somebody who was forgotten'},{' '}
        {dateTime(score.rankedAt)}, with {score.exam ?? 'an exam that was removed'} ({score.prior ?? 'no prior score'}).
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
          100 ÷ 6 × ({sat.map(({ part }) => figureText(part)).join(' + ')}) ÷ {sat.length} = <b>{scoreText(computed.score)}</b>
        </p>
      )}
      {now.score !== null && now.score !== computed.score && (
        <p className={styles.now}>
          Totals have changed since: by the means and weights of the ranking it would now be {scoreText(now.score)}.
        </p>
      )}
      <Table label="What each test counts" region={styles.scroll}>
        <thead>
          <tr>
            <th scope="col">Test</th>
            {['Total', 'Per cent', 'Mean', 'SD', 'z', 'Weight', 'Weight × (z + 3)'].map((name) => (
              <th key={name} scope="col" className={styles.number}>
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
              <td className={styles.number}>
                {test.total === null ? 'did not sit it' : `${test.total} of ${test.max}`}
                {test.now !== test.total && <span className={styles.now}>now {test.now ?? 'none'}</span>}
                {test.totalFlags.map((flag) => (
                  <span key={flag} className={styles.now}>
                    {flagText[flag]}
                  </span>
                ))}
              </td>
              <td className={styles.number}>{figureText(test.percent)}</td>
              <td className={styles.number}>{figureText(test.mean)}</td>
              <td className={styles.number}>{figureText(test.sd)}</td>
              <td className={styles.number}>{figureText(test.z)}</td>
              <td className={styles.number}>{figureText(test.multiplier)}</td>
              <td className={styles.number}>{figureText(test.part)}</td>
              <td className={styles.text}>{test.changes.map(changeText).join('; ')}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <p className={styles.hint}>
        Mean and SD are those of all {tests.map(({ n }) => n).join(', ')} students of the ranking who sat the test; the SD is that of the
        population. z is limited to −3 and +3. A test’s weight tells how far the prior data of those who sat it (
        {tests.map((test) => figureText(test.priorMean)).join(', ')}) is from that of all (mean {figureText(score.priorNorms.mean)}, SD{' '}
        {figureText(score.priorNorms.sd)}). They stay as they were at the ranking.
      </p>
    </>
  );
};

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
