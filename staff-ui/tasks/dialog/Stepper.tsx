import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import type { Step } from './steps.ts';
import { isSkipped, STEPS } from './steps.ts';
import styles from './Stepper.module.css';

type StepperProps = {
  readonly current: Step;
  readonly canOpen: (step: Step) => boolean;
  readonly onOpen: (step: Step) => void;
  readonly teacherInput: boolean;
  /** Of the current step. */
  readonly children: ReactNode;
};

/** Steps below each other, of which one is open. A new step takes the focus, because the button that led to it is gone. */
export const Stepper = ({ current, canOpen, onOpen, teacherInput, children }: StepperProps) => {
  const list = useRef<HTMLOListElement>(null);
  const before = useRef(current);
  useEffect(() => {
    if (before.current !== current) list.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
    before.current = current;
  }, [current]);
  return (
    <ol ref={list} className={styles.stepper} aria-label="Steps">
      {STEPS.map(({ step, title, byTeachers }) => (
        <li key={step} data-past={step < current || undefined} data-open={step === current || undefined}>
          <button
            type="button"
            className={styles.head}
            aria-current={step === current ? 'step' : undefined}
            disabled={isSkipped(step, teacherInput) || (step !== current && !canOpen(step))}
            onClick={() => onOpen(step)}
          >
            <span className={styles.number}>{step}</span>
            <span>
              {title}
              {byTeachers && <small>{isSkipped(step, teacherInput) ? 'Skipped: teachers do not check this task' : 'Optional'}</small>}
            </span>
          </button>
          {step === current && (
            <section aria-label={title} className={styles.body}>
              {children}
            </section>
          )}
        </li>
      ))}
    </ol>
  );
};
