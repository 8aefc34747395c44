import { Checkbox, FormControlLabel } from '@mui/material';
import { useListContext } from 'react-admin';

type OnlyFilterProps = {
  /** The field that the server filters by, and its value in the records that are then shown. */
  readonly source: string;
  readonly value: string | number | boolean;
  readonly label: string;
};

/** Narrows a list to the records with one value of a field. */
export const OnlyFilter = ({ source, value, label }: OnlyFilterProps) => {
  const list = useListContext();
  const { [source]: chosen, ...others } = list.filterValues as Readonly<Record<string, unknown>>;
  return (
    <FormControlLabel
      control={
        <Checkbox
          checked={chosen === value}
          onChange={(_event, isOnly) => list.setFilters(isOnly ? { ...others, [source]: value } : others)}
        />
      }
      label={label}
    />
  );
};
