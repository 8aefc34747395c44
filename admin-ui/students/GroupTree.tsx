import type { Structure } from '#api/school/school.contract';
import { counted } from '../format.ts';
import { OFF_ROLL } from './student.ts';
import styles from './StudentsPage.module.css';

type GroupTreeProps = { readonly structure: Structure; readonly selected: string | undefined; readonly onSelect: (group: string) => void };

/** Year groups, which only open and close, with their sets; and Off-Roll. */
export const GroupTree = ({ structure: { yearGroups }, selected, onSelect }: GroupTreeProps) => (
  <nav className={styles.tree} aria-label="Groups">
    {yearGroups.map(({ yearGroupId, year, sets }) => (
      <details key={yearGroupId} open>
        <summary>Year {year}</summary>
        <ul>
          {sets.map(({ setId, name, students }) => (
            <li key={setId}>
              <Entry name={name} students={students} isSelected={selected === setId} onSelect={() => onSelect(setId)} />
            </li>
          ))}
          {sets.length === 0 && <li className={styles.none}>no sets yet</li>}
        </ul>
      </details>
    ))}
    <Entry name="Off-Roll" isSelected={selected === OFF_ROLL} onSelect={() => onSelect(OFF_ROLL)} />
  </nav>
);

type EntryProps = { readonly name: string; readonly students?: number; readonly isSelected: boolean; readonly onSelect: () => void };

const Entry = ({ name, students, isSelected, onSelect }: EntryProps) => (
  <button
    type="button"
    className={styles.entry}
    aria-current={isSelected}
    aria-label={students === undefined ? name : `${name}, ${counted(students, 'student')}`}
    onClick={onSelect}
  >
    <span>{name}</span>
    {students !== undefined && <span className={styles.count}>{students}</span>}
  </button>
);
