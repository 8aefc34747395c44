import type { ReactNode } from 'react';
import { useState } from 'react';
import { lastPage, PAGE_ROWS, Pager } from '../../ui/table/Pager.tsx';
import { Table } from '../../ui/table/Table.tsx';
import styles from './Prior.module.css';

type PagedProps<Row> = {
  readonly label: string;
  readonly heads: readonly ReactNode[];
  readonly rows: readonly Row[];
  readonly className?: string | undefined;
  /** Said beneath a table without rows. */
  readonly empty?: string;
  /** What stands beside the pager. */
  readonly aside?: ReactNode;
  readonly children: (row: Row) => ReactNode;
};

/** A table of students, 15 to a page. */
export const Paged = <Row,>({ label, heads, rows, className, empty, aside, children }: PagedProps<Row>) => {
  const [chosenPage, setPage] = useState(0);
  const page = Math.min(chosenPage, lastPage(rows.length, PAGE_ROWS));
  const pager = <Pager of="students" page={page} size={PAGE_ROWS} count={rows.length} onPage={setPage} />;
  return (
    <>
      <Table label={label} isList cardsBelow={600} region={styles.scroll} className={className}>
        <thead>
          <tr>
            {heads.map((head, place) => (
              <th key={place} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS).map(children)}</tbody>
      </Table>
      {rows.length === 0 && empty !== undefined && <p className="small muted">{empty}</p>}
      {aside === undefined ? (
        pager
      ) : (
        <div className="row apart gap-4">
          {pager}
          {aside}
        </div>
      )}
    </>
  );
};
