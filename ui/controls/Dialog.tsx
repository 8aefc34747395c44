import type { KeyboardEvent, ReactNode } from 'react';
import { useEffect, useId, useLayoutEffect, useRef } from 'react';
import { placeForNotices } from './notice-place.ts';
import { WaitStrip } from './WaitStrip.tsx';
import { Button } from './Button.tsx';
import { Foot } from './Foot.tsx';
import styles from './Dialog.module.css';

type DialogProps = {
  readonly title: ReactNode;
  readonly open: boolean;
  readonly onClose: () => void;
  /**
   * wide: 90 % of the window's width, and as high as what is in it, up to 90 %; tall: up to all of its height; fit: as wide, too, as what is
   * in it, text to 72 characters; narrow: at most 500 px. `fit` and `narrow` are a sheet at the foot of a phone.
   */
  readonly size?: 'wide' | 'tall' | 'fit' | 'narrow';
  /** Where the focus is at first: on the title, which is read out, or in the first field of a form. */
  readonly begins?: 'title' | 'field';
  /** Its foot says all the ways out of it: there is no Close beside the title. */
  readonly isQuestion?: boolean;
  /** Only the Close button closes it, not Escape or a click outside. */
  readonly persistent?: boolean;
  /** What Close and Escape do first: it may ask about what was typed, and not close. A click outside does nothing then, so that a slip loses no work. */
  readonly beforeClose?: (close: () => void) => void;
  readonly children: ReactNode;
};

/** The native modal dialog: it traps the focus, makes the page inert, and returns the focus on close. */
export const Dialog = (props: DialogProps) => {
  const { title, open, onClose, size = 'narrow', begins = 'title', isQuestion = false, persistent = false, beforeClose, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (open && dialog && !dialog.open) {
      dialog.showModal();
      if (begins === 'field') dialog.querySelector<HTMLElement>(FIELD)?.focus();
    }
    if (!open && dialog?.open) dialog.close();
  }, [open, begins]);
  // One that is taken out of the page while it is open would return the focus to nowhere.
  useLayoutEffect(() => {
    const dialog = ref.current;
    return () => dialog?.close();
  }, []);
  const close = () => {
    const now = () => ref.current?.close();
    if (beforeClose) beforeClose(now);
    else now();
  };
  const isKept = persistent || beforeClose !== undefined;
  /** A dialog within this one, what is open beneath a button, and a field that takes the key for itself come first. */
  const onEscape = (event: KeyboardEvent<HTMLDialogElement>) => {
    const dialog = event.currentTarget;
    const isWithin = event.target instanceof Element && event.target.closest('dialog') !== dialog;
    if (event.key !== 'Escape' || !isKept || isWithin || event.isDefaultPrevented() || dialog.querySelector('[popover]:popover-open'))
      return;
    event.preventDefault();
    if (!persistent) close();
  };
  return (
    <dialog
      ref={ref}
      closedby={isKept ? 'none' : 'any'}
      className={`${styles.dialog} ${styles[size]}`}
      aria-labelledby={titleId}
      onClose={(event) => {
        // React lets it rise from a dialog within.
        if (event.target === event.currentTarget) onClose();
      }}
      onCancel={(event) => {
        if (isKept && event.target === event.currentTarget) event.preventDefault();
      }}
      onKeyDown={onEscape}
    >
      {open && (
        <div className={styles.frame}>
          <div className={styles.head}>
            <h2 id={titleId} tabIndex={-1} autoFocus>
              {title}
            </h2>
            {!isQuestion && <Button onClick={close}>Close</Button>}
          </div>
          <WaitStrip />
          <div className={styles.body}>{children}</div>
          <div ref={placeForNotices} className={styles.notices} data-floats={size === 'narrow' || undefined} />
        </div>
      )}
    </dialog>
  );
};

const FIELD = ':is(input, select, textarea):not(:disabled, [type="hidden"], [type="file"])';

/** Buttons that stay at the foot of a dialog while its content scrolls. */
export const DialogFoot = Foot;
