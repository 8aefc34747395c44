import { Button, MenuItem, TextField } from '@mui/material';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { useCreate, useRefresh } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import styles from './Classes.module.css';
import type { Named, TeachingSet } from './set.ts';
import { nameTrouble } from './set.ts';

type AddSetProps = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly schemes: readonly Named[];
  readonly taken: readonly string[];
};

export const AddSet = ({ subjectId, yearGroupId, schemes, taken }: AddSetProps) => {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  const [create, { isPending }] = useCreate<TeachingSet>();
  const refresh = useRefresh();
  const toast = useToast();
  const schemeId = chosen ?? schemes[0]?.id;
  const error = refusal ?? (name === '' ? undefined : nameTrouble(name, taken));

  const add = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await create('sets', { data: { subjectId, yearGroupId, name: name.trim(), schemeId: schemeId ?? '' } }, { returnPromise: true });
      toast({ tone: 'good', text: `${name.trim()} added.` });
      setName('');
      refresh();
    } catch (failure) {
      setRefusal(sentence(failure));
    }
  };

  return (
    <form className={styles.add} onSubmit={(event) => void add(event)}>
      <TextField
        label="Add new group"
        value={name}
        error={error !== undefined}
        helperText={error}
        margin="none"
        onChange={({ target }) => {
          setName(target.value);
          setRefusal(undefined);
        }}
        slotProps={{ htmlInput: { maxLength: 200 } }}
      />
      <TextField select label="It follows" value={schemeId ?? ''} margin="none" onChange={({ target }) => setChosen(target.value)}>
        {schemes.map(({ id, name: scheme }) => (
          <MenuItem key={id} value={id}>
            {scheme}
          </MenuItem>
        ))}
      </TextField>
      <Button type="submit" variant="outlined" disabled={name.trim() === '' || schemeId === undefined || error !== undefined || isPending}>
        Add group
      </Button>
    </form>
  );
};
