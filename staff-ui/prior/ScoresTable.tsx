import { useState } from 'react';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { lastPage, PAGE_ROWS, Pager } from '../../ui/table/Pager.tsx';
import { Table } from '../../ui/table/Table.tsx';
import { nameOf } from './manual/typed-scores.ts';
import styles from './Prior.module.css';
import { usePriorScores } from './queries.ts';

/** The scores as they were at an earlier moment. */
export const ScoresTable = ({ terminalExamId, yearGroupId }: { readonly terminalExamId: string; readonly yearGroupId: string }) => {
  const scores = usePriorScores(terminalExamId, yearGroupId);
  const [asked, setPage] = useState(0);
  if (scores.error) return <Failure error={scores.error} retry={() => void scores.refetch()} />;
  if (!scores.data) return <Skeleton rows={8} label="Loading scores" />;
  const { students } = scores.data;
  const page = Math.min(asked, lastPage(students.length, PAGE_ROWS));
  return (
    <>
      <Table label="Scores" isList region={styles.scroll}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Class</th>
            <th scope="col">Score</th>
            <th scope="col">Year completed</th>
          </tr>
        </thead>
        <tbody>
          {students.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map((student) => (
            <tr key={student.studentId}>
              <th scope="row">{nameOf(student)}</th>
              <td>{student.setName}</td>
              <td>{student.now?.score ?? '–'}</td>
              <td>{student.now?.yearCompleted ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Pager of="students" page={page} size={PAGE_ROWS} count={students.length} onPage={setPage} />
    </>
  );
};
