import type { ReactNode } from 'react';
import { useState } from 'react';
import { lastPage, PAGE_ROWS, Pager } from '../../../ui/table/Pager.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import styles from '../Steps.module.css';

type RowsProps<Row> = {
  readonly label: string;
  /** `aside`: on a phone there is no room for it; its cells have the class `aside` */
  readonly heads: readonly { readonly name: string; readonly numeric?: boolean; readonly aside?: boolean }[];
  readonly rows: readonly Row[];
  readonly children: (row: Row) => ReactNode;
};

/** A table of students, 15 rows a page. */
export const Rows = <Row,>({ label, heads, rows, children }: RowsProps<Row>) => {
  const [asked, setPage] = useState(0);
  const page = Math.min(asked, lastPage(rows.length, PAGE_ROWS));
  return (
    <div>
      <Table label={label}>
        <thead>
          <tr>
            {heads.map(({ name, numeric, aside }) => (
              <th key={name} scope="col" className={`${numeric ? styles.number : ''} ${aside ? styles.aside : ''}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map(children)}</tbody>
      </Table>
      <Pager of="students" page={page} size={PAGE_ROWS} count={rows.length} onPage={setPage} />
    </div>
  );
};
