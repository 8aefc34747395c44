import type { Structure } from '#api/school/school.contract';
import type { ReactNode } from 'react';
import { Heads, Table } from '../../../ui/table/Table.tsx';
import type { DetailsProps } from './Details.tsx';
import { Details } from './Details.tsx';
import styles from './SchoolYear.module.css';

type ClassTableProps = {
  readonly label: string;
  /** Of the cells before those that every class has. */
  readonly heads: readonly string[];
  /** Of the cell after them. */
  readonly last: string;
  readonly children: ReactNode;
};

/** Classes of the new year, a row each. */
export const ClassTable = ({ label, heads, last, children }: ClassTableProps) => (
  <Table label={label} isList cardsBelow={900}>
    <Heads names={[...heads, 'Name', DETAILS, last]} />
    <tbody>{children}</tbody>
  </Table>
);

/** What can be said of a class here. */
type Said = {
  readonly name?: string;
  readonly schemeId?: string;
  readonly testIds?: readonly string[];
  readonly teacherIds?: readonly string[];
};
type ClassRowProps = {
  readonly structure: Structure;
  /** What it is in the new year; undefined: there is none. */
  readonly value: (DetailsProps['value'] & { readonly name: string }) | undefined;
  readonly nameLabel: string;
  /** The cells before. */
  readonly cells: ReactNode;
  readonly last: ReactNode;
  readonly onChange: (said: Said) => void;
};

export const ClassRow = ({ structure, value, nameLabel, cells, last, onChange }: ClassRowProps) => (
  <tr>
    {cells}
    <td data-label="Name">
      {value && (
        <input
          className={styles.input}
          aria-label={nameLabel}
          value={value.name}
          maxLength={200}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
    </td>
    <td data-label={DETAILS}>
      {value && <Details name={value.name || 'New class'} structure={structure} value={value} onChange={onChange} />}
    </td>
    <td>{last}</td>
  </tr>
);

const DETAILS = 'Scheme of work, assessments and teachers';
