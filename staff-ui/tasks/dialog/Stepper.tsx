import type { ReactNode } from 'react';
import { useFocusOnNewStep } from '../../../ui/controls/useFocusOnNewStep.ts';
import type { TaskStep } from './steps.ts';
import { isSkipped, STEPS } from './steps.ts';
import styles from './Stepper.module.css';

type StepperProps = {
  readonly current: TaskStep;
  readonly canOpen: (step: TaskStep) => boolean;
  readonly onOpen: (step: TaskStep) => void;
  readonly teacherInput: boolean;
  /** The contents of the current step. */
  readonly children: ReactNode;
};

/** The steps, of which one is open. Where there is little room only their numbers are shown. */
export const Stepper = ({ current, canOpen, onOpen, teacherInput, children }: StepperProps) => {
  const list = useFocusOnNewStep(current);
  return (
    <ol ref={list} className={styles.stepper} aria-label="Steps">
      {STEPS.map(({ step, title, byTeachers }) => (
        <li key={step} data-past={step < current || undefined} data-open={step === current || undefined}>
          <button
            type="button"
            className={styles.head}
            title={title}
            aria-current={step === current ? 'step' : undefined}
            disabled={isSkipped(step, teacherInput) || (step !== current && !canOpen(step))}
            onClick={() => onOpen(step)}
          >
            <span className={styles.number}>{step}</span>
            <span className={styles.title}>
              {title}
              {byTeachers && <small>{isSkipped(step, teacherInput) ? 'Skipped: teachers do not check this task' : 'Optional'}</small>}
            </span>
          </button>
          {step === current && (
            <section aria-label={title} className={`stack gap-4 ${styles.body}`}>
              {children}
            </section>
          )}
        </li>
      ))}
    </ol>
  );
};
