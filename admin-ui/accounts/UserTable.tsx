import type { ReactNode } from 'react';
import type { RaRecord } from 'react-admin';
import { useListContext } from 'react-admin';
import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { SortHead } from '../../ui/table/SortHead.tsx';
import { Table } from '../../ui/table/Table.tsx';
import { Choice, ChoiceOfAll } from '../list/filters/Choice.tsx';
import styles from './Users.module.css';

/** `source`: the server's sort field. */
type Column<Row> = { readonly source: string; readonly label: string; readonly cell: (row: Row) => ReactNode };
type UserTableProps<Row> = {
  readonly label: string;
  /** The rows as they are shown. */
  readonly read?: (rows: readonly Row[]) => readonly Row[];
  /** Names the row for screen readers. */
  readonly nameOf: (row: Row) => string;
  /** The first column is the row header. */
  readonly columns: readonly [Column<Row>, ...Column<Row>[]];
  /** Actions on one row; for actions on all chosen rows see BulkBar. */
  readonly renderActions: (row: Row) => ReactNode;
};

/** An e-mail address, which breaks before the @ where there is little room. */
export const Address = ({ of }: { readonly of: string }) => {
  const [name, ...domain] = of.split(/(?=@)/u);
  return (
    <>
      {name}
      <wbr />
      {domain}
    </>
  );
};

/** A table of accounts with row actions and check boxes. */
export const UserTable = <Row extends RaRecord<string>>({ label, read, nameOf, columns, renderActions }: UserTableProps<Row>) => {
  const { data = [], sort, setSort, selectedIds, onToggleItem } = useListContext<Row>();
  const [first, ...others] = columns;
  return (
    <Table label={label} isList cardsBelow={900}>
      <thead>
        <tr>
          <Changes>
            <th scope="col">
              <ChoiceOfAll />
            </th>
          </Changes>
          {columns.map((column) => {
            const direction = sort.field !== column.source ? undefined : sort.order === 'ASC' ? 'asc' : 'desc';
            return (
              <SortHead
                key={column.source}
                label={column.label}
                direction={direction}
                onSort={() => setSort({ field: column.source, order: direction === 'asc' ? 'DESC' : 'ASC' })}
              />
            );
          })}
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {(read?.(data) ?? data).map((row) => (
          <tr key={row.id}>
            <Changes>
              <td data-choice>
                <Choice label={`Choose ${nameOf(row)}`} checked={selectedIds.includes(row.id)} onChange={() => onToggleItem(row.id)} />
              </td>
            </Changes>
            <th scope="row">{first.cell(row)}</th>
            {others.map(({ source, label: head, cell }) => (
              <td key={source} data-label={head}>
                {cell(row)}
              </td>
            ))}
            <td>
              <div className={`row gap-1 ${styles.acts}`}>{renderActions(row)}</div>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
};
