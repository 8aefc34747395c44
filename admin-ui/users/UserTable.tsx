import type { ReactNode } from 'react';
import { useListContext } from 'react-admin';
import { Scrollable } from '../../ui/table/Scrollable.tsx';
import { SortHead } from '../../ui/table/SortHead.tsx';
import table from '../list/Table.module.css';

type UserTableProps = {
  readonly label: string;
  /** Each can be sorted by, on the server. */
  readonly columns: readonly { readonly source: string; readonly label: string }[];
  /** The rows; their last cell is for what can be done. */
  readonly children: ReactNode;
};

export const UserTable = ({ label, columns, children }: UserTableProps) => {
  const { sort, setSort } = useListContext();
  return (
    <Scrollable label={label} className={table.scroll}>
      <table className={`${table.table} ${table.stacked}`}>
        <thead>
          <tr>
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
        <tbody>{children}</tbody>
      </table>
    </Scrollable>
  );
};
