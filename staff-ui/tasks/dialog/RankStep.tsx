import type { Task } from '#api/tasks/task.contract';
import { NO_TEST, taskMessages } from '#api/tasks/task-fields.contract';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { counted, dateTime } from '../../format.ts';
import { usePriorSummary } from '../../prior/queries.ts';
import { useMayLead } from '../may-lead.ts';
import { RankingTable } from '../ranking/RankingTable.tsx';
import styles from '../Steps.module.css';
import { CannotRank, RankingPreview } from './RankingPreview.tsx';
import { RemoveRanking } from './RemoveRanking.tsx';

type RankStepProps = {
  readonly task: Task;
  /** The tests that were tried on the replay; undefined: none were. */
  readonly tried: readonly string[] | undefined;
  readonly onDone: () => void;
};

/** Step 3: by which prior exam and tests the students are ranked; what it would make; the ranking that stands. */
export const RankStep = ({ task, tried, onDone }: RankStepProps) => {
  const mayRank = useMayLead() && task.lowest < 4;
  const [isAgain, setAgain] = useState(tried !== undefined);
  const isChoosing = mayRank && (task.ranking === null || isAgain);
  const done = () => {
    setAgain(false);
    onDone();
  };
  const gone = task.ranking?.testIds.filter((testId) => task.offered.every((test) => test.testId !== testId)).length ?? 0;
  return (
    <>
      {task.ranking && (
        <p>
          Ranked by {task.ranking.by ?? 'somebody who was forgotten'}, {dateTime(task.ranking.at)}: {task.ranking.ranked} of{' '}
          {counted(task.ranking.students, 'student')}
          {task.ranking.formula === 'client'
            ? '. The ranking was made in another program and sent: its scores are not computed here.'
            : `, prior data of ${task.ranking.exam ?? 'an exam that was removed'}.`}
        </p>
      )}
      {gone > 0 && <p className="muted small">{goneText(gone)}</p>}
      {!mayRank && !task.ranking && <p className="muted small">{taskMessages.notRanked}</p>}
      {!mayRank && task.lowest >= 4 && task.status < 6 && <p className="muted small">{taskMessages.reopenFirst}</p>}
      {task.ranking && mayRank && (
        <div className="row">
          {!isAgain && <Button onClick={() => setAgain(true)}>Rank again</Button>}
          <RemoveRanking taskId={task.taskId} rankingId={task.ranking.rankingId} />
        </div>
      )}
      {isChoosing && <Choose key={task.ranking?.rankingId} task={task} tried={tried} onDone={done} />}
      {task.ranking && !(isAgain && mayRank) && <RankingTable task={task} />}
    </>
  );
};

/** Totals of deleted tests stay in the ranking (docs/decisions/16-a-ranking-keeps-a-deleted-assessment.md). */
const goneText = (many: number): string =>
  many === 1
    ? '1 of its tests was deleted since, or has no totals any more: it still counts in this ranking, but not if you rank again.'
    : `${many} of its tests were deleted since, or have no totals any more: they still count in this ranking, but not if you rank again.`;

const Choose = ({ task, tried, onDone }: RankStepProps) => {
  const summary = usePriorSummary(task.yearGroupId);
  const exams = summary.data?.exams.filter(({ scores }) => scores > 0) ?? [];
  const [examId, setExam] = useState(task.ranking?.terminalExamId ?? undefined);
  const exam = exams.find(({ terminalExamId }) => terminalExamId === examId) ?? exams.find(({ enough }) => enough) ?? exams[0];
  const [testIds, setTests] = useState<readonly string[]>(() => {
    const taskTests = task.offered.filter((test) => test.inTask).map(({ testId }) => testId);
    if (tried) return task.offered.flatMap(({ testId }) => (tried.includes(testId) ? testId : []));
    // A ranking that was made in another program names no tests.
    if (task.ranking?.formula === 'client') return taskTests;
    return task.ranking?.testIds.filter((testId) => task.offered.some((test) => test.testId === testId)) ?? taskTests;
  });
  if (summary.error) return <Failure error={summary.error} retry={() => void summary.refetch()} />;
  if (!summary.data) return <Skeleton rows={4} label="Loading prior data" />;
  if (!exam) return <CannotRank task={task} why={taskMessages.noPrior} />;
  return (
    <>
      <div className={styles.fields}>
        <Select label="Prior data" value={exam.terminalExamId} onChange={({ target }) => setExam(target.value)}>
          {exams.map(({ terminalExamId, name, scores }) => (
            <option key={terminalExamId} value={terminalExamId}>
              {name} ({scores} of {counted(summary.data.students, 'student')})
            </option>
          ))}
        </Select>
      </div>
      <fieldset className={`${styles.choices} ${styles.tests}`}>
        <legend>Tests</legend>
        {task.offered.map(({ testId, name, entered, inTask }) => (
          <label key={testId} className="tick">
            <input
              type="checkbox"
              checked={testIds.includes(testId)}
              onChange={({ target }) =>
                setTests(task.offered.map((test) => test.testId).filter((one) => (one === testId ? target.checked : testIds.includes(one))))
              }
            />
            <span>
              {name}{' '}
              <span className="muted small">
                {counted(entered, 'total')}
                {inTask ? '' : ', not of this task'}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {testIds.length === 0 ? (
        <CannotRank task={task} why={NO_TEST} />
      ) : (
        <RankingPreview task={task} terminalExamId={exam.terminalExamId} testIds={testIds} onDone={onDone} />
      )}
      {task.ranking && (
        <p>
          <Button onClick={onDone}>Keep the ranking that stands</Button>
        </p>
      )}
    </>
  );
};
