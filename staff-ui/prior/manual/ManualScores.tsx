import type { FormEvent } from 'react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Select } from '../../../ui/controls/Field.tsx';
import { counted } from '../../format.ts';
import styles from '../Prior.module.css';
import { naturalOrder } from '#api/contract/order';
import { Paged } from '../Paged.tsx';
import { ScoreRow } from './ScoreRow.tsx';
import type { Filter, Student } from './typed-scores.ts';
import { filtered } from './typed-scores.ts';
import { useManualScores } from './useManualScores.ts';

const HEADS = [
  'Name',
  'Class',
  'Score',
  <span key="note" className="sr">
    Note
  </span>,
];

type ManualScoresProps = { readonly terminalExamId: string; readonly yearGroupId: string; readonly year: number | undefined };

/** One field per student of the year group, 15 to a page. Enter moves to the next; Submit stores what was typed on all pages. */
export const ManualScores = (props: ManualScoresProps) => {
  const form = useManualScores(props);
  const { scores, students, drafts, count, problem, pending, submit } = form;
  const [filter, setFilter] = useState<Filter>({ setId: '', missing: false });
  if (scores.error) return <Failure error={scores.error} retry={() => void scores.refetch()} />;
  if (!scores.data) return <Skeleton rows={8} label="Loading scores" />;
  if (students.length === 0)
    return <EmptyState title="Nobody is in this year group yet">An admin of your school adds its students.</EmptyState>;
  const listed = filtered(students, drafts, filter);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === undefined && count > 0 && !pending) submit();
  };
  return (
    <form className={`stack gap-3 ${styles.step}`} onSubmit={onSubmit} noValidate>
      <Filters students={students} filter={filter} onFilter={setFilter} />
      <Paged
        key={`${filter.setId} ${filter.missing}`}
        label="Scores"
        heads={HEADS}
        rows={listed}
        className={styles.typing}
        empty="No student matches the filters."
        aside={
          <div className="row gap-4">
            <p role="status" className={problem === undefined ? 'small muted' : 'small failed'}>
              {problem ?? (count > 0 ? `${counted(count, 'score')} to store` : '')}
            </p>
            {/* Not `disabled`, which would take the focus from it when everything is stored. */}
            <Button look="primary" type="submit" aria-disabled={pending || count === 0 || problem !== undefined}>
              {pending ? 'Storing…' : 'Submit'}
            </Button>
          </div>
        }
      >
        {(student) => <ScoreRow key={student.studentId} student={student} form={form} />}
      </Paged>
    </form>
  );
};

type FiltersProps = { readonly students: readonly Student[]; readonly filter: Filter; readonly onFilter: (filter: Filter) => void };

/** One class, or only students without a score. */
const Filters = ({ students, filter, onFilter }: FiltersProps) => {
  const sets = [...new Map(students.map(({ setId, setName }) => [setId, setName]))].toSorted(([, a], [, b]) => naturalOrder(a, b));
  return (
    <div className={`row gap-4 ${styles.bottom}`} role="search">
      {sets.length > 1 && (
        <Select label="Class" value={filter.setId} onChange={(event) => onFilter({ ...filter, setId: event.target.value })}>
          <option value="">All classes</option>
          {sets.map(([setId, name]) => (
            <option key={setId} value={setId}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <label className="tick">
        <input type="checkbox" checked={filter.missing} onChange={(event) => onFilter({ ...filter, missing: event.target.checked })} />
        Only students without a score
      </label>
    </div>
  );
};
