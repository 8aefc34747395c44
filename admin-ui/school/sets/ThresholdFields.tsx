import { wrongThresholds } from '#api/contract/rules';
import { FormHelperText, TextField } from '@mui/material';
import styles from './Classes.module.css';
import type { Thresholds } from './set.ts';

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
export const ThresholdFields = ({ thresholds, onChange, error }: ThresholdFieldsProps) => {
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
