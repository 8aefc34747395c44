import { useReadOnly } from '../../ui/frame/ReadOnly.tsx';
import { Autocomplete, TextField } from '@mui/material';

type ChipsInputProps = {
  readonly label: string;
  readonly choices: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly error?: string | undefined;
};

/** A multi-select with chips. */
export const ChipsInput = ({ label, choices, chosen, onChange, error }: ChipsInputProps) => (
  <Autocomplete
    multiple
    disableCloseOnSelect
    size="small"
    readOnly={useReadOnly()}
    options={choices}
    value={choices.filter(({ id }) => chosen.includes(id))}
    getOptionLabel={({ name }) => name}
    getOptionKey={({ id }) => id}
    isOptionEqualToValue={(one, other) => one.id === other.id}
    onChange={(_event, values) => onChange(values.map(({ id }) => id))}
    renderInput={(params) => <TextField {...params} label={label} margin="none" error={error !== undefined} helperText={error} />}
  />
);
