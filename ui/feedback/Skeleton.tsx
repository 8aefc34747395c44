import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import styles from './Skeleton.module.css';

/** Renders its children after 300 ms, so that fast answers show no placeholder. */
export const Late = ({ children }: { readonly children: ReactNode }) => {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return late ? children : null;
};

/** Grey lines in the place of rows that are loading. */
export const Skeleton = ({ rows = 6, label = 'Loading' }: { readonly rows?: number; readonly label?: string }) => (
  <Late>
    <div className={styles.rows} role="status">
      <span className="sr">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={styles.row}>
          <span className={styles.bar} data-width={row % 4} />
        </span>
      ))}
    </div>
  </Late>
);
