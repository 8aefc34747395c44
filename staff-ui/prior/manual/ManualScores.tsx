import type { FormEvent } from 'react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { lastPage, PAGE_ROWS, Pager } from '../../../ui/table/Pager.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { counted } from '../../format.ts';
import styles from '../Prior.module.css';
import { Filters } from './Filters.tsx';
import { ScoreRow } from './ScoreRow.tsx';
import type { Filter } from './typed-scores.ts';
import { filtered } from './typed-scores.ts';
import { useManualScores } from './useManualScores.ts';

type ManualScoresProps = { readonly terminalExamId: string; readonly yearGroupId: string; readonly year: number | undefined };

/** One field per student of the year group, 15 to a page. Enter moves to the next; Submit stores what was typed on all pages. */
export const ManualScores = (props: ManualScoresProps) => {
  const form = useManualScores(props);
  const { scores, students, drafts, count, problem, pending, submit } = form;
  const [filter, setFilter] = useState<Filter>({ setId: '', missing: false });
  const [asked, setPage] = useState(0);
  if (scores.error) return <Failure error={scores.error} retry={() => void scores.refetch()} />;
  if (!scores.data) return <Skeleton rows={8} label="Loading scores" />;
  if (students.length === 0)
    return <EmptyState title="Nobody is in this year group yet">An admin of your school adds its students.</EmptyState>;
  const listed = filtered(students, drafts, filter);
  const page = Math.min(asked, lastPage(listed.length, PAGE_ROWS));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === undefined && count > 0 && !pending) submit();
  };
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <Filters
        students={students}
        filter={filter}
        onFilter={(next) => {
          setFilter(next);
          setPage(0);
        }}
      />
      <Table label="Scores" isList region={styles.scroll} className={styles.typing}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Class</th>
            <th scope="col">Score</th>
            <th scope="col">
              <span className="sr">Note</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map((student) => (
            <ScoreRow key={student.studentId} student={student} form={form} />
          ))}
        </tbody>
      </Table>
      {listed.length === 0 && <p className={styles.hint}>No student matches the filters.</p>}
      <div className={styles.foot}>
        <Pager of="students" page={page} size={PAGE_ROWS} count={listed.length} onPage={setPage} />
        <div className={styles.submit}>
          <p role="status" className={problem === undefined ? styles.hint : styles.error}>
            {problem ?? (count > 0 ? `${counted(count, 'score')} to store` : '')}
          </p>
          {/* Not `disabled`, which would take the focus from it when everything is stored. */}
          <Button look="primary" type="submit" aria-disabled={pending || count === 0 || problem !== undefined}>
            {pending ? 'Storing…' : 'Submit'}
          </Button>
        </div>
      </div>
    </form>
  );
};
