import type { ReactNode } from 'react';
import { createContext, use, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { DialogFoot } from '../../../ui/controls/Dialog.tsx';
import styles from './Stepper.module.css';

const Place = createContext<HTMLElement | null>(null);

type WithStepFootProps = { readonly children: ReactNode; /** beside the acts of every step */ readonly next?: ReactNode };

/** Steps, and below them the foot of the dialog, which stays in sight: the acts of the step that is open, and the way on. */
export const WithStepFoot = ({ children, next }: WithStepFootProps) => {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  return (
    <Place value={place}>
      {children}
      <DialogFoot>
        <div ref={setPlace} className={`row end ${styles.foot}`} />
        {next}
      </DialogFoot>
    </Place>
  );
};

/** The actions of a step, and why one was refused (`Refusal`). */
export const StepFoot = ({ children }: { readonly children: ReactNode }) => {
  const place = use(Place);
  return place && createPortal(children, place);
};

/** Why nothing was stored, beside the button that was pressed. It takes the focus, again with each attempt (`of`). */
export const Refusal = ({ of, children }: { readonly of: unknown; readonly children: ReactNode }) => {
  const refusal = useRef<HTMLParagraphElement>(null);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- again with each attempt
  useEffect(() => refusal.current?.focus(), [of]);
  return (
    <p ref={refusal} tabIndex={-1} role="alert" className={`failed small ${styles.refusal}`}>
      {children}
    </p>
  );
};
