import { Notice } from '../../feedback/Notice.tsx';
import { Scrollable } from '../../table/Scrollable.tsx';
import styles from './BroughtFile.module.css';
import type { RefusedRow } from './brought.ts';

/** Rows that the author of a file has left out, and why. */
export const LeftOut = ({ rows }: { readonly rows: readonly RefusedRow[] }) => {
  if (rows.length === 0) return null;
  const title =
    rows.length === 1
      ? '1 row of the file is left out, as you said.'
      : `${rows.length.toLocaleString('en-GB')} rows of the file are left out, as you said.`;
  return (
    <Notice title={title}>
      <Scrollable className={styles.rows} label={title}>
        <ul>
          {rows.map(({ line, who, why }) => (
            <li key={line}>
              Line {line}, {who}: {why}
            </li>
          ))}
        </ul>
      </Scrollable>
    </Notice>
  );
};
