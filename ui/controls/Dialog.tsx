import type { ReactNode } from 'react';
import { useEffect, useId, useRef } from 'react';
import { WaitStrip } from '../feedback/WaitStrip.tsx';
import { Button } from './Button.tsx';
import styles from './Dialog.module.css';

type DialogProps = {
  readonly title: ReactNode;
  readonly open: boolean;
  readonly onClose: () => void;
  /** wide: 90 % of the window; narrow: at most 500 px, a sheet at the foot of a phone. */
  readonly size?: 'wide' | 'narrow';
  /** Only Close closes it: neither Escape nor a click beside it, so that work in it is not lost by a slip. */
  readonly persistent?: boolean;
  readonly children: ReactNode;
};

/** The browser's own modal dialog: it keeps the focus inside, makes the page behind inert, and gives the focus back. */
export const Dialog = ({ title, open, onClose, size = 'narrow', persistent = false, children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (open && !dialog?.open) dialog?.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  useEffect(() => {
    const dialog = ref.current;
    /** For browsers that do not know `closedby`. */
    const keep = (event: KeyboardEvent) => {
      if (persistent && event.key === 'Escape') event.preventDefault();
    };
    dialog?.addEventListener('keydown', keep);
    return () => dialog?.removeEventListener('keydown', keep);
  }, [persistent]);
  return (
    <dialog
      ref={ref}
      closedby={persistent ? 'none' : 'any'}
      className={`${styles.dialog} ${styles[size]}`}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => {
        if (persistent && event.target === event.currentTarget) event.preventDefault();
      }}
    >
      {open && (
        <div className={styles.frame}>
          <header className={styles.head}>
            <h2 id={titleId} tabIndex={-1} autoFocus>
              {title}
            </h2>
            <Button onClick={() => ref.current?.close()}>Close</Button>
          </header>
          <WaitStrip />
          <div className={styles.body}>{children}</div>
        </div>
      )}
    </dialog>
  );
};

/** Keeps its buttons at the foot of a dialog while the content above scrolls. */
export const DialogFoot = ({ children }: { readonly children: ReactNode }) => <footer className={styles.foot}>{children}</footer>;
