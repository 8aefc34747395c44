import { Changes, Fields } from '../../ui/frame/ReadOnly.tsx';
import type { Structure } from '#api/school/school.contract';
import { ListBase, useListContext, useDataProvider } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ChoiceOfAll } from '../list/filters/Choice.tsx';
import { ListExport } from '../list/ListExport.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import { SearchField } from '../list/filters/SearchBox.tsx';
import { SortHead } from '../../ui/table/SortHead.tsx';
import { Table } from '../../ui/table/Table.tsx';
import type { Student } from './student.ts';
import { typedOf } from './student.ts';
import { OFF_ROLL } from '../../ui/students/place-of.ts';
import { StudentRow } from './StudentRow.tsx';
import styles from './StudentsPage.module.css';
import type { Edits } from './useEdits.ts';
import { Button, TextField } from '@mui/material';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { BulkBar } from '../list/BulkBar.tsx';
import { useEffect, useEffectEvent } from 'react';
import { Elsewhere } from './Elsewhere.tsx';
import { SetOptions } from './SetOptions.tsx';
import type { StudentsPlace } from './useStudentsPlace.ts';
import { SORTS, sortFields } from './useStudentsPlace.ts';

type StudentsTableProps = {
  readonly subjectId: string;
  /** A set's id, or Off-Roll; undefined: the whole subject. */
  readonly group: string | undefined;
  /** What it is called. */
  readonly name: string;
  readonly structure: Structure;
  readonly edits: Edits;
  readonly place: StudentsPlace;
};

/** The students of a group, or those found in the whole subject, 15 per page, edited in place. */
export const StudentsTable = ({ subjectId, group, name, structure, edits, place }: StudentsTableProps) => (
  <ListBase<Student>
    resource="students"
    perPage={15}
    sort={{ field: 'name', order: 'ASC' }}
    filter={{
      subjectId,
      ...(group !== undefined && { setId: group === OFF_ROLL ? null : group }),
      ...(place.find !== '' && { q: place.find }),
    }}
    disableSyncWithLocation
    storeKey={false}
  >
    <FromAddress sort={place.sort} find={place.find} />
    <div className="stack gap-3">
      <div className="row gap-3 apart">
        {group !== undefined && <SearchField label="Search students" words={place.find} search={place.search} />}
        <SortOnPhone {...place} />
        <ListExport
          file="students"
          columns={columnsOf(structure)}
          personal={{ what: 'students', subjectId, ...(group !== undefined && group !== OFF_ROLL && { setId: group }) }}
        />
      </div>
      <ListStates empty={place.find === '' ? <Nobody group={group} /> : <Elsewhere find={place.find} name={name} />}>
        <ChosenStudents structure={structure} edits={edits} />
        <Fields>
          <Rows structure={structure} edits={edits} place={place} />
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

/** Shows what the address says, from its first page. */
const FromAddress = ({ sort: { field, order }, find }: Pick<StudentsPlace, 'sort' | 'find'>) => {
  const { setSort } = useListContext();
  const show = useEffectEvent((sort: StudentsPlace['sort'], _find: string) => setSort(sort));
  useEffect(() => show({ field, order }, find), [field, order, find]);
  return null;
};

const Nobody = ({ group }: { readonly group: string | undefined }) =>
  group === OFF_ROLL ? (
    <EmptyState title="Nobody is Off-Roll">Students of the subject who are in no set are listed here.</EmptyState>
  ) : (
    <EmptyState title="Nobody is in this set">
      <Changes>Add a student, move somebody here from another set, or upload a file.</Changes>
    </EmptyState>
  );

/** On a phone the table has no headings. */
const SortOnPhone = ({ sort, sortBy }: Pick<StudentsPlace, 'sort' | 'sortBy'>) => (
  <div className="phone-only grow">
    <TextField
      select
      fullWidth
      label="Sorted by"
      value={sort.field}
      onChange={({ target }) => {
        const field = sortFields.find((one) => one === target.value);
        if (field) sortBy({ field, order: 'ASC' });
      }}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      {sortFields.map((field) => (
        <option key={field} value={field}>
          {SORTS[field]}
        </option>
      ))}
    </TextField>
  </div>
);

const Rows = ({ structure, edits, place: { sort, sortBy } }: Pick<StudentsTableProps, 'structure' | 'edits' | 'place'>) => {
  const { data = [], selectedIds, onToggleItem } = useListContext<Student>();
  return (
    <Table label="Students of the group" isList cardsBelow={600} className={styles.table}>
      <thead>
        <tr>
          <Changes>
            <th scope="col">
              <ChoiceOfAll />
            </th>
          </Changes>
          {sortFields.map((field) => {
            const direction = sort.field !== field ? undefined : sort.order === 'ASC' ? 'asc' : 'desc';
            return (
              <SortHead
                key={field}
                label={SORTS[field]}
                direction={direction}
                onSort={() => sortBy({ field, order: direction === 'asc' ? 'DESC' : 'ASC' })}
              />
            );
          })}
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
    </Table>
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
