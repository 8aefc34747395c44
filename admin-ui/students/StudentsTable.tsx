import type { Structure } from '#contract/structure';
import { ListBase, useListContext } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import { Scrollable } from '../../ui/table/Scrollable.tsx';
import table from '../list/Table.module.css';
import type { Student } from './student.ts';
import { OFF_ROLL } from './student.ts';
import { StudentRow } from './StudentRow.tsx';
import styles from './StudentsPage.module.css';
import type { Edits } from './useEdits.ts';

type StudentsTableProps = {
  readonly subjectId: string;
  /** A set's id, or Off-Roll. */
  readonly group: string;
  readonly structure: Structure;
  readonly edits: Edits;
};

/** The students of a group, 15 a page, to be edited where they stand. */
export const StudentsTable = ({ subjectId, group, structure, edits }: StudentsTableProps) => (
  <ListBase<Student>
    resource="students"
    perPage={15}
    sort={{ field: 'name', order: 'ASC' }}
    filter={{ subjectId, setId: group === OFF_ROLL ? null : group }}
    disableSyncWithLocation
    storeKey={false}
  >
    <div className={styles.students}>
      <SearchBox label="Search students" />
      <ListStates empty={<Nobody group={group} />}>
        <Rows structure={structure} edits={edits} />
        <ListPager of="students" />
      </ListStates>
    </div>
  </ListBase>
);

const Nobody = ({ group }: { readonly group: string }) =>
  group === OFF_ROLL ? (
    <EmptyState title="Nobody is Off-Roll">Whoever leaves the school’s sets without leaving the subject stands here.</EmptyState>
  ) : (
    <EmptyState title="Nobody is in this set">Add a student, move somebody here from another set, or upload a file.</EmptyState>
  );

const Rows = ({ structure, edits }: Pick<StudentsTableProps, 'structure' | 'edits'>) => {
  const { data = [] } = useListContext<Student>();
  return (
    <Scrollable className={table.scroll} label="Students of the group">
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">Student ID</th>
            <th scope="col">Name</th>
            <th scope="col">Date of birth</th>
            <th scope="col">Set</th>
            <th scope="col" aria-label="Delete" />
          </tr>
        </thead>
        <tbody>
          {data.map((student) => (
            <StudentRow key={student.studentId} student={student} structure={structure} edits={edits} />
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
};
