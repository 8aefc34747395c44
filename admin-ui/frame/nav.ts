import type { Me } from '#api/accounts/accounts.contract';
import type { MenuItem } from '../../ui/frame/menus.tsx';
import { menuOf } from '../../ui/frame/menus.tsx';
import type { Part } from '../../ui/pages.ts';
import { pageAt, pages } from '../../ui/pages.ts';
import { readsOnly } from '../../ui/roles.ts';

const entriesOf = (part: Part) => pages.filter((page) => page.part === part).map(({ path, label = path }) => ({ label, to: path }));

/** The tabs of the school structure, below /admin. */
export const structureTabs = entriesOf('structure').map(({ label, to }) => ({ label, to: to.slice('/admin'.length) }));

/**
 * The menu of admins; `path`: below /admin. The pages of a part are shown below its entry while one of them is open; those of the structure
 * are tabs, and its entry is marked on all of them.
 */
export const menuAt = (me: Me, path: string): readonly MenuItem[] => {
  const { part: here } = pageAt(`/admin${path}`);
  return menuOf(me, readsOnly(me.role) ? undefined : 'admin').flatMap((item): readonly MenuItem[] => {
    const part = 'to' in item ? pageAt(item.to).part : undefined;
    if (part === undefined || part !== here) return [item];
    if (part === 'structure') return [{ ...item, to: `/admin${path}` }];
    return [item, ...entriesOf(part).map((entry) => ({ ...entry, end: true, below: true }))];
  });
};

export const isStructure = (path: string): boolean => pageAt(`/admin${path}`).part === 'structure';
