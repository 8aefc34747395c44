import { useCreate } from 'react-admin';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { AddBox } from '../drafts/AddBox.tsx';
import type { Teacher } from './teacher.ts';
import { nameTrouble } from './teacher.ts';

/** `taken`: the names known here; the server checks against all. */
type AddTeacherProps = { readonly subjectId: string; readonly taken: readonly (string | null)[] };

export const AddTeacher = ({ subjectId, taken }: AddTeacherProps) => {
  const [create] = useCreate<Teacher>();
  const toast = useToast();
  const add = async (name: string) => {
    await create('teachers', { data: { subjectId, name } }, { returnPromise: true });
    toast({ tone: 'good', text: `${name} added. Choose the classes, and submit.` });
  };
  return (
    <AddBox label="Add new teacher" button="Add teacher" wrong={(name) => nameTrouble(name, taken)} onAdd={add} input={{ maxLength: 50 }} />
  );
};
