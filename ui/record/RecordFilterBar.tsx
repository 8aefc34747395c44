import { useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { Field, Select } from '../controls/Field.tsx';
import type { RecordFilters } from './filters.ts';
import { isKind, kindNames, kinds } from './filters.ts';
import styles from './Record.module.css';

type BarProps = { readonly filters: RecordFilters; readonly narrow: (filters: RecordFilters) => void };

/** Narrows the record: by words in names, by kind, by days, and by the person or thing that was chosen in it. */
export const RecordFilterBar = ({ filters, narrow }: BarProps) => {
  const [text, setText] = useState(filters.text ?? '');
  const { byName: _name, by: _by, ...withoutBy } = filters;
  const { aboutName: _aboutName, about: _about, ...withoutAbout } = filters;
  const { inName: _inName, in: _in, ...withoutIn } = filters;
  return (
    <search>
      <form
        className={`row gap-3 top ${styles.filters}`}
        onSubmit={(event) => {
          event.preventDefault();
          narrow({ ...filters, text });
        }}
      >
        <Field
          label="Names"
          type="search"
          placeholder="Student, class, assessment, person"
          value={text}
          maxLength={100}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit">Search</Button>
        <Select
          label="Kind"
          value={filters.kind ?? ''}
          onChange={({ target: { value } }) => {
            const { kind: _kind, ...others } = filters;
            narrow(isKind(value) ? { ...others, kind: value } : others);
          }}
        >
          <option value="">Everything</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindNames[kind]}
            </option>
          ))}
        </Select>
        <Field
          label="From"
          type="date"
          value={filters.from ?? ''}
          max={filters.to}
          onChange={({ target }) => narrow({ ...filters, from: target.value })}
        />
        <Field
          label="To"
          type="date"
          value={filters.to ?? ''}
          min={filters.from}
          onChange={({ target }) => narrow({ ...filters, to: target.value })}
        />
      </form>
      <div className={`row ${styles.chosen}`}>
        {filters.by !== undefined && <Chosen label={`By ${filters.byName ?? 'one person'}`} drop={() => narrow(withoutBy)} />}
        {filters.about !== undefined && <Chosen label={`About ${filters.aboutName ?? 'one thing'}`} drop={() => narrow(withoutAbout)} />}
        {filters.in !== undefined && <Chosen label={`In ${filters.inName ?? 'one thing'}`} drop={() => narrow(withoutIn)} />}
      </div>
    </search>
  );
};

const Chosen = ({ label, drop }: { readonly label: string; readonly drop: () => void }) => (
  <Button onClick={drop} aria-label={`${label}: show others too`}>
    {label} <span aria-hidden="true">×</span>
  </Button>
);
