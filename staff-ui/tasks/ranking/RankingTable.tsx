import { studentsToldApart } from '#api/contract/names';
import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import type { Task } from '#api/tasks/task.contract';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { FlagTags } from './FlaggedTotals.tsx';
import { Filtered } from './Filtered.tsx';
import { flaggedText, rankText, scoreText } from './figures.ts';
import { Now } from './Now.tsx';
import { Overridden } from './Overridden.tsx';
import { ResidualCell } from './ResidualCell.tsx';
import { Rows } from './Rows.tsx';
import { useScoreDialog } from './ScoreDialog.tsx';
import styles from '../Steps.module.css';

const heads = (hasGrades: boolean) => [
  { name: 'Ranking', numeric: true },
  { name: 'Name' },
  { name: 'Class' },
  { name: 'Score', numeric: true },
  ...(hasGrades ? [{ name: 'Grade' }] : []),
  { name: 'Prior' },
  { name: 'Residual', numeric: true },
  { name: 'Tests sat' },
  { name: 'Teacher rank', numeric: true },
  { name: 'Flag and comment' },
];

/** The ranking that stands, with the comments of teachers. Every score opens its explanation. */
export const RankingTable = ({ task: { taskId } }: { readonly task: Pick<Task, 'taskId'> }) => {
  const ranking = useQuestion('task-ranking', { taskId }, undefined, studentsToldApart);
  const { explain, dialog } = useScoreDialog(taskId);
  if (ranking.error && !ranking.data) return <Failure error={ranking.error} retry={() => void ranking.refetch()} />;
  if (!ranking.data?.ranking) return <Skeleton rows={8} label="Loading the ranking" />;
  const names = new Map(ranking.data.sets.map(({ setId, name }) => [setId, name]));
  const hasGrades = ranking.data.grades !== null;
  return (
    <>
      <Filtered students={ranking.data.students} sets={ranking.data.sets}>
        {(students) => (
          <Rows label="Ranking" heads={heads(hasGrades)} rows={students} isStacked>
            {(student) => (
              <Row
                key={student.studentId}
                student={student}
                setName={names.get(student.setId) ?? ''}
                hasGrades={hasGrades}
                onExplain={() => explain(student)}
              />
            )}
          </Rows>
        )}
      </Filtered>
      {dialog}
    </>
  );
};

type RowProps = { readonly student: RankedStudent; readonly setName: string; readonly hasGrades: boolean; readonly onExplain: () => void };

const Row = ({ student, setName, hasGrades, onExplain }: RowProps) => {
  const { name, prior, score, ranking, grade, sat, given, teacherRank, left, exempt } = student;
  return (
    <tr data-out={left || exempt || undefined}>
      <td className={styles.number} data-label="Ranking">
        {rankText(ranking)}
        <Overridden student={student} of="ranking" />
        <Now student={student} of="ranking" />
      </td>
      <th scope="row">
        {name ?? 'Forgotten student'}
        {exempt && <span className={styles.tag}>exempt</span>}
        <FlagTags totalFlags={student.totalFlags} left={left} />
      </th>
      <td data-label="Class">{setName}</td>
      <td className={styles.number} data-label="Score">
        <Button look="plain" aria-label={`${scoreText(score)}: how ${name ?? 'the student'}’s score came about`} onClick={onExplain}>
          {scoreText(score)}
        </Button>
        <Overridden student={student} of="score" />
        <Now student={student} of="score" />
      </td>
      {hasGrades && (
        <td data-label="Grade">
          {grade ?? '–'}
          <Overridden student={student} of="grade" />
        </td>
      )}
      <td data-label="Prior">{prior ?? '–'}</td>
      <ResidualCell student={student} />
      <td data-label="Tests sat">
        {sat} of {given}
      </td>
      <td className={styles.number} data-label="Teacher rank">
        {teacherRank ?? '–'}
      </td>
      <td className={`${styles.text} ${styles.wide}`}>{flaggedText(student)}</td>
    </tr>
  );
};
