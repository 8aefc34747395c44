import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

type EmptyStateProps = { readonly title: string; readonly children?: ReactNode; readonly action?: ReactNode };

/** An empty page or list: what it is for, why it is empty, and the button that fills it. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <div className={`stack ${styles.empty}`}>
    <svg viewBox="0 0 64 48" width="64" height="48" aria-hidden="true">
      <path d="M8 10h48M8 22h48M8 34h48" stroke="var(--hairline)" strokeWidth="2" />
      <path d="M20 2v44" stroke="var(--band-red)" strokeWidth="2" />
      <path d="M28 28l6 6 14-18" fill="none" stroke="var(--brand)" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
    <h2>{title}</h2>
    {children && <div className={`muted ${styles.text}`}>{children}</div>}
    {action}
  </div>
);
