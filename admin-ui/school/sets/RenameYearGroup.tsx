import { Button, TextField } from '@mui/material';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { RowTrouble } from '../../drafts/RowTrouble.tsx';
import { useDrafts } from '../../drafts/useDrafts.ts';
import styles from './Classes.module.css';
import type { YearGroup } from './set.ts';
import { yearTrouble } from './set.ts';

type RenameYearGroupProps = {
  readonly yearGroup: YearGroup;
  readonly taken: readonly number[];
  /** Somebody else has deleted it. */
  readonly isGone: boolean;
  readonly onDone: () => void;
};

export const RenameYearGroup = ({ yearGroup, taken, isGone, onDone }: RenameYearGroupProps) => {
  const drafts = useDrafts<YearGroup>('yearGroups', [yearGroup]);
  const [text, setText] = useState(String(yearGroup.year));
  const refused = drafts.errorsOf(yearGroup.id);
  const error = yearTrouble(text, taken) ?? refused['year'];
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (await drafts.save()) onDone();
  };
  return (
    <form className={styles.rename} onSubmit={(event) => void save(event)}>
      <TextField
        label="Year group"
        value={text}
        error={error !== undefined}
        helperText={error}
        margin="none"
        onChange={({ target }) => {
          setText(target.value);
          drafts.change(yearGroup, { year: Number(target.value) });
        }}
        slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      />
      <Button variant="outlined" onClick={onDone}>
        Cancel
      </Button>
      <Button type="submit" variant="contained" disabled={yearTrouble(text, taken) !== undefined || drafts.saving || isGone}>
        Save
      </Button>
      <RowTrouble text={refused['']} onReload={onDone} />
    </form>
  );
};
