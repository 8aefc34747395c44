import type { Me } from '#api/structure/structure.contract';
import type { ReactNode } from 'react';
import type { Section } from '../session/roles.ts';
import { sectionsOf, shapesStructure } from '../session/roles.ts';
import { exportIcon, homeIcon, markbookIcon, personIcon, schoolIcon, statusIcon, studentsIcon, subjectIcon, usersIcon } from './icons.tsx';

/** An entry of the side menu: a page or an action. */
export type MenuItem =
  /** `below`: shown indented, as part of the entry above it. */
  | { readonly label: string; readonly icon?: ReactNode; readonly to: string; readonly end?: boolean; readonly below?: boolean }
  | { readonly label: string; readonly icon: ReactNode; readonly act: () => void };

/**
 * The side menu of a section as the specification lists it, limited to pages that exist; everybody has Profile. Pages without a section,
 * such as /profile, show the menu of the user's home. A leader who may edit the structure finds it in the leader menu, and keeps that
 * menu there.
 */
export const menuOf = (me: Me, section: Section = sectionsOf(me.role)[0] ?? 'student'): readonly MenuItem[] => [
  ...pages[me.role === 'leader' && section === 'admin' ? 'leader' : section].filter(({ to }) => isFor(me, to)),
  { label: 'Profile', icon: personIcon, to: '/profile' },
];

const isFor = (me: Me, to: string): boolean => {
  if (to === SELECT) return me.role !== 'student';
  if (to === CHANGE) return me.role === 'student' && me.subjects.length > 1;
  return to !== STRUCTURE || me.role === 'admin' || shapesStructure(me);
};

const STRUCTURE = '/admin/subjects';
const SELECT = '/student/select';
const CHANGE = '/student/subject';

const pages: Readonly<Record<Section, readonly (MenuItem & { readonly to: string })[]>> = {
  admin: [
    { label: 'Home', icon: homeIcon, to: '/admin', end: true },
    { label: 'School Structure', icon: schoolIcon, to: STRUCTURE },
    { label: 'Student Details', icon: studentsIcon, to: '/admin/add_students' },
    { label: 'Manage Users', icon: usersIcon, to: '/admin/users' },
    { label: 'Export QLA Data', icon: exportIcon, to: '/admin/export' },
    { label: 'Status', icon: statusIcon, to: '/admin/status' },
  ],
  leader: [
    { label: 'Home', icon: homeIcon, to: '/leader', end: true },
    { label: 'Markbook', icon: markbookIcon, to: '/leader/markbook' },
    { label: 'School Structure', icon: schoolIcon, to: STRUCTURE },
  ],
  teacher: [
    { label: 'Home', icon: homeIcon, to: '/teacher', end: true },
    { label: 'Markbook', icon: markbookIcon, to: '/teacher/markbook' },
  ],
  student: [
    { label: 'Home', icon: homeIcon, to: '/student', end: true },
    { label: 'Select Student', icon: studentsIcon, to: SELECT },
    { label: 'Change Subject', icon: subjectIcon, to: CHANGE },
  ],
};
