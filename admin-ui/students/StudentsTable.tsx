import { Fields } from '../../ui/frame/ReadOnly.tsx';
import type { Structure } from '#api/school/school.contract';
import { ListBase, useListContext, useDataProvider } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ChoiceOfAll } from '../list/filters/Choice.tsx';
import { ListExport } from '../list/ListExport.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import { SearchBox } from '../list/filters/SearchBox.tsx';
import { Scrollable } from '../../ui/table/Scrollable.tsx';
import table from '../list/Table.module.css';
import type { Student } from './student.ts';
import { OFF_ROLL, typedOf } from './student.ts';
import { StudentRow } from './StudentRow.tsx';
import styles from './StudentsPage.module.css';
import type { Edits } from './useEdits.ts';
import { Button, TextField } from '@mui/material';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { BulkBar } from '../list/BulkBar.tsx';
import { SetOptions } from './SetOptions.tsx';

type StudentsTableProps = {
  readonly subjectId: string;
  /** A set's id, or Off-Roll. */
  readonly group: string;
  readonly structure: Structure;
  readonly edits: Edits;
};

/** The students of a group, 15 per page, edited in place. */
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
      <div className={styles.tools}>
        <SearchBox label="Search students" />
        <ListExport
          file="students"
          columns={columnsOf(structure)}
          personal={{ what: 'students', subjectId, ...(group !== OFF_ROLL && { setId: group }) }}
        />
      </div>
      <ListStates empty={<Nobody group={group} />}>
        <ChosenStudents structure={structure} edits={edits} />
        <Fields>
          <Rows structure={structure} edits={edits} />
        </Fields>
        <ListPager of="students" />
      </ListStates>
    </div>
  </ListBase>
);

/** In the format of a student upload. */
const columnsOf = ({ yearGroups }: Structure) => {
  const sets = new Map(yearGroups.flatMap((yearGroup) => yearGroup.sets).map(({ setId, name }) => [setId, name]));
  return [
    { label: 'StudentID', value: ({ admissionNo }: Student) => admissionNo },
    { label: 'Name', value: ({ name }: Student) => name },
    { label: 'Set', value: ({ setId }: Student) => (setId === null ? 'Off-Roll' : (sets.get(setId) ?? '')) },
    { label: 'DoB', value: (student: Student) => typedOf(student).dateOfBirth },
  ];
};

const Nobody = ({ group }: { readonly group: string }) =>
  group === OFF_ROLL ? (
    <EmptyState title="Nobody is Off-Roll">Students of the subject who are in no set are listed here.</EmptyState>
  ) : (
    <EmptyState title="Nobody is in this set">Add a student, move somebody here from another set, or upload a file.</EmptyState>
  );

const Rows = ({ structure, edits }: Pick<StudentsTableProps, 'structure' | 'edits'>) => {
  const { data = [], selectedIds, onToggleItem } = useListContext<Student>();
  return (
    <Scrollable className={table.scroll} label="Students of the group">
      <table className={`${table.table} ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">
              <ChoiceOfAll />
            </th>
            <th scope="col">Student ID</th>
            <th scope="col">Name</th>
            <th scope="col">Date of birth</th>
            <th scope="col">Set</th>
            <th scope="col">
              <span className="sr">Delete</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map((student) => (
            <StudentRow
              key={student.studentId}
              student={student}
              structure={structure}
              edits={edits}
              isChosen={selectedIds.includes(student.id)}
              onChoose={() => onToggleItem(student.id)}
            />
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
};

/** Moves or deletes all chosen students: edits like those of a single row, which Submit Changes stores. */
const ChosenStudents = ({ structure, edits }: { readonly structure: Structure; readonly edits: Edits }) => {
  const { resource, selectedIds, onUnselectItems } = useListContext<Student>();
  const provider = useDataProvider();
  const toast = useToast();
  const withEach = async (edit: (student: Student) => void): Promise<void> => {
    try {
      const { data } = await provider.getMany<Student>(resource, { ids: selectedIds });
      for (const student of data) edit(student);
      onUnselectItems();
    } catch (error) {
      toast({ tone: 'bad', text: sentence(error) });
    }
  };
  return (
    <BulkBar>
      <TextField
        select
        label="Move to"
        value=""
        margin="none"
        onChange={({ target: { value: place } }) => void withEach((student) => edits.change(student, { place }))}
        sx={{ width: 160 }}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      >
        <option value="" disabled>
          Set…
        </option>
        <SetOptions structure={structure} />
      </TextField>
      <Button size="small" variant="outlined" onClick={() => void withEach((student) => edits.change(student, { removed: true }))}>
        Delete
      </Button>
    </BulkBar>
  );
};
