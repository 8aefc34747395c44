import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { structureTabs } from './nav.ts';
import { atSameMoment } from '../moment.ts';
import styles from './StructureTabs.module.css';

/** The school tab bar. On a phone it scrolls sideways, to the current tab at first. */
export const StructureTabs = () => {
  const bar = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const inBar = bar.current?.getBoundingClientRect();
    const tab = bar.current?.querySelector(`[href*="${pathname}"]`)?.getBoundingClientRect();
    if (!bar.current || !inBar || !tab) return;
    if (tab.left < inBar.left || tab.right > inBar.right)
      bar.current.scrollLeft += tab.left + tab.width / 2 - (inBar.left + inBar.width / 2);
  }, [pathname]);
  return (
    <nav ref={bar} className={styles.tabs} aria-label="School structure">
      <ul>
        {structureTabs.map(({ label, to }) => (
          <li key={to}>
            <NavLink to={atSameMoment(to)}>{label}</NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
};
