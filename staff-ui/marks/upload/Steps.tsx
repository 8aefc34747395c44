import { useFocusOnNewStep } from '../../../ui/controls/useFocusOnNewStep.ts';
import styles from './Steps.module.css';

/** The steps of an upload and the current one. */
export const Steps = ({ steps, current }: { readonly steps: readonly string[]; readonly current: string }) => {
  const list = useFocusOnNewStep(current);
  return (
    <ol ref={list} className={styles.steps} aria-label="Steps">
      {steps.map((step, index) => (
        <li
          key={step}
          tabIndex={-1}
          aria-current={step === current ? 'step' : undefined}
          data-past={index < steps.indexOf(current) || undefined}
        >
          <span className={styles.number}>{index + 1}</span> {step}
        </li>
      ))}
    </ol>
  );
};
