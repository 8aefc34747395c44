import type { Structure } from '#api/school/school.contract';
import { Button, TextField } from '@mui/material';
import { useDataProvider, useListContext } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { BulkBar } from '../list/BulkBar.tsx';
import { SetOptions } from './SetOptions.tsx';
import type { Student } from './student.ts';
import type { Edits } from './useEdits.ts';

/** Moves or deletes all chosen students: edits like those of a single row, which Submit Changes stores. */
export const ChosenStudents = ({ structure, edits }: { readonly structure: Structure; readonly edits: Edits }) => {
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
