import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { Button } from './Button.tsx';
import { placeBeneath } from './place-beneath.ts';
import styles from './Popover.module.css';

type PopoverProps = {
  /** On its button. */
  readonly label: ReactNode;
  /** The button's name, where `label` is too short to be one. */
  readonly name?: string;
  readonly look?: 'plain' | 'quiet';
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/**
 * A button, and what it opens beneath it, above everything, in a dialog too. Escape and a click elsewhere close it. Nothing of it is drawn,
 * or asked for, before it opens for the first time.
 */
export const Popover = ({ label, name, look = 'plain', className, children }: PopoverProps) => {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  return (
    <>
      <Button
        look={look}
        className={className}
        id={`${id}button`}
        popoverTarget={id}
        aria-expanded={isOpen}
        {...(name === undefined ? {} : { 'aria-label': name, title: name })}
      >
        {label}
      </Button>
      <div
        id={id}
        popover="auto"
        className={styles.popover}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls where the window is low, by keys too
        tabIndex={0}
        onBeforeToggle={() => setOpened(true)}
        onToggle={(event) => {
          const opens = event.newState === 'open';
          setOpen(opens);
          const button = document.getElementById(`${id}button`);
          if (opens && button) placeBeneath(event.currentTarget, button.getBoundingClientRect());
        }}
      >
        {wasOpened && children}
      </div>
    </>
  );
};
