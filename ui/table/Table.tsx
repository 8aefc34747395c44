import type { ReactNode } from 'react';
import { useMedia } from '../controls/useMedia.ts';
import { Scrollable } from './Scrollable.tsx';
import styles from './Table.module.css';

type TableProps = {
  readonly label: string;
  /** Rows for reading in a list, instead of those for a whole class at a glance. */
  readonly isList?: boolean;
  /** Below so many pixels of the window each row is a card, whose cells have their head in `data-label`. */
  readonly cardsBelow?: 600 | 900 | 1100 | undefined;
  /** The class of the table itself. */
  readonly className?: string | undefined;
  /** The class of the region that scrolls. */
  readonly region?: string | undefined;
  readonly children: ReactNode;
};

/** A ruled table in a region that scrolls, whose heads and first column stay in sight. */
export const Table = ({ label, isList = false, cardsBelow, className = '', region = '', children }: TableProps) => {
  const isCards = useMedia(`(max-width: ${(cardsBelow ?? 0) - 1}px)`);
  return (
    <Scrollable label={label} className={`${styles.scroll} ${region}`}>
      <table className={`${isCards ? styles.cards : styles.table} ${className}`} data-list={isList || undefined}>
        {children}
      </table>
    </Scrollable>
  );
};

type HeadsProps = { readonly names: readonly string[]; readonly figures?: readonly string[] };

/** The heads of a table. `figures`: those of them that stand above figures, on the right. */
export const Heads = ({ names, figures = [] }: HeadsProps) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th key={name} scope="col" className={figures.includes(name) ? 'figure' : undefined}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);
