import { useEffect, useRef } from 'react';
import styles from './Steps.module.css';

/** The steps of an upload and the current one. A new step takes the focus, because the button that led to it is gone. */
export const Steps = ({ steps, current }: { readonly steps: readonly string[]; readonly current: string }) => {
  const list = useRef<HTMLOListElement>(null);
  const before = useRef(current);
  useEffect(() => {
    if (before.current !== current) list.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
    before.current = current;
  }, [current]);
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
