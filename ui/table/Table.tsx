import type { ReactNode } from 'react';
import { Scrollable } from './Scrollable.tsx';
import styles from './Table.module.css';

type TableProps = {
  readonly label: string;
  /** Rows for reading in a list, instead of those for a whole class at a glance. */
  readonly isList?: boolean;
  /** The class of the table itself. */
  readonly className?: string | undefined;
  /** The class of the region that scrolls. */
  readonly region?: string | undefined;
  readonly children: ReactNode;
};

/** A ruled table in a region that scrolls, whose heads and first column stay in sight. */
export const Table = ({ label, isList = false, className = '', region = '', children }: TableProps) => (
  <Scrollable label={label} className={`${styles.scroll} ${region}`}>
    <table className={`${styles.table} ${className}`} data-list={isList || undefined}>
      {children}
    </table>
  </Scrollable>
);
