import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react';
import { useId } from 'react';
import styles from './Field.module.css';

type Labelled = { readonly label: string; readonly error?: ReactNode; readonly hint?: ReactNode };

/** An input with its label, and its error or hint below. */
export const Field = ({ label, error, hint, ...rest }: Labelled & InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId();
  return (
    <div className={`stack gap-1 ${styles.field}`}>
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-invalid={error ? true : undefined} aria-describedby={`${id}-about`} {...rest} />
      <About id={`${id}-about`} error={error} hint={hint} />
    </div>
  );
};

export const Select = ({ label, error, hint, children, ...rest }: Labelled & SelectHTMLAttributes<HTMLSelectElement>) => {
  const id = useId();
  return (
    <div className={`stack gap-1 ${styles.field}`}>
      <label htmlFor={id}>{label}</label>
      <select id={id} aria-invalid={error ? true : undefined} aria-describedby={`${id}-about`} {...rest}>
        {children}
      </select>
      <About id={`${id}-about`} error={error} hint={hint} />
    </div>
  );
};

const About = ({ id, error, hint }: { readonly id: string; readonly error: ReactNode; readonly hint: ReactNode }) => (
  <div id={id} className={`${styles.about} small ${error ? 'failed' : 'muted'}`}>
    {error ?? hint}
  </div>
);
