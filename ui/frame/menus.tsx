import type { Me } from '#api/accounts/accounts.contract';
import type { ReactNode } from 'react';
import { pages } from '../pages.ts';
import { mayOpen } from '../session/guard.ts';
import type { Section } from '../roles.ts';
import { readsOnly, sectionsOf } from '../roles.ts';
import { listIcon, pageIcons, totalsIcon } from './icons.tsx';

/** A dialog that every page of teachers and leaders can open; pages of the other apps lead to it by `?dialog=`. */
export type StaffDialog = 'totals' | 'lists';

/** An entry of the side menu: a page or an action. */
export type MenuItem =
  /** `below`: shown indented, as part of the entry above it. */
  | {
      readonly label: string;
      readonly icon?: ReactNode;
      readonly to: string;
      readonly end?: boolean;
      readonly below?: boolean;
      /** Opens this dialog, on whatever page of teachers and leaders. */
      readonly dialog?: StaffDialog;
    }
  | { readonly label: string; readonly icon: ReactNode; readonly act: () => void };

/**
 * The side menu of a section as ui/pages.ts lists it, limited to pages that exist and that the user may enter. Pages without a
 * section, such as /profile, show the menu of the user's home. A leader who may edit the structure finds it in the leader menu, and keeps
 * that menu there. Auditors also find what they may read of the administration.
 */
export const menuOf = (me: Me, section: Section = sectionsOf(me.role)[0] ?? 'student'): readonly MenuItem[] => {
  const shown = me.role === 'leader' && section === 'admin' ? 'leader' : section;
  const isIn = (one: Section) => one === shown || (one === 'admin' && readsOnly(me.role));
  const items = pages.flatMap(({ path, menu }) =>
    menu?.in.some(isIn) && mayOpen(me, path) && (menu.only?.(me) ?? true)
      ? [{ label: menu.label, icon: pageIcons[menu.icon], to: path, end: menu.end ?? false }]
      : [],
  );
  if (shown !== 'teacher' && shown !== 'leader') return items;
  const dialogs = me.subjects.length === 0 ? [] : DIALOGS.filter(({ dialog }) => dialog !== 'totals' || !readsOnly(me.role));
  return [
    ...items.slice(0, -1),
    ...dialogs.map((entry) => ({ ...entry, to: `/${shown}?dialog=${entry.dialog}`, end: true })),
    ...items.slice(-1),
  ];
};

const DIALOGS = [
  { dialog: 'totals', label: 'Upload Student Assessment Totals', icon: totalsIcon },
  { dialog: 'lists', label: 'Revision Lists', icon: listIcon },
] as const satisfies readonly { readonly dialog: StaffDialog; readonly label: string; readonly icon: ReactNode }[];
