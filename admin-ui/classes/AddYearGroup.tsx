import { Button, TextField } from '@mui/material';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useCreate } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import styles from './Classes.module.css';
import type { YearGroup } from './set.ts';
import { yearTrouble } from './set.ts';

type AddYearGroupProps = { readonly subjectId: string; readonly taken: readonly number[]; readonly onAdded: (id: string) => void };

export const AddYearGroup = ({ subjectId, taken, onAdded }: AddYearGroupProps) => {
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [create, { isPending }] = useCreate<YearGroup>();
  const toast = useToast();
  const error = refusal ?? (text === '' ? undefined : yearTrouble(text, taken));

  const add = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const added = await create('yearGroups', { data: { subjectId, year: Number(text) } }, { returnPromise: true });
      toast({ tone: 'good', text: `Year ${Number(text)} added.` });
      setText('');
      if (added) onAdded(added.id);
    } catch (failure) {
      setRefusal(sentence(failure));
    }
  };

  return (
    <form className={styles.add} onSubmit={(event) => void add(event)}>
      <TextField
        label="New year group, such as 11"
        value={text}
        error={error !== undefined}
        helperText={error}
        margin="none"
        onChange={({ target }) => {
          setText(target.value);
          setRefusal(undefined);
        }}
        slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      />
      <Button type="submit" variant="contained" disabled={text === '' || error !== undefined || isPending}>
        Add year group
      </Button>
    </form>
  );
};
