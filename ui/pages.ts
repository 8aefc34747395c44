import { readsHistory, readsOnly } from './roles.ts';
import type { Me } from '#api/accounts/accounts.contract';
import type { Section } from './roles.ts';

/** The folder of an app. Each is a bundle of its own. */
export type AppName = 'admin-ui' | 'staff-ui' | 'student-ui';

/**
 * Who may enter a page: everybody; whoever has logged in; the roles that have the section; `structure`: admins, and leaders once their
 * school has opened the structure to them; `whole school`: admins and auditors.
 */
export type Who = 'everybody' | 'account' | Section | 'structure' | 'whole school';

export type IconName =
  | 'home'
  | 'markbook'
  | 'marks'
  | 'school'
  | 'students'
  | 'users'
  | 'export'
  | 'status'
  | 'history'
  | 'subject'
  | 'person'
  | 'prior';

/** Several pages that share an entry of the menu: the one with `menu` leads to the others. */
export type Part = 'structure' | 'students' | 'users';

export type PageEntry = {
  readonly path: `/${string}`;
  readonly app: AppName;
  readonly who: Who;
  readonly menu?: {
    readonly label: string;
    readonly icon: IconName;
    /** The sections whose menus show it. */
    readonly in: readonly Section[];
    /** Marked as current on this page only, not on those below it. */
    readonly end?: true;
    /** Shown only to some of those who may enter. */
    readonly only?: (me: Me) => boolean;
  };
  /** It can show an earlier moment (?asOf=), and says so. */
  readonly moments?: true;
  readonly part?: Part;
  /** Its name among the pages of its part, and in the help. */
  readonly label?: string;
};

/** Auditors read, and enter nothing. */
const enters = ({ role }: Me): boolean => !readsOnly(role);

/** The pages that teachers and leaders both have, each in their own area. */
const staffPages = <Area extends 'teacher' | 'leader'>(who: Area) =>
  [
    { path: `/${who}`, app: 'staff-ui', who, moments: true, menu: { label: 'Home', icon: 'home', in: [who], end: true } },
    { path: `/${who}/markbook`, app: 'staff-ui', who, moments: true, menu: { label: 'Markbook', icon: 'markbook', in: [who] } },
    { path: `/${who}/markbook/replay`, app: 'staff-ui', who },
    { path: `/${who}/predictors`, app: 'staff-ui', who, moments: true },
    { path: `/${who}/questions`, app: 'staff-ui', who, moments: true },
    {
      path: `/${who}/marks`,
      app: 'staff-ui',
      who,
      moments: true,
      menu: { label: 'Enter question-level analysis', icon: 'marks', in: [who], only: enters },
    },
  ] as const;

/** The record of what they teach or lead; admins and auditors read that of the school. */
const historyOf = <Area extends 'teacher' | 'leader'>(who: Area) =>
  ({
    path: `/${who}/history`,
    app: 'staff-ui',
    who,
    menu: { label: 'History', icon: 'history', in: [who], only: ({ role }: Me) => !readsHistory(role) },
  }) as const;

/**
 * Every page of the product, in the order of the menus. The server learns here which app answers an address, the frame what its menus show,
 * and the guard who may enter; each app has a component for each of its paths, and does not compile without. Any other address is answered
 * with 404. `npm run check` compares docs/routes.md with this list.
 *
 * `/`, `/login` and `/secure` themselves send on whoever has logged in.
 */
