import { MenuItem, TextField } from '@mui/material';
import { useState } from 'react';
import { useCreate, useRefresh } from 'react-admin';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { AddBox } from '../drafts/AddBox.tsx';
import type { Choice, TeachingSet } from './set.ts';
import { nameTrouble } from './set.ts';

type AddSetProps = {
  readonly subjectId: string;
  readonly yearGroupId: string;
  readonly schemes: readonly Choice[];
  /** The names known here; the server checks against all. */
  readonly taken: readonly string[];
};

export const AddSet = ({ subjectId, yearGroupId, schemes, taken }: AddSetProps) => {
  const [chosen, setChosen] = useState<string>();
  const [create] = useCreate<TeachingSet>();
  const refresh = useRefresh();
  const toast = useToast();
  const schemeId = chosen ?? schemes[0]?.id;
  const add = async (name: string) => {
    await create('sets', { data: { subjectId, yearGroupId, name, schemeId: schemeId ?? '' } }, { returnPromise: true });
    toast({ tone: 'good', text: `${name} added.` });
    refresh();
  };
  return (
    <AddBox
      label="Add new group"
      button="Add group"
      wrong={(name) => nameTrouble(name, taken)}
      onAdd={add}
      disabled={schemeId === undefined}
      input={{ maxLength: 200 }}
    >
      <TextField select label="It follows" value={schemeId ?? ''} margin="none" onChange={({ target }) => setChosen(target.value)}>
        {schemes.map(({ id, name: scheme }) => (
          <MenuItem key={id} value={id}>
            {scheme}
          </MenuItem>
        ))}
      </TextField>
    </AddBox>
  );
};
