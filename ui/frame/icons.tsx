import type { ReactNode } from 'react';
import type { IconName } from '../pages.ts';

const icon = (path: string) => (
  <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
    <path d={path} fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

export const totalsIcon = icon('M10 13V4M6.5 7 10 3.5 13.5 7M3.5 13v3.5h13V13');
export const listIcon = icon('M3.5 4.5h3v3h-3zM3.5 12.5h3v3h-3zM9.5 6h7M9.5 14h7');
export const eyeIcon = icon(
  'M2 10c2-3.7 4.7-5.5 8-5.5s6 1.8 8 5.5c-2 3.7-4.7 5.5-8 5.5S4 13.7 2 10M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5',
);
export const logoutIcon = icon('M8 3.5H4v13h4M12.5 6.5 16 10l-3.5 3.5M16 10H8');
export const searchIcon = icon('M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M13 13l4 4');
export const menuIcon = icon('M3 5h14M3 10h14M3 15h14');

/** The icons of the pages. */
export const pageIcons: Readonly<Record<IconName, ReactNode>> = {
  home: icon('M3 9.5 10 3.5l7 6M5 8.5V16.5h10V8.5M8.5 16.5v-5h3v5'),
  markbook: icon('M3 4h14v12H3zM3 8h14M3 12h14M8 4v12'),
  marks: icon('M3 4h14v12H3zM3 8h14M11.5 14.5l.4-1.9 3.6-3.6 1.5 1.5-3.6 3.6z'),
  school: icon('M3 16.5h14M4.5 16.5V8L10 4l5.5 4v8.5M8.5 16.5V12h3v4.5M10 8.2v.1'),
  students: icon('M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.5 16.5c0-3 2-5 5-5s5 2 5 5M13 4a3 3 0 0 1 0 5.5M14.5 12c1.9.6 3 2.2 3 4.5'),
  users: icon('M8.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6M3 16.5c0-3 2.2-5 5.5-5 1.2 0 2.2.3 3.1.7M14.5 12.5v4M12.5 14.5h4'),
  export: icon('M10 3.5V12M6.5 9 10 12.5 13.5 9M3.5 13v3.5h13V13'),
  status: icon('M2.5 10.5h3.5l2-5.5 3.5 10 2-4.5h4'),
  history: icon('M4 10a6 6 0 1 0 2-4.5M4 3.5V7h3.5M10 7v3.2l2.3 1.5'),
  subject: icon('M4 4.5c2-.8 4-.8 6 .5v11c-2-1.3-4-1.3-6-.5zM16 4.5c-2-.8-4-.8-6 .5v11c2-1.3 4-1.3 6-.5z'),
  prior: icon('M3.5 16.5h13M5 13.5v-3M10 13.5v-6M15 13.5v-9'),
  person: icon('M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4M3.8 16.8c.5-3 2.9-4.8 6.2-4.8s5.7 1.8 6.2 4.8'),
};
