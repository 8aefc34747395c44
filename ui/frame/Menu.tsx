import styles from './Menu.module.css';
import type { MenuItem } from './menus.tsx';
import { AppLink, useNavigation } from './navigation.tsx';

/** The entries of the side menu, in the rail and in the drawer. `chosen` is called when an entry is activated. */
export const Menu = ({ items, chosen }: { readonly items: readonly MenuItem[]; readonly chosen?: () => void }) => {
  const { path } = useNavigation();
  return (
    <ul className={styles.menu}>
      {items.map((item) => (
        <li key={item.label}>
          {'to' in item ? (
            <AppLink
              to={item.to}
              className="line gap-3"
              aria-current={isCurrent(item, path) ? 'page' : undefined}
              data-below={item.below}
              onClick={chosen}
            >
              {item.icon}
              {item.label}
            </AppLink>
          ) : (
            <button
              type="button"
              className="bare line gap-3"
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
};

const isCurrent = ({ to, end = false }: { readonly to: string; readonly end?: boolean }, path: string): boolean => {
  const place = to.replace(/\?.*$/u, '');
  return path === place || (!end && path.startsWith(`${place}/`));
};
