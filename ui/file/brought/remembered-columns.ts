import { readPreference, writePreference } from '../../site/preferences.ts';
import type { Layout, Role, Rows, Target } from '../layout/target.ts';
import { withRoles } from '../layout/layout.ts';

/** Which column is which, as it was said for files with the same headings. On this device: headings are nobody's data. */
export type RememberedColumns = { readonly headings: string; readonly roles: readonly Role[] };

const keyOf = (of: string): string => `marktrail.columns.${of}`;
/** More than any school has systems. */
const MOST = 20;

/** `of`: a subject, and what kind of file. */
export const rememberedColumns = (of: string): readonly RememberedColumns[] => {
  try {
    const kept: unknown = JSON.parse(readPreference(keyOf(of)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isRemembered) : [];
  } catch {
    return [];
  }
};

const isRemembered = (one: unknown): one is RememberedColumns =>
  typeof one === 'object' &&
  one !== null &&
  'headings' in one &&
  typeof one.headings === 'string' &&
  'roles' in one &&
  Array.isArray(one.roles);

export const rememberColumns = (of: string, rows: Rows, { header, roles }: Layout): void => {
  if (header === undefined) return;
  const headings = headingsOf(rows, header);
  keep(of, [{ headings, roles }, ...rememberedColumns(of).filter((one) => one.headings !== headings)].slice(0, MOST));
};

export const forgetColumns = (of: string, headings: string): void =>
  keep(
    of,
    rememberedColumns(of).filter((one) => one.headings !== headings),
  );

const keep = (of: string, all: readonly RememberedColumns[]): void => {
  try {
    writePreference(keyOf(of), JSON.stringify(all));
  } catch {
    // Next time it is guessed again.
  }
};

/** A guessed layout, or the one that was said before for these headings. */
export const asRemembered = (of: string, rows: Rows, guessed: Layout, target: Target): Layout => {
  const before =
    guessed.header === undefined ? undefined : rememberedColumns(of).find((one) => one.headings === headingsOf(rows, guessed.header ?? 0));
  return before && before.roles.length === guessed.roles.length ? withRoles(rows, guessed, before.roles, target) : guessed;
};

const headingsOf = (rows: Rows, header: number): string => (rows[header] ?? []).filter((heading) => heading !== '').join(', ');
