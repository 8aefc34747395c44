import { pages } from '../../ui/pages.ts';
import { bouncedTo, sectionOf } from '../../ui/session/guard.ts';

/** Who the list of routes tells about. */
export const visitors = ['nobody', 'student', 'teacher', 'leader', 'admin', 'auditor'] as const;
export type Visitor = (typeof visitors)[number];

/** What a visitor finds: the heading of the page, or `→` and where they are sent. */
export type Row = { readonly route: string; readonly status: string } & Readonly<Record<Visitor, string>>;

/** The table of docs/routes.md. */
export const rowsOf = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `/'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, route = '', status = '', nobody = '', student = '', teacher = '', leader = '', admin = '', auditor = '']) => ({
      route: route.replaceAll('`', ''),
      status,
      nobody,
      student,
      teacher,
      leader,
      admin,
      auditor,
    }));

/** Where the guard of signed-in pages sends a visitor, as the list writes it; undefined: nowhere. */
export function redirect(visitor: Visitor, route: string): string | undefined {
  if (visitor === 'nobody') return isGuarded(route) ? '→ /login' : undefined;
  const home = bouncedTo({ role: visitor, school: { structureOpen: false }, subjects: [] }, route);
  return home === undefined ? undefined : `→ ${home}`;
}

const isGuarded = (route: string): boolean =>
  sectionOf(route) !== undefined || pages.some(({ path, who }) => path === route && (who === 'account' || who === 'whole school'));

/** In what docs/routes.md differs from the list of pages. */
export function wrongRoutes(text: string): string[] {
  const rows = rowsOf(text);
  const paths: ReadonlySet<string> = new Set(pages.map(({ path }) => path));
  return [
    ...[...paths].filter((path) => !rows.some(({ route }) => route === path)).map((path) => `${path} has no row`),
    ...rows.filter(({ route, status }) => (status === '200') !== paths.has(route)).map(({ route }) => `${route} has the wrong status`),
    ...rows.flatMap((row) =>
      visitors
        .map((visitor) => ({ visitor, to: redirect(visitor, row.route) }))
        .filter(({ visitor, to }) => to !== undefined && to !== row[visitor])
        .map(({ visitor, to }) => `${row.route} has "${row[visitor]}" for ${visitor}, who is sent ${to}`),
    ),
  ];
}
