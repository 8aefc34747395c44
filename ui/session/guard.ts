import { pageAt } from '../pages.ts';
import type { Entering, Section } from '../roles.ts';
import { homeOf, mayEnter, readsHistory, readsOnly, shapesStructure } from '../roles.ts';

/** Where somebody is sent who may not enter the page: home. The server checks every right again. */
export const bouncedTo = (me: Entering, path: string): string | undefined => (mayOpen(me, path) ? undefined : homeOf(me.role));

export const mayOpen = (me: Entering, path: string): boolean => {
  if (pageAt(path).who === 'whole school') return readsHistory(me.role);
  const section = sectionOf(path);
  return (
    section === undefined || mayEnter(me.role, section) || (pageAt(path).who === 'structure' && (shapesStructure(me) || readsOnly(me.role)))
  );
};

/** undefined: a page of no section, such as /profile. */
export const sectionOf = (path: string): Section | undefined => {
  const { who } = pageAt(path);
  if (who === 'everybody' || who === 'account') return undefined;
  if (who === 'whole school') return path.startsWith('/admin/') ? 'admin' : undefined;
  return who === 'structure' ? 'admin' : who;
};
