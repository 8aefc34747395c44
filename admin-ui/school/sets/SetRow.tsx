import { Changes } from '../../../ui/frame/ReadOnly.tsx';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import { Button, IconButton, MenuItem, TextField, FormHelperText } from '@mui/material';
import { ChipsInput } from '../../drafts/ChipsInput.tsx';
import { RowTrouble } from '../../drafts/RowTrouble.tsx';
import type { DraftErrors } from '../../drafts/useDrafts.ts';
import { counted } from '../../format.ts';
import styles from './Classes.module.css';
import type { Choice, TeachingSet, Thresholds } from './set.ts';
import { wrongThresholds } from '#api/contract/rules';

type SetRowProps = {
  readonly set: TeachingSet;
  readonly schemes: readonly Choice[];
  readonly tests: readonly Choice[];
  readonly errors: DraftErrors;
  readonly onChange: (values: Partial<TeachingSet>) => void;
  /** Copies this set's assessments to the other sets of the year group; omitted: they have the same already. */
  readonly onForAll: (() => void) | undefined;
  readonly onReload: () => void;
  readonly onDelete: () => void;
};

export const SetRow = ({ set, schemes, tests, errors, onChange, onForAll, onReload, onDelete }: SetRowProps) => (
  <li className={styles.set} aria-label={`Set ${set.name}`}>
    <TextField
      label="Group name"
      value={set.name}
      error={errors['name'] !== undefined}
      helperText={errors['name'] ?? counted(set.students, 'student')}
      margin="none"
      onChange={({ target }) => onChange({ name: target.value })}
      slotProps={{ htmlInput: { maxLength: 200 } }}
    />
    <TextField
      select
      label="Scheme of work"
      value={schemes.some(({ id }) => id === set.schemeId) ? set.schemeId : ''}
      error={errors['schemeId'] !== undefined}
      helperText={errors['schemeId']}
      margin="none"
      onChange={({ target }) => onChange({ schemeId: target.value })}
    >
      {schemes.map(({ id, name }) => (
        <MenuItem key={id} value={id}>
          {name}
        </MenuItem>
      ))}
    </TextField>
    <div>
      <ChipsInput
        label="Mapped assessments"
        choices={tests}
        chosen={set.testIds}
        onChange={(testIds) => onChange({ testIds })}
        error={errors['testIds']}
      />
      {onForAll && (
        <Changes>
          <Button size="small" aria-label={`Use the assessments of ${set.name} for all sets of the year group`} onClick={onForAll}>
            Use for all sets
          </Button>
        </Changes>
      )}
    </div>
    <ThresholdFields thresholds={set.thresholds} onChange={(thresholds) => onChange({ thresholds })} error={errors['thresholds']} />
    <Changes>
      <IconButton aria-label={`Delete set ${set.name}`} onClick={onDelete}>
        <DeleteIcon fontSize="small" />
      </IconButton>
    </Changes>
    <RowTrouble text={errors['']} onReload={onReload} />
  </li>
);

type ThresholdFieldsProps = {
  readonly thresholds: Thresholds;
  readonly onChange: (thresholds: Thresholds) => void;
  readonly error: string | undefined;
};

const colours = [
  { key: 'red', label: 'Red %' },
  { key: 'amber', label: 'Amber %' },
  { key: 'green', label: 'Green %' },
] as const;

/** Above Green is green, above Amber amber, the rest red. */
const ThresholdFields = ({ thresholds, onChange, error }: ThresholdFieldsProps) => {
  const trouble = wrongThresholds(thresholds) ?? error;
  return (
    <fieldset className={styles.thresholds}>
      <legend className="sr">RAG thresholds</legend>
      {colours.map(({ key, label }) => (
        <TextField
          key={key}
          label={label}
          value={Number.isNaN(thresholds[key]) ? '' : thresholds[key]}
          error={trouble !== undefined}
          margin="none"
          onChange={({ target }) => onChange({ ...thresholds, [key]: target.value.trim() === '' ? Number.NaN : Number(target.value) })}
          slotProps={{ htmlInput: { inputMode: 'numeric', size: 3 } }}
        />
      ))}
      {trouble !== undefined && <FormHelperText error>{trouble}</FormHelperText>}
    </fieldset>
  );
};
