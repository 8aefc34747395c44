import type { RankedStudent, Task } from '#api/tasks/task-answers.contract';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { FlagTags } from './FlaggedTotals.tsx';
import { rankText, scoreText } from './figures.ts';
import { ResidualCell } from './ResidualCell.tsx';
import { Rows } from './Rows.tsx';
import { ScoreDialog } from './ScoreDialog.tsx';
import styles from '../Steps.module.css';

const HEADS = [
  { name: 'Ranking', numeric: true },
  { name: 'Name' },
  { name: 'Class' },
  { name: 'Prior', aside: true },
  { name: 'Score', numeric: true },
  { name: 'Residual', numeric: true },
  { name: 'Tests sat', aside: true },
  { name: 'Teacher rank', numeric: true },
  { name: 'Flag' },
  { name: 'Comment' },
];

/** The ranking that stands, with what teachers said about it. Every score opens how it came about. */
export const RankingTable = ({ task: { taskId } }: { readonly task: Pick<Task, 'taskId'> }) => {
  const ranking = useQuestion('task-ranking', { taskId });
  const [explained, setExplained] = useState<RankedStudent>();
  const [isShown, setShown] = useState(false);
  if (ranking.error && !ranking.data) return <Failure error={ranking.error} retry={() => void ranking.refetch()} />;
  if (!ranking.data?.ranking) return <Skeleton rows={8} label="Loading the ranking" />;
  const names = new Map(ranking.data.sets.map(({ setId, name }) => [setId, name]));
  const tests = ranking.data.ranking.norms.tests.length;
  const explain = (student: RankedStudent) => {
    setExplained(student);
    setShown(true);
  };
  return (
    <>
      <Rows label="Ranking" heads={HEADS} rows={ranking.data.students}>
        {(student) => (
          <Row
            key={student.studentId}
            student={student}
            setName={names.get(student.setId) ?? ''}
            tests={tests}
            onExplain={() => explain(student)}
          />
        )}
      </Rows>
      {explained && <ScoreDialog taskId={taskId} student={explained} open={isShown} onClose={() => setShown(false)} />}
    </>
  );
};

type RowProps = { readonly student: RankedStudent; readonly setName: string; readonly tests: number; readonly onExplain: () => void };

const Row = ({ student, setName, tests, onExplain }: RowProps) => {
  const { name, prior, score, ranking, sat, teacherRank, left, exempt, decided, now } = student;
  const comments = [student.rankingComment, student.gradeComment].filter((comment) => comment !== null);
  return (
    <tr data-out={left || exempt || undefined}>
      <td className={styles.number}>
        {rankText(ranking)}
        {now && now.ranking !== null && now.ranking !== ranking && <span className={styles.now}>now {now.ranking}</span>}
      </td>
      <th scope="row">
        {name ?? 'Forgotten student'}
        {left && <span className={styles.tag}>left</span>}
        {exempt && <span className={styles.tag}>exempt</span>}
        {decided && !exempt && <span className={styles.tag}>by hand</span>}
        <FlagTags totalFlags={student.totalFlags} />
      </th>
      <td>{setName}</td>
      <td className={styles.aside}>{prior ?? '–'}</td>
      <td className={styles.number}>
        <Button look="plain" aria-label={`${scoreText(score)}: how ${name ?? 'the student'}’s score came about`} onClick={onExplain}>
          {scoreText(score)}
        </Button>
        {now && now.score !== score && <span className={styles.now}>now {scoreText(now.score)}</span>}
      </td>
      <ResidualCell student={student} />
      <td className={styles.aside}>
        {sat} of {tests}
      </td>
      <td className={styles.number}>{teacherRank ?? ''}</td>
      <td>{student.rankingFlag || student.gradeFlag ? 'Flagged' : ''}</td>
      <td className={styles.text}>{comments.join(' · ')}</td>
    </tr>
  );
};
