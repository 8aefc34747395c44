import { useRef } from 'react';
import { Button } from '../../controls/Button.tsx';
import { roleNames, sectionsOf } from '../../roles.ts';
import { useSession } from '../../session/Session.tsx';
import { eyeIcon } from '../icons.tsx';
import { AppLink } from '../navigation.tsx';
import styles from './RoleSwitch.module.css';

/** Shows the current "view as" role and switches to another. Hidden from users with a single section. */
export const RoleSwitch = () => {
  const { me, section } = useSession();
  const menu = useRef<HTMLDivElement>(null);
  const sections = sectionsOf(me.role);
  if (sections.length < 2) return null;
  // A leader editing the structure is in admin's section, but still as a leader.
  const current = section && roleNames[sections.includes(section) ? section : me.role];
  return (
    <>
      <Button className={styles.switch} popoverTarget="role-switch" aria-label={`View as${current ? `: ${current}` : ''}`}>
        {eyeIcon}
        <span>{current ?? 'View as'}</span>
      </Button>
      <div ref={menu} id="role-switch" popover="auto" className={`box ${styles.menu}`}>
        <p className="muted small">View as</p>
        <ul>
          {sections.map((one) => (
            <li key={one}>
              <AppLink to={`/${one}`} aria-current={one === section ? 'true' : undefined} onClick={() => menu.current?.hidePopover()}>
                {roleNames[one]}
              </AppLink>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
};
