import type { Me } from '#api/accounts/accounts.contract';
import type { HistoryEntry } from '#api/history/history.contract';
import { readsHistory, sectionsOf } from '../roles.ts';
import { mayOpen } from '../session/guard.ts';

type Page = `/${string}`;
/** What shows a kind of stream: a page of the administration, and one of the reader's own area for those who may not open it, or at all. */
const pages: Readonly<Record<string, { readonly admin?: Page; readonly staff?: Page | '' }>> = {
  entry: { staff: '/markbook' },
  undo: { staff: '/markbook' },
  submission: { staff: '/markbook' },
  task: { staff: '/markbook' },
  prior: { staff: '/markbook' },
  revision: { staff: '' },
  roster: { admin: '/admin/add_students', staff: '/markbook' },
  assessment: { admin: '/admin/assessments', staff: '' },
  mapping: { admin: '/admin/mappings', staff: '/questions' },
  subject: { admin: '/admin/classes', staff: '' },
  scheme: { admin: '/admin/sow' },
  staff: { admin: '/admin/users' },
  account: { admin: '/admin/users_students' },
};

/**
 * The address that shows what an entry is about as of a moment; undefined: none does. A ranking is that of its task, and of one total the
 * dialog is open.
 */
export const shownAt = (me: Me, { entry: { stream }, year, changes }: HistoryEntry, asOf: string): string | undefined => {
  const kind = stream.slice(0, stream.indexOf('-'));
  const { admin, staff } = pages[kind] ?? {};
  const area = readsHistory(me.role) ? '/leader' : `/${sectionsOf(me.role)[0]}`;
  const path = admin !== undefined && mayOpen(me, admin) ? admin : staff === undefined ? undefined : area + staff;
  if (path === undefined) return undefined;
  const query = new URLSearchParams({ asOf });
  if (year !== null && path !== admin) query.set('year', String(year));
  if (path.endsWith('/markbook')) {
    const [only, ...others] = changes;
    if (kind === 'task') query.set('ranking', stream.slice(stream.lastIndexOf('.') + 1));
    else if (only?.of.id && only.in?.kind === 'assessment' && others.length === 0) query.set('cell', `${only.of.id}.${only.in.id ?? ''}`);
  }
  return `${path}?${query.toString()}`;
};

/** @param ms later; -1: before everything of that time */
export const momentOf = (at: string, ms = 0): string => new Date(Date.parse(at) + ms).toISOString();
