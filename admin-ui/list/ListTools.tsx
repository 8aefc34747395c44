import { MenuItem, TextField } from '@mui/material';
import { useListSortContext } from 'react-admin';
import styles from './ListTools.module.css';
import { SearchBox } from './filters/SearchBox.tsx';

/** A sort order of a list: 'Name, A to Z'. */
export type SortChoice = { readonly label: string; readonly field: string; readonly order: 'ASC' | 'DESC' };

type ListToolsProps = { readonly search: string; readonly sorts: readonly SortChoice[] };

/** Search and sort, on the server, for a list without column headers. */
export const ListTools = ({ search, sorts }: ListToolsProps) => {
  const { sort, setSort } = useListSortContext();
  const chosen = sorts.find(({ field, order }) => field === sort.field && order === sort.order);
  return (
    <div className={styles.tools}>
      <SearchBox label={search} />
      <TextField
        select
        label="Sorted by"
        value={chosen?.label ?? ''}
        onChange={({ target }) => {
          const next = sorts.find(({ label }) => label === target.value);
          if (next) setSort({ field: next.field, order: next.order });
        }}
        sx={{ width: 'min(100%, 220px)' }}
      >
        {sorts.map(({ label }) => (
          <MenuItem key={label} value={label}>
            {label}
          </MenuItem>
        ))}
      </TextField>
    </div>
  );
};
