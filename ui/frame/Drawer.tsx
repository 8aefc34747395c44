import { useRef, useState } from 'react';
import { Button } from '../controls/Button.tsx';
import { placeForNotices } from '../controls/notice-place.ts';
import styles from './Drawer.module.css';
import { menuIcon } from './icons.tsx';
import { Logo } from './header/Logo.tsx';
import { Menu } from './Menu.tsx';
import type { MenuItem } from './menus.tsx';

type DrawerProps = { readonly school: string; readonly name: string; readonly items: readonly MenuItem[] };

/** The side menu on narrow windows: a native modal dialog, which traps the focus and returns it on close. */
export const Drawer = ({ school, name, items }: DrawerProps) => {
  const drawer = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    drawer.current?.showModal();
    setOpen(true);
  };
  const close = () => drawer.current?.close();
  return (
    <>
      <Button look="plain" className={styles.toggle} aria-label="Menu" aria-haspopup="dialog" onClick={open}>
        {menuIcon}
      </Button>
      <dialog ref={drawer} className={styles.drawer} closedby="any" aria-label="Menu" onClose={() => setOpen(false)}>
        <div className={`line gap-3 ${styles.head}`}>
          <Logo />
          <p className="grow">
            <strong>{school}</strong>
            <span className="muted small">{name}</span>
          </p>
          <Button look="plain" onClick={close}>
            Close
          </Button>
        </div>
        <nav aria-label="Main">
          <Menu items={items} chosen={close} />
        </nav>
        {isOpen && <div ref={placeForNotices} />}
      </dialog>
    </>
  );
};
