import { studentsToldApart } from '#api/contract/names';
import type { RankedStudent } from '#api/tasks/ranking/task-ranking.contract';
import type { Task } from '#api/tasks/task.contract';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Filtered } from './Filtered.tsx';
import { GradeCell, RankAndName, ResidualCell, ScoreCell } from './cells.tsx';
import { flaggedText } from './figures.ts';
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

/** The current ranking, with what teachers said about it. Every score opens its explanation. */
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
  const { prior, sat, given, teacherRank, left, exempt } = student;
  return (
    <tr data-out={left || exempt || undefined}>
      <RankAndName student={student} />
      <td data-label="Class">{setName}</td>
      <ScoreCell student={student} onExplain={onExplain} />
      {hasGrades && <GradeCell student={student} />}
      <td data-label="Prior">{prior ?? '–'}</td>
      <ResidualCell student={student} />
      <td data-label="Tests sat">
        {sat} of {given}
      </td>
      <td className="figure" data-label="Teacher rank">
        {teacherRank ?? '–'}
      </td>
      <td className={`${styles.text} ${styles.wide}`}>{flaggedText(student)}</td>
    </tr>
  );
};
