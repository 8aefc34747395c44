import { MenuItem, TextField } from '@mui/material';
import { useState } from 'react';
import { useDataProvider } from 'react-admin';
import { AddBox } from '../../drafts/AddBox.tsx';
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
  const provider = useDataProvider();
  const schemeId = chosen ?? schemes[0]?.id;
  return (
    <AddBox
      label="Add new group"
      button="Add group"
      wrong={(name) => nameTrouble(name, taken)}
      onAdd={(name) => provider.create<TeachingSet>('sets', { data: { subjectId, yearGroupId, name, schemeId: schemeId ?? '' } })}
      notice={(name) => `${name} added.`}
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
