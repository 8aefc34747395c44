import { Button } from '../controls/Button.tsx';
import styles from './Pager.module.css';

type PagerProps = {
  /** from 0 */
  readonly page: number;
  readonly size: number;
  readonly count: number;
  readonly onPage: (page: number) => void;
  /** What the rows are: 'students'. */
  readonly of: string;
  /** Left out: the size is fixed. */
  readonly rows?: ChooseRows;
};

export type RowsAPage = number | 'all';
/** How many rows a page shows, for whoever is shown it to choose. */
export type ChooseRows = {
  /** The fewest first. */
  readonly choices: readonly [number, ...RowsAPage[]];
  readonly chosen: RowsAPage;
  readonly choose: (rows: RowsAPage) => void;
};

/** Rows of a page of a table of students. */
export const PAGE_ROWS = 15;

export const lastPage = (count: number, size: number): number => Math.max(0, Math.ceil(count / size) - 1);

/** '1-15 of 729' with first, previous, next, last. */
export const Pager = ({ page, size, count, onPage, of, rows }: PagerProps) => {
  const last = lastPage(count, size);
  const first = count === 0 ? 0 : page * size + 1;
  return (
    <nav className="row gap-1" aria-label={`Pages of ${of}`}>
      <span className={`muted small figure ${styles.where}`} role="status">
        {first}–{Math.min(count, (page + 1) * size)} of {count}
      </span>
      {last > 0 && (
        <>
          <Step label="First page" sign="M11 3 6 8l5 5M4 3v10" disabled={page === 0} go={() => onPage(0)} />
          <Step label="Previous page" sign="M10 3 5 8l5 5" disabled={page === 0} go={() => onPage(page - 1)} />
          <Step label="Next page" sign="m6 3 5 5-5 5" disabled={page === last} go={() => onPage(page + 1)} />
          <Step label="Last page" sign="m5 3 5 5-5 5M12 3v10" disabled={page === last} go={() => onPage(last)} />
        </>
      )}
      {rows && count > rows.choices[0] && <Rows {...rows} />}
    </nav>
  );
};

const Rows = ({ choices, chosen, choose }: ChooseRows) => (
  <label className={`line muted small ${styles.rows}`}>
    Rows a page{' '}
    <select value={chosen} onChange={({ target }) => choose(choices.find((one) => String(one) === target.value) ?? chosen)}>
      {choices.map((one) => (
        <option key={one} value={one}>
          {one === 'all' ? 'All' : one}
        </option>
      ))}
    </select>
  </label>
);

type StepProps = { readonly label: string; readonly sign: string; readonly disabled: boolean; readonly go: () => void };

const Step = ({ label, sign, disabled, go }: StepProps) => (
  <Button look="plain" className={styles.step} aria-label={label} title={label} disabled={disabled} onClick={go}>
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={sign} fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  </Button>
);
