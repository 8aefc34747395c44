import type { KeyboardEvent } from 'react';
import { useLayoutEffect, useRef } from 'react';
import { placeBeneath } from '../../../ui/controls/place-beneath.ts';
import styles from './CellMenu.module.css';

export type MenuItem = {
  readonly label: string;
  readonly keys?: string;
  readonly isOn?: boolean;
  readonly run: () => void;
};

/** Where a menu was asked for, in the window. */
export type MenuPlace = Pick<DOMRect, 'left' | 'top' | 'bottom'>;

type CellMenuProps = {
  readonly label: string;
  readonly under: MenuPlace;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
};

/** What can be done with the selected cells, for whoever does not know the keys or has none. */
export const CellMenu = ({ label, under, items, onClose }: CellMenuProps) => {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = menu.current;
    shown?.showPopover();
    if (shown) placeBeneath(shown, under);
    shown?.querySelector('button')?.focus();
  }, [under]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const now = buttons.findIndex((one) => one === document.activeElement);
    const step = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      buttons.at(step % buttons.length)?.focus();
    }
    if (event.key === 'Tab') event.currentTarget.hidePopover();
  };
  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      className={styles.menu}
      onKeyDown={onKeyDown}
      onToggle={(event) => {
        if (event.newState === 'closed') onClose();
      }}
    >
      <p className="small muted" aria-hidden="true">
        {label}
      </p>
      {items.map(({ label: words, keys, isOn, run }) => (
        <button
          key={words}
          type="button"
          className="pick line apart"
          role={isOn === undefined ? 'menuitem' : 'menuitemcheckbox'}
          aria-checked={isOn}
          onClick={() => {
            run();
            menu.current?.hidePopover();
          }}
        >
          <span>{words}</span>
          {keys !== undefined && (
            <kbd className="small muted" aria-hidden="true">
              {keys}
            </kbd>
          )}
        </button>
      ))}
    </div>
  );
};
