import { NavLink } from 'react-router';
import { structureTabs } from './nav.ts';
import styles from './StructureTabs.module.css';

/** The school tab bar. */
export const StructureTabs = () => (
  <nav className={styles.tabs} aria-label="School structure">
    <ul>
      {structureTabs.map(({ label, to }) => (
        <li key={to}>
          <NavLink to={to}>{label}</NavLink>
        </li>
      ))}
    </ul>
  </nav>
);
