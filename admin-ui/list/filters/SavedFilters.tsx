import { Button, Chip, TextField } from '@mui/material';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { SavedQuery } from 'react-admin';
import { useListContext, useSavedQueries } from 'react-admin';
import styles from './SavedFilters.module.css';

type Filter = Readonly<Record<string, unknown>>;

/** Filters saved under a name, with the sort order: kept in this browser for this account (data/store.ts). */
export const SavedFilters = () => {
  const { resource, sort, perPage, setFilters, setSort, ...list } = useListContext();
  const filter = list.filterValues as Filter;
  const [saved, setSaved] = useSavedQueries(resource);
  const [naming, setNaming] = useState(false);
  const isNow = ({ value }: SavedQuery) => JSON.stringify([value.filter, value.sort]) === JSON.stringify([filter, sort]);
  const isFiltered = Object.keys(filter).length > 0;
  const mayKeep = isFiltered && !saved.some(isNow);
  if (saved.length === 0 && !mayKeep) return null;

  const use = ({ value }: SavedQuery) => {
    setFilters((value.filter ?? {}) as Filter);
    if (value.sort) setSort(value.sort);
  };
  const keep = (label: string) => {
    setSaved([...saved.filter((other) => other.label !== label), { label, value: { filter, sort, perPage } }]);
    setNaming(false);
  };
  return (
    <div className={`row gap-4 ${styles.saved}`}>
      {saved.length > 0 && (
        <ul className="row" aria-label="Saved filters">
          {saved.map((query) => (
            <li key={query.label}>
              <Chip
                label={query.label}
                color={isNow(query) ? 'primary' : 'default'}
                variant={isNow(query) ? 'filled' : 'outlined'}
                onClick={() => use(query)}
              />
              <Button
                size="small"
                aria-label={`Forget the filter ${query.label}`}
                title="Forget"
                onClick={() => setSaved(saved.filter((other) => other !== query))}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
      {mayKeep && !naming && (
        <Button size="small" onClick={() => setNaming(true)}>
          Save this filter…
        </Button>
      )}
      {mayKeep && naming && <NameForm onName={keep} onCancel={() => setNaming(false)} />}
    </div>
  );
};

const NameForm = ({ onName, onCancel }: { readonly onName: (name: string) => void; readonly onCancel: () => void }) => {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onName(name.trim());
  };
  return (
    <form className="row" onSubmit={submit}>
      <TextField
        label="Name of the filter"
        value={name}
        autoFocus
        margin="none"
        onChange={({ target }) => setName(target.value)}
        slotProps={{ htmlInput: { maxLength: 40 } }}
      />
      <Button type="submit" variant="outlined" disabled={name.trim() === ''}>
        Save
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
    </form>
  );
};
