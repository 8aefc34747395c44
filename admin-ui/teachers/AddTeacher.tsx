import { Button, TextField } from '@mui/material';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useCreate } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import type { Teacher } from './teacher.ts';
import styles from './Teachers.module.css';

type AddTeacherProps = { readonly subjectId: string; readonly taken: readonly Teacher[] };

export const AddTeacher = ({ subjectId, taken }: AddTeacherProps) => {
  const [name, setName] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [create, { isPending }] = useCreate<Teacher>();
  const toast = useToast();
  const isTaken = taken.some((other) => other.name?.trim().toLowerCase() === name.trim().toLowerCase());
  const error = isTaken ? 'Teacher name needs to be unique' : refusal;

  const add = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await create('teachers', { data: { subjectId, name: name.trim() } }, { returnPromise: true });
      toast({ tone: 'good', text: `${name.trim()} added. Choose the classes, and submit.` });
      setName('');
      setRefusal(undefined);
    } catch (failure) {
      setRefusal(sentence(failure));
    }
  };

  return (
    <form className={styles.add} onSubmit={(event) => void add(event)}>
      <TextField
        label="Add new teacher"
        value={name}
        error={error !== undefined}
        helperText={error}
        margin="none"
        onChange={({ target }) => {
          setName(target.value);
          setRefusal(undefined);
        }}
        slotProps={{ htmlInput: { maxLength: 50 } }}
      />
      <Button type="submit" variant="outlined" disabled={name.trim() === '' || isTaken || isPending}>
        Add teacher
      </Button>
    </form>
  );
};