const all = [
  { path: '/', app: 'student-ui', who: 'everybody' },
  { path: '/login', app: 'student-ui', who: 'everybody' },
  { path: '/verify', app: 'student-ui', who: 'everybody' },
  { path: '/secure', app: 'student-ui', who: 'everybody' },
  { path: '/auth/callback', app: 'student-ui', who: 'everybody' },
  { path: '/testing', app: 'student-ui', who: 'everybody' },
  { path: '/email/change-password', app: 'student-ui', who: 'everybody' },
  { path: '/forgot-password', app: 'student-ui', who: 'everybody' },
  { path: '/register', app: 'student-ui', who: 'everybody' },
  { path: '/code', app: 'student-ui', who: 'everybody' },
  { path: '/finalise', app: 'student-ui', who: 'everybody' },

  { path: '/student', app: 'student-ui', who: 'student', menu: { label: 'Home', icon: 'home', in: ['student'], end: true } },
  { path: '/student/submit', app: 'student-ui', who: 'student' },
  {
    path: '/student/select',
    app: 'student-ui',
    who: 'student',
    menu: { label: 'Select Student', icon: 'students', in: ['student'], only: ({ role }) => role !== 'student' },
  },
  {
    path: '/student/subject',
    app: 'student-ui',
    who: 'student',
    menu: {
      label: 'Change Subject',
      icon: 'subject',
      in: ['student'],
      only: ({ role, subjects }) => role === 'student' && subjects.length > 1,
    },
  },

  {
    path: '/student/my-data',
    app: 'student-ui',
    who: 'student',
    menu: { label: 'My data', icon: 'person', in: ['student'], only: ({ role }) => role === 'student' },
  },

  ...staffPages('teacher'),
  ...staffPages('leader'),
  {
    path: '/leader/prior',
    app: 'staff-ui',
    who: 'leader',
    moments: true,
    menu: { label: 'Upload prior data', icon: 'prior', in: ['leader'], only: enters },
  },

  { path: '/admin', app: 'admin-ui', who: 'admin', menu: { label: 'Home', icon: 'home', in: ['admin'], end: true } },
  // The structure, in the order in which a new school fills it.
  {
    path: '/admin/subjects',
    app: 'admin-ui',
    who: 'structure',
    moments: true,
    menu: { label: 'School Structure', icon: 'school', in: ['admin', 'leader'] },
    part: 'structure',
    label: 'Add/Modify Subjects',
  },
  { path: '/admin/sow', app: 'admin-ui', who: 'structure', moments: true, part: 'structure', label: 'Schemes of Work' },
  { path: '/admin/assessments', app: 'admin-ui', who: 'structure', moments: true, part: 'structure', label: 'Assessment Data' },
  { path: '/admin/classes', app: 'admin-ui', who: 'structure', moments: true, part: 'structure', label: 'Classes' },
  { path: '/admin/mappings', app: 'admin-ui', who: 'structure', moments: true, part: 'structure', label: 'Topic Mappings' },
  { path: '/admin/terminal', app: 'admin-ui', who: 'structure', moments: true, part: 'structure', label: 'Terminal Exams' },
  { path: '/admin/teachers', app: 'admin-ui', who: 'structure', moments: true, part: 'structure', label: 'Assign teachers to classes' },
  { path: '/admin/school_year', app: 'admin-ui', who: 'admin' },
  {
    path: '/admin/add_students',
    app: 'admin-ui',
    who: 'whole school',
    moments: true,
    menu: { label: 'Student Details', icon: 'students', in: ['admin'] },
    part: 'students',
    label: 'Manually Allocate Students',
  },
  { path: '/admin/upload_students', app: 'admin-ui', who: 'admin', part: 'students', label: 'Bulk Upload' },
  {
    path: '/admin/users',
    app: 'admin-ui',
    who: 'whole school',
    moments: true,
    menu: { label: 'Manage Users', icon: 'users', in: ['admin'] },
    part: 'users',
    label: 'Staff',
  },
  { path: '/admin/users_students', app: 'admin-ui', who: 'whole school', moments: true, part: 'users', label: 'Students' },
  {
    path: '/admin/export',
    app: 'admin-ui',
    who: 'whole school',
    moments: true,
    menu: { label: 'Export QLA Data', icon: 'export', in: ['admin'] },
    label: 'Export',
  },
  { path: '/admin/status', app: 'admin-ui', who: 'admin', menu: { label: 'Status', icon: 'status', in: ['admin'] } },
  {
    path: '/history',
    app: 'admin-ui',
    who: 'whole school',
    menu: { label: 'History', icon: 'history', in: ['admin', 'leader'], end: true, only: ({ role }) => readsHistory(role) },
  },
  {
    path: '/history/read-models',
    app: 'admin-ui',
    who: 'whole school',
    menu: { label: 'Read models', icon: 'status', in: ['admin'], only: ({ role }) => readsHistory(role) },
  },
  historyOf('teacher'),
  historyOf('leader'),

  {
    path: '/profile',
    app: 'student-ui',
    who: 'account',
    menu: { label: 'Profile', icon: 'person', in: ['admin', 'leader', 'teacher', 'student'] },
  },
] as const satisfies readonly PageEntry[];

export const pages: readonly PageEntry[] = all;

/** The paths of an app's pages; with `W` those that only they may enter. A record over them has a component for each. */
export type PathOf<App extends AppName, W extends Who = Who> = Extract<
  (typeof all)[number],
  { readonly app: App; readonly who: W }
>['path'];

/** The page at an address, or the nearest above it, whose app and guard an unknown address shares: `/admin/no-such` is within `/admin`. */
export const pageAt = (path: string): PageEntry =>
  pages.reduce<PageEntry>(
    (nearest, page) => (isWithin(path, page.path) && page.path.length > nearest.path.length ? page : nearest),
    all[0],
  );

/** At the place itself, or below it. */
export const isWithin = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);
