import { useDataProvider } from 'react-admin';
import { AddBox } from '../../drafts/AddBox.tsx';
import type { Teacher } from './teacher.ts';
import { nameTrouble } from './teacher.ts';

/** `taken`: the names known here; the server checks against all. */
type AddTeacherProps = { readonly subjectId: string; readonly taken: readonly (string | null)[] };

export const AddTeacher = ({ subjectId, taken }: AddTeacherProps) => {
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
};
