import styles from './SortHead.module.css';

export type Direction = 'asc' | 'desc';

type SortHeadProps = {
  readonly label: string;
  /** Small text below the label: 'of 26'. */
  readonly note?: string;
  /** undefined: the table is sorted by another column */
  readonly direction: Direction | undefined;
  readonly onSort: () => void;
  readonly className?: string | undefined;
  readonly numeric?: boolean;
};

/** A column header that sorts the table. */
export const SortHead = ({ label, note, direction, onSort, className, numeric = false }: SortHeadProps) => (
  <th scope="col" className={className} aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}>
    <button type="button" className={`${styles.sort} ${numeric ? styles.numeric : ''}`} onClick={onSort}>
      <span>{label}</span>
      {note && <small title={note}>{note}</small>}
      <Arrows direction={direction} />
    </button>
  </th>
);

const Arrows = ({ direction }: { readonly direction: Direction | undefined }) => (
  <svg viewBox="0 0 8 12" width="8" height="12" aria-hidden="true" data-direction={direction}>
    <path className={styles.up} d="M4 1 7 5H1z" />
    <path className={styles.down} d="M4 11 1 7h6z" />
  </svg>
);
