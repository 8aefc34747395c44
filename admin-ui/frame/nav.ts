import type { Me } from '#api/structure/structure.contract';
import type { MenuItem } from '../../ui/frame/menus.tsx';
import { menuOf } from '../../ui/frame/menus.tsx';

/** The tabs of the school structure, in the order in which a new school fills them. */
export const structureTabs = [
  { label: 'Add/Modify Subjects', to: '/subjects' },
  { label: 'Schemes of Work', to: '/sow' },
  { label: 'Assessment Data', to: '/assessments' },
  { label: 'Classes', to: '/classes' },
  { label: 'Topic Mappings', to: '/mappings' },
  { label: 'Terminal Exams', to: '/terminal' },
  { label: 'Assign teachers to classes', to: '/teachers' },
] as const;

/** Menu entries with several pages, by the address of the entry. */
const rooms: Readonly<Record<string, readonly { readonly label: string; readonly to: string }[]>> = {
  '/admin/add_students': [
    { label: 'Manually Allocate Students', to: '/admin/add_students' },
    { label: 'Bulk Upload', to: '/admin/upload_students' },
  ],
  '/admin/users': [
    { label: 'Staff', to: '/admin/users' },
    { label: 'Students', to: '/admin/users_students' },
  ],
};

/**
 * The menu of admins; `path`: below /admin. Sub-entries are shown within their part, and the structure's entry is marked on all of its
 * tabs.
 */
export const menuAt = (me: Me, path: string): readonly MenuItem[] =>
  menuOf(me, 'admin').flatMap((item): readonly MenuItem[] => {
    if (!('to' in item)) return [item];
    if (item.to === '/admin/subjects' && isStructure(path)) return [{ ...item, to: `/admin${path}` }];
    const entries = rooms[item.to] ?? [];
    const isHere = entries.some(({ to }) => to === `/admin${path}`);
    return isHere ? [item, ...entries.map((entry) => ({ ...entry, end: true, below: true }))] : [item];
  });

export const isStructure = (path: string): boolean => structureTabs.some(({ to }) => path === to || path.startsWith(`${to}/`));
