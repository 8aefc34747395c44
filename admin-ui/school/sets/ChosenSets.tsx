import { wrongThresholds } from '#api/contract/rules';
import { Button, TextField } from '@mui/material';
import { useState } from 'react';
import { useGetMany, useListContext } from 'react-admin';
import { Popover } from '../../../ui/controls/Popover.tsx';
import { counted } from '../../format.ts';
import { BulkBar } from '../../list/BulkBar.tsx';
import { AssessmentChoices } from './Assessments.tsx';
import styles from './Classes.module.css';
import type { Choice, TeachingSet, Thresholds } from './set.ts';
import { colours, turned } from './set.ts';

type ChosenSetsProps = {
  /** A set with its unsaved changes. */
  readonly shown: (row: TeachingSet) => TeachingSet;
  readonly change: (row: TeachingSet, values: Partial<TeachingSet>) => void;
  readonly schemes: readonly Choice[];
  readonly tests: readonly Choice[];
  readonly years: readonly { readonly id: string; readonly year: number }[];
};

/** Changes all ticked sets at once: edits like those of a single row, which Save stores. */
export const ChosenSets = ({ shown, change, schemes, tests, years }: ChosenSetsProps) => {
  const { selectedIds } = useListContext<TeachingSet>();
  const { data = [] } = useGetMany<TeachingSet>('sets', { ids: selectedIds }, { enabled: selectedIds.length > 0 });
  const changeEach = (values: (set: TeachingSet, stored: TeachingSet) => Partial<TeachingSet>) => {
    for (const row of data) change(row, values(shown(row), row));
  };
  const many = counted(data.length, 'set');
  return (
    <div className={styles.chosen}>
      <BulkBar>
        <Pick label="Scheme of work" choices={schemes} onPick={(schemeId) => changeEach(() => ({ schemeId }))} />
        <Popover label="Assessments" look="quiet">
          <AssessmentChoices
            legend={`What the ${many} sit`}
            tests={tests}
            sets={data.map(shown)}
            onTurn={(testId, sits) => changeEach((set, stored) => ({ testIds: turned(stored, set, testId, sits) }))}
          />
        </Popover>
        <Popover label="RAG thresholds" look="quiet">
          <Levels many={many} onUse={(thresholds) => changeEach(() => ({ thresholds }))} />
        </Popover>
        <Pick
          label="Year group"
          choices={years.map(({ id, year }) => ({ id, name: `Year ${year}` }))}
          onPick={(yearGroupId) => changeEach(() => ({ yearGroupId }))}
        />
      </BulkBar>
    </div>
  );
};

type PickProps = { readonly label: string; readonly choices: readonly Choice[]; readonly onPick: (id: string) => void };

const Pick = ({ label, choices, onPick }: PickProps) => (
  <TextField
    select
    label={label}
    value=""
    margin="none"
    onChange={({ target }) => onPick(target.value)}
    sx={{ width: 170 }}
    slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
  >
    <option value="" disabled>
      Choose…
    </option>
    {choices.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </TextField>
);

type LevelsProps = { readonly many: string; readonly onUse: (thresholds: Thresholds) => void };

const Levels = ({ many, onUse }: LevelsProps) => {
  const [typed, setTyped] = useState<Thresholds>({ red: 0, amber: 40, green: 70 });
  const wrong = wrongThresholds(typed);
  return (
    <form
      className={styles.levels}
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong !== undefined) return;
        onUse(typed);
        event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
      }}
    >
      {colours.map(({ key, label }) => (
        <TextField
          key={key}
          label={label}
          value={Number.isNaN(typed[key]) ? '' : typed[key]}
          error={wrong !== undefined}
          margin="none"
          onChange={({ target }) => setTyped({ ...typed, [key]: target.value.trim() === '' ? Number.NaN : Number(target.value) })}
          slotProps={{ htmlInput: { inputMode: 'numeric', maxLength: 3 } }}
        />
      ))}
      <p role="status" className="failed small">
        {wrong}
      </p>
      <Button type="submit" variant="outlined" disabled={wrong !== undefined}>
        Use for {many}
      </Button>
    </form>
  );
};
