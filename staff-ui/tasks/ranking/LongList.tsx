import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import styles from '../Steps.module.css';

const SHOWN = 8;

/** The first rows of a list; the others on request. */
export const LongList = <Row,>({ rows, children }: { readonly rows: readonly Row[]; readonly children: (row: Row) => ReactNode }) => {
  const [isAll, setAll] = useState(false);
  return (
    <>
      <ul className={styles.warnings}>{(isAll ? rows : rows.slice(0, SHOWN)).map(children)}</ul>
      {rows.length > SHOWN && !isAll && (
        <Button look="plain" onClick={() => setAll(true)}>
          Show all {rows.length}
        </Button>
      )}
    </>
  );
};
