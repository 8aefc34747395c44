import type { RankedStudent, TaskRanking } from '#api/tasks/ranking/task-ranking.contract';
import type { ReactNode } from 'react';
import { Fragment, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Chips } from '../../../ui/controls/Chips.tsx';
import { Field, Select } from '../../../ui/controls/Field.tsx';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { isFound } from '#api/contract/names';
import styles from '../Steps.module.css';

type FilteredProps = {
  readonly students: readonly RankedStudent[];
  readonly sets: TaskRanking['sets'];
  /** The table of the students that are left. */
  readonly children: (students: readonly RankedStudent[]) => ReactNode;
};

/** Students of a ranking by name, class and what there is to look at. */
export const Filtered = ({ students, sets, children }: FilteredProps) => {
  const [filter, setFilter] = useState(EVERYBODY);
  const shown = filtered(students, filter);
  const choices = choicesOf(students, filter);
  return (
    <>
      <div role="search" aria-label="Students of the ranking" className={`row ${styles.filters}`}>
        <Field
          label="Find a student"
          type="search"
          placeholder="Name or ID"
          value={filter.find}
          onChange={({ target }) => setFilter({ ...filter, find: target.value })}
        />
        {sets.length > 1 && (
          <Select label="Class" value={filter.setId} onChange={({ target }) => setFilter({ ...filter, setId: target.value })}>
            <option value="">All classes</option>
            {sets.map(({ setId, name }) => (
              <option key={setId} value={setId}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <Chips
          label="Which students"
          items={choices.map(({ only, label, students: many }) => ({ id: only, name: label, note: String(many) }))}
          chosen={filter.only}
          onChoose={(id) => setFilter({ ...filter, only: choices.find(({ only }) => only === id)?.only ?? filter.only })}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState title="No student matches" action={<Button onClick={() => setFilter(EVERYBODY)}>Show everybody</Button>}>
          No student of the ranking matches the filters.
        </EmptyState>
      ) : (
        <Fragment key={`${filter.find} ${filter.setId} ${filter.only}`}>{children(shown)}</Fragment>
      )}
    </>
  );
};

type Sought = Pick<
  RankedStudent,
  'name' | 'admissionNo' | 'setId' | 'rankingFlag' | 'gradeFlag' | 'now' | 'totalFlags' | 'ranking' | 'exempt' | 'left'
>;

/** Which students of a ranking are shown. */
type RankingFilter = {
  /** Words of a name or StudentID. */
  readonly find: string;
  /** '': of all classes */
  readonly setId: string;
  readonly only: Only;
};
type Only = (typeof ONLY)[number]['only'];

export const EVERYBODY: RankingFilter = { find: '', setId: '', only: 'everybody' };

const ONLY = [
  { only: 'everybody', label: 'Everybody', is: () => true },
  { only: 'flagged', label: 'Flagged', is: ({ rankingFlag, gradeFlag }: Sought) => rankingFlag || gradeFlag },
  { only: 'changed', label: 'Changed since', is: ({ now }: Sought) => now?.changed === true },
  {
    only: 'contested',
    label: 'Contested',
    is: ({ totalFlags }: Sought) => totalFlags.some(({ flag }) => flag !== 'above-maximum'),
  },
  { only: 'unranked', label: 'Unranked', is: ({ ranking, exempt, left }: Sought) => ranking === null && !exempt && !left },
] as const;

/** The students that a filter lets through, in their order. */
export const filtered = <Student extends Sought>(
  students: readonly Student[],
  { find, setId, only }: RankingFilter,
): readonly Student[] => {
  const { is } = ONLY.find((one) => one.only === only) ?? ONLY[0];
  return students.filter(
    (student) =>
      is(student) && (setId === '' || student.setId === setId) && isFound(`${student.name ?? ''} ${student.admissionNo ?? ''}`, find),
  );
};

/** The choices, each with how many students of the class it shows. */
export const choicesOf = (students: readonly Sought[], filter: Pick<RankingFilter, 'setId'>) =>
  ONLY.map(({ only, label }) => ({ only, label, students: filtered(students, { ...EVERYBODY, setId: filter.setId, only }).length }));
