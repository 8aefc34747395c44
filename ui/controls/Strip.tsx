import styles from './Strip.module.css';

type StripProps = { readonly label: string; readonly done?: number; readonly tone?: 'work' | 'wait' };

/** One line under the header about work in progress: a label and a progress bar. */
export const Strip = ({ label, done, tone = 'work' }: StripProps) => (
  <div className={`line gap-4 small ${styles.strip} ${styles[tone]}`} role="status">
    <span>{label}</span>
    {tone === 'work' && <progress className={styles.bar} aria-label={label} {...(done === undefined ? {} : { value: done })} />}
  </div>
);
