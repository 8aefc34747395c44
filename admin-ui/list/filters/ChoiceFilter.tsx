import { TextField } from '@mui/material';
import { useListContext } from 'react-admin';

type ChoiceFilterProps = {
  /** The field that the server filters by. */
  readonly source: string;
  readonly label: string;
  readonly choices: readonly { readonly id: string; readonly name: string }[];
};

/** Filters a list by one value of a field. */
export const ChoiceFilter = ({ source, label, choices }: ChoiceFilterProps) => {
  const list = useListContext();
  const { [source]: chosen = '', ...others } = list.filterValues as Readonly<Record<string, unknown>>;
  return (
    <TextField
      select
      label={label}
      value={chosen}
      onChange={({ target: { value } }) => list.setFilters(value === '' ? others : { ...others, [source]: value })}
      sx={{ flex: '1 1 140px', maxWidth: 200 }}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
    >
      <option value="">All</option>
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </TextField>
  );
};
