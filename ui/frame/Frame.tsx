import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { Button } from '../controls/Button.tsx';
import { useMedia } from '../controls/useMedia.ts';
import { WaitStrip } from '../controls/WaitStrip.tsx';
import { WorkStrips } from '../sending/Work.tsx';
import { PageBoundary } from '../feedback/Oops.tsx';
import { homeOf, mayEnter, roleNames } from '../roles.ts';
import { useSession } from '../session/Session.tsx';
import { CookieConsent } from '../site/CookieConsent.tsx';
import { Footer } from '../site/Footer.tsx';
import { Drawer } from './Drawer.tsx';
import { Viewing } from './header/Viewing.tsx';
import styles from './Frame.module.css';
import { logoutIcon } from './icons.tsx';
import { HeaderPlace, Pickers } from './header/InHeader.tsx';
import { Logo } from './header/Logo.tsx';
import { Menu } from './Menu.tsx';
import type { MenuItem } from './menus.tsx';
import { menuOf } from './menus.tsx';
import { AppLink, useNavigation } from './navigation.tsx';
import { RoleSwitch } from './header/RoleSwitch.tsx';

type FrameProps = {
  /** Defaults to the menu of the section (menus.tsx). */
  readonly menu?: readonly MenuItem[];
  /** Middle of the header, before the page's own pickers (`InHeader`): the subject picker. */
  readonly middle?: ReactNode;
  /** In the header, of pages of staff: finds a student. */
  readonly find?: ReactNode;
  /** Below the strips, on every page: reminders of unfinished work. */
  readonly notices?: ReactNode;
  readonly children: ReactNode;
};

/** The frame of every signed-in page: header, side menu (a rail on wide windows, a drawer on narrow ones), strips, footer. */
export const Frame = ({ menu, middle, find, notices, children }: FrameProps) => {
  const { me, section } = useSession();
  const items = menu ?? menuOf(me, section);
  const wide = useWide();
  const { path } = useNavigation();
  const main = useFocusOnNewPage(path);
  const pickers = <Pickers className={`line gap-3 ${styles.pickers}`} />;
  return (
    <HeaderPlace>
      <div className={styles.frame}>
        <a className={styles.skip} href="#page">
          Skip to the page
        </a>
        <header className={`line gap-3 ${styles.header}`}>
          <Drawer school={me.school.name} name={me.name} items={items} />
          <AppLink
            to={section && mayEnter(me.role, section) ? `/${section}` : homeOf(me.role)}
            className={`line gap-3 ${styles.school}`}
            aria-label={`${me.school.name}: home`}
          >
            <Logo />
            <span>{me.school.name}</span>
          </AppLink>
          <div className={`line gap-3 ${styles.middle}`}>
            {middle}
            {wide && pickers}
          </div>
          {find}
          <RoleSwitch />
          <Person />
        </header>
        <nav className={styles.rail} aria-label="Main">
          <Menu items={items} />
        </nav>
        <div className={styles.content}>
          <div className={styles.strips}>
            <Viewing />
            <WaitStrip />
            <WorkStrips />
            {notices}
          </div>
          <main ref={main} id="page" className={styles.page} tabIndex={-1}>
            {!wide && pickers}
            <PageBoundary path={path}>{children}</PageBoundary>
          </main>
          <Footer />
        </div>
        <CookieConsent />
      </div>
    </HeaderPlace>
  );
};

const Person = () => {
  const { me, logOut } = useSession();
  return (
    <>
      <AppLink to="/profile" className={`line ${styles.person}`} aria-label={`${me.name}, ${roleNames[me.role]}: profile`}>
        <span className={styles.initials} aria-hidden="true">
          {initials(me.name)}
        </span>
        <span className={styles.name}>
          {me.name}
          <small>{roleNames[me.role]}</small>
        </span>
      </AppLink>
      <Button className={styles.logout} aria-label="Logout" onClick={logOut}>
        {logoutIcon}
        <span>Logout</span>
      </Button>
    </>
  );
};

const initials = (name: string): string =>
  name
    .split(/[\s,-]+/u)
    .filter(Boolean)
    .slice(0, 2)
    .map((part) => part[0]?.toUpperCase())
    .join('');

/** Wide enough for the rail, and for pickers inside the header. */
const useWide = (): boolean => useMedia('(min-width: 900px)');

/**
 * Moves the focus to the page's main part when it was lost with the previous page. Otherwise the keyboard would start again at the top of
 * the document. A link of the menu keeps the focus.
 *
 * @returns ref of the main part
 */
const useFocusOnNewPage = (path: string) => {
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    // After this commit's effects: a dialog that closes with the page first returns the focus to an element that is gone.
    const timer = setTimeout(() => {
      if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
    });
    return () => clearTimeout(timer);
  }, [path]);
  return main;
};
