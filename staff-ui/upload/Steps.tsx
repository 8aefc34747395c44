import styles from './Steps.module.css';

/** Where one is on the way: 1 File, 2 Tests, 3 Check, 4 Done. */
export const Steps = ({ steps, current }: { readonly steps: readonly string[]; readonly current: string }) => (
  <ol className={styles.steps} aria-label="Steps">
    {steps.map((step, index) => (
      <li key={step} aria-current={step === current ? 'step' : undefined} data-past={index < steps.indexOf(current) || undefined}>
        <span className={styles.number}>{index + 1}</span> {step}
      </li>
    ))}
  </ol>
);
