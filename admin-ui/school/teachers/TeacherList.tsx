import { Changes, Fields } from '../../../ui/frame/ReadOnly.tsx';
import { memo, useMemo } from 'react';
import { useDataProvider, useListContext } from 'react-admin';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { useStructure } from '../../data/useStructure.ts';
import { SaveBar } from '../../drafts/SaveBar.tsx';
import { useDrafts } from '../../drafts/useDrafts.ts';
import { ListPager } from '../../list/ListPager.tsx';
import { ListStates } from '../../list/ListStates.tsx';
import { ListTools } from '../../list/ListTools.tsx';
import type { Teacher } from './teacher.ts';
import { nameTrouble } from './teacher.ts';
import { useLeaving } from './useLeaving.tsx';
import styles from './Teachers.module.css';
import { AddBox } from '../../drafts/AddBox.tsx';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { IconButton, TextField } from '@mui/material';
import { ChipsInput } from '../../drafts/ChipsInput.tsx';
import { memoRow } from '../../drafts/memo-row.ts';
import { RowTrouble } from '../../drafts/RowTrouble.tsx';
import type { DraftErrors } from '../../drafts/useDrafts.ts';

const sorts = [
  { label: 'Name, A to Z', field: 'name', order: 'ASC' },
  { label: 'Name, Z to A', field: 'name', order: 'DESC' },
  { label: 'Classes', field: 'classes', order: 'ASC' },
] as const;

/** A page of teachers, edited in place. Input is kept while paging and searching, and one Submit stores all of it. */
export const TeacherList = ({ subjectId, subject }: { readonly subjectId: string; readonly subject: string }) => {
  const { data } = useListContext<Teacher>();
  const structure = useStructure(subjectId);
  const drafts = useDrafts<Teacher>('teachers', data);
  const removal = useLeaving({
    subjectId,
    teachers: data ?? [],
    structure: structure.data,
    after: ({ id }) => drafts.discard(id),
  });
  const sets = useMemo(
    () => structure.data?.yearGroups.flatMap((group) => group.sets.map(({ setId, name }) => ({ id: setId, name }))) ?? [],
    [structure.data],
  );
  const allTeachers = [...drafts.rows.map((row) => drafts.shown(row)), ...drafts.typed];
  const namesBeside = (id: string) => allTeachers.filter((other) => other.id !== id).map(({ name }) => name);
  const nameError = ({ id, name }: Teacher) => (name === null || !drafts.isChanged(id) ? undefined : nameTrouble(name, namesBeside(id)));
  const isValid = drafts.typed.every((teacher) => nameError(teacher) === undefined);
  const taken = useMemo(() => structure.data?.teachers.map(({ name }) => name) ?? [], [structure.data]);
  const rowOf = (row: Teacher) => {
    const teacher = drafts.shown(row);
    const wrong = nameError(teacher);
    return (
      <TeacherRow
        key={row.id}
        stored={row}
        teacher={teacher}
        sets={sets}
        errors={{ ...drafts.errorsOf(row.id), ...(wrong === undefined ? {} : { name: wrong }) }}
        onChange={drafts.change}
        onReload={drafts.discard}
        onRemove={removal.ask}
      />
    );
  };
  return (
    <>
      {structure.error && <Failure error={structure.error} retry={() => void structure.refetch()} />}
      <ListTools search="Search teachers" sorts={sorts} />
      <ListStates
        isHeld={drafts.rows.length > 0}
        empty={
          <EmptyState title={`${subject} has no teachers yet`}>
            <Changes>Add the first one below, then choose the classes.</Changes>
          </EmptyState>
        }
      >
        <Fields>
          <ul className={styles.list} aria-label="Teachers">
            {drafts.rows.map(rowOf)}
          </ul>
        </Fields>
        <ListPager of="teachers" />
      </ListStates>
      <SaveBar
        label="Submit"
        changed={drafts.changed}
        disabled={!isValid}
        saving={drafts.saving}
        done={drafts.done}
        elsewhere={drafts.elsewhere}
        onSave={() => void drafts.save()}
      />
      <AddTeacher subjectId={subjectId} taken={taken} />
      {removal.dialog}
    </>
  );
};

/** `taken`: the names known here; the server checks against all. */
type AddTeacherProps = { readonly subjectId: string; readonly taken: readonly (string | null)[] };

const AddTeacher = memo(({ subjectId, taken }: AddTeacherProps) => {
  const provider = useDataProvider();
  return (
    <AddBox
      label="Add new teacher"
      button="Add teacher"
      wrong={(name) => nameTrouble(name, taken)}
      onAdd={(name) => provider.create<Teacher>('teachers', { data: { subjectId, name } })}
      notice={(name) => `${name} added. Choose the classes, and submit.`}
      input={{ maxLength: 50 }}
    />
  );
});

type TeacherRowProps = {
  /** As stored. */
  readonly stored: Teacher;
  /** With unsaved changes. */
  readonly teacher: Teacher;
  readonly sets: readonly { readonly id: string; readonly name: string }[];
  readonly errors: DraftErrors;
  readonly onChange: (stored: Teacher, values: Partial<Teacher>) => void;
  readonly onReload: (id: string) => void;
  readonly onRemove: (stored: Teacher) => void;
};

const TeacherRow = memoRow(({ stored, teacher, sets, errors, onChange, onReload, onRemove }: TeacherRowProps) => {
  const called = stored.name ?? 'A forgotten teacher';
  return (
    <li className={styles.row} aria-label={called}>
      {teacher.name === null ? (
        <p>{called}</p>
      ) : (
        <TextField
          label="Teacher name"
          value={teacher.name}
          error={errors['name'] !== undefined}
          helperText={errors['name']}
          margin="none"
          onChange={({ target }) => onChange(stored, { name: target.value })}
          slotProps={{ htmlInput: { maxLength: 50 } }}
        />
      )}
      <ChipsInput
        label={`Classes of ${called}`}
        choices={sets}
        chosen={teacher.setIds}
        onChange={(setIds) => onChange(stored, { setIds })}
        error={errors['setIds']}
      />
      <Changes>
        <IconButton aria-label={`Delete ${called}`} onClick={() => onRemove(stored)}>
          <DeleteIcon fontSize="small" />
        </IconButton>
      </Changes>
      <RowTrouble text={errors['']} onReload={() => onReload(stored.id)} />
    </li>
  );
});
