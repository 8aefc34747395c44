import type { ReactNode } from 'react';
import { Suspense, useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { useMedia } from '../../../ui/controls/useMedia.ts';
import styles from './Chart.module.css';

/** The figures of a chart as a table: the first cell of a row is its head, the others are right-aligned figures. */
export type Twin = {
  readonly head: readonly string[];
  readonly rows: readonly { readonly id: string; readonly cells: readonly ReactNode[] }[];
};

type ChartProps = {
  /** What was found. */
  readonly title: string;
  /** What the picture shows, in a sentence. */
  readonly says: ReactNode;
  readonly twin: Twin;
  /** One of pictures.ts. */
  readonly children: ReactNode;
};

/** A picture that says what it shows, and its figures as a table. The picture's code is loaded where it is shown. */
export const Chart = ({ title, says, twin, children }: ChartProps) => {
  const [isTable, setTable] = useState(false);
  const isPrinted = useMedia('print');
  return (
    <figure className={styles.chart}>
      <figcaption>
        <h3>{title}</h3>
        <p className="small muted">{says}</p>
      </figcaption>
      <Button
        look="plain"
        className={styles.turn}
        onClick={() => setTable(!isTable)}
        aria-label={isTable ? `Show the picture: ${title}` : `Show as a table: ${title}`}
      >
        {isTable ? 'Show the picture' : 'Show as a table'}
      </Button>
      {!isTable && <Suspense fallback={<Skeleton rows={4} label="Loading the picture" />}>{children}</Suspense>}
      {(isTable || isPrinted) && <TwinTable label={title} twin={twin} />}
    </figure>
  );
};

const TwinTable = ({ label, twin }: { readonly label: string; readonly twin: Twin }) => (
  <Table label={label} region={styles.twin}>
    <thead>
      <tr>
        {twin.head.map((name, column) => (
          <th key={name} scope="col" className={column > 0 ? 'figure' : undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {twin.rows.map(({ id, cells: [head, ...cells] }) => (
        <tr key={id}>
          <th scope="row">{head}</th>
          {cells.map((cell, column) => (
            // oxlint-disable-next-line react/no-array-index-key -- a cell is known by its column
            <td key={column} className="figure">
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </Table>
);
