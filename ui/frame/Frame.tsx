import type { ReactNode } from 'react';
import { useRef } from 'react';
import { Link, NavLink } from 'react-router';
import { Button } from '../controls/Button.tsx';
import { WaitStrip } from '../feedback/WaitStrip.tsx';
import { WorkStrips } from '../feedback/Work.tsx';
import styles from './Frame.module.css';
import { Logo } from './Logo.tsx';

export type NavItem =
  | { readonly label: string; readonly icon: ReactNode; readonly to: string; readonly end?: boolean }
  | { readonly label: string; readonly icon: ReactNode; readonly act: () => void };

type FrameProps = {
  readonly school: string;
  readonly home: string;
  readonly nav: readonly NavItem[];
  /** Between school and person: the subject picker. */
  readonly middle?: ReactNode;
  /** Far right: who I am, and Log out. */
  readonly person: ReactNode;
  /** Below the strips: what is to be done, whatever page is open. */
  readonly notices?: ReactNode;
  readonly children: ReactNode;
};

/** Header, side menu (a rail on wide windows, a drawer on narrow ones), strips of long work, and the page. */
export const Frame = ({ school, home, nav, middle, person, notices, children }: FrameProps) => {
  const drawer = useRef<HTMLDialogElement>(null);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <header className={styles.header}>
        <Button look="plain" className={styles.burger} aria-label="Menu" onClick={() => drawer.current?.showModal()}>
          <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
            <path d="M3 5h14M3 10h14M3 15h14" stroke="currentColor" strokeWidth="1.8" />
          </svg>
        </Button>
        <Link to={home} className={styles.school} aria-label={`${school}: home`}>
          <Logo />
          <span>{school}</span>
        </Link>
        <div className={styles.middle}>{middle}</div>
        {person}
      </header>
      <nav className={styles.rail} aria-label="Main">
        <Menu nav={nav} />
      </nav>
      <dialog ref={drawer} className={styles.drawer} closedby="any" aria-label="Menu">
        <div className={styles.drawerHead}>
          <Logo />
          <strong>{school}</strong>
          <Button look="plain" onClick={() => drawer.current?.close()}>
            Close
          </Button>
        </div>
        <nav aria-label="Main">
          <Menu nav={nav} chosen={() => drawer.current?.close()} />
        </nav>
      </dialog>
      <div className={styles.content}>
        <div className={styles.strips}>
          <WaitStrip />
          <WorkStrips />
          {notices}
        </div>
        <main id="page" className={styles.page} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
};

const Menu = ({ nav, chosen }: { readonly nav: readonly NavItem[]; readonly chosen?: () => void }) => (
  <ul className={styles.menu}>
    {nav.map((item) => (
      <li key={item.label}>
        {'to' in item ? (
          <NavLink to={item.to} end={item.end ?? false} {...(chosen ? { onClick: chosen } : {})}>
            {item.icon}
            {item.label}
          </NavLink>
        ) : (
          <button
            type="button"
            onClick={() => {
              chosen?.();
              item.act();
            }}
          >
            {item.icon}
            {item.label}
          </button>
        )}
      </li>
    ))}
  </ul>
);
