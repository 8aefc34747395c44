import { useRef } from 'react';
import { Link } from 'react-router';
import styles from './PersonMenu.module.css';

type PersonMenuProps = {
  readonly name: string;
  readonly email: string;
  /** The role one looks with: 'Leader'. */
  readonly role: string;
  /** The role switch: other areas that this person may enter. */
  readonly areas: readonly { readonly label: string; readonly to: string; readonly current: boolean }[];
  readonly onLogOut: () => void;
};

/** Who is signed in, as what; the role switch and Log out. */
export const PersonMenu = ({ name, email, role, areas, onLogOut }: PersonMenuProps) => {
  const menu = useRef<HTMLDivElement>(null);
  const close = () => menu.current?.hidePopover();
  return (
    <>
      <button type="button" className={styles.person} popoverTarget="person-menu" aria-label={`${name}, ${role}`}>
        <span className={styles.initials} aria-hidden="true">
          {initials(name)}
        </span>
        <span className={styles.name}>
          {name}
          <small>{role}</small>
        </span>
      </button>
      <div ref={menu} id="person-menu" popover="auto" className={styles.menu}>
        <p className={styles.who}>
          <strong>{name}</strong>
          <span>{email}</span>
        </p>
        {areas.length > 1 && (
          <ul aria-label="View as">
            {areas.map(({ label, to, current }) => (
              <li key={to}>
                <Link to={to} onClick={close} aria-current={current ? 'true' : undefined}>
                  View as {label}
                </Link>
              </li>
            ))}
          </ul>
        )}
        {/* A page of the front door, which is an app of its own. */}
        <a href="/profile">Profile</a>
        <button
          type="button"
          onClick={() => {
            close();
            onLogOut();
          }}
        >
          Log out
        </button>
      </div>
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
