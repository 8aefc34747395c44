import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Me } from '#api/accounts/accounts.contract';
import { menuAt } from '../../admin-ui/frame/nav.ts';
import { appAt, isPage, root } from '../../run/apps.ts';
import { wrongRoutes } from '../../run/check/routes.ts';
import type { MenuItem } from '../../ui/frame/menus.tsx';
import { menuOf } from '../../ui/frame/menus.tsx';
import type { PathOf } from '../../ui/pages.ts';
import { bouncedTo } from '../../ui/session/guard.ts';

const subject = { subjectId: 'maths', name: 'Mathematics' };
const me = (role: Me['role'], { structureOpen = false, subjects = [subject] } = {}): Me =>
  ({ role, school: { structureOpen }, subjects }) as unknown as Me;
const labels = (items: readonly MenuItem[]) => items.map(({ label }) => label);

describe('the menu of a section', () => {
  const dialogs = ['Upload Student Assessment Totals', 'Revision Lists'];
  const pagesOfLeaders = ['Home', 'Markbook', 'Enter question-level analysis', 'Upload prior data', 'School Structure', 'History'];
  const leading = [...pagesOfLeaders, ...dialogs, 'Profile'];

  test('has the pages of its role and the entry of marks, Profile last', () => {
    expect(labels(menuOf(me('admin')))).toEqual([
      'Home',
      'School Structure',
      'Student Details',
      'Manage Users',
      'Export QLA Data',
      'Status',
      'History',
      'Read models',
      'Profile',
    ]);
    expect(labels(menuOf(me('leader')))).toEqual(leading.filter((label) => label !== 'School Structure'));
    expect(labels(menuOf(me('leader'), 'teacher'))).toEqual([
      'Home',
      'Markbook',
      'Enter question-level analysis',
      'History',
      ...dialogs,
      'Profile',
    ]);
    expect(labels(menuOf(me('auditor')))).toEqual([
      'Home',
      'Markbook',
      'School Structure',
      'Student Details',
      'Manage Users',
      'Export QLA Data',
      'History',
      'Read models',
      'Revision Lists',
      'Profile',
    ]);
    expect(labels(menuOf(me('admin'), 'leader'))).toEqual(leading);
  });

  test('shows leaders the structure once it is open to them, also while they are in it', () => {
    const leader = me('leader', { structureOpen: true });
    expect(labels(menuOf(leader))).toEqual(leading);
    expect(labels(menuAt(leader, '/classes'))).toEqual(leading);
  });

  test('lets staff choose a student, and students with several subjects choose one of them', () => {
    expect(labels(menuOf(me('teacher'), 'student'))).toEqual(['Home', 'Select Student', 'Profile']);
    expect(labels(menuOf(me('student')))).toEqual(['Home', 'My data', 'Profile']);
    expect(labels(menuOf(me('student', { subjects: [subject, subject] })))).toEqual(['Home', 'Change Subject', 'My data', 'Profile']);
  });

  test('of admins opens the part that they are in', () => {
    const below = menuAt(me('admin'), '/upload_students').filter((item) => 'below' in item && item.below);
    expect(labels(below)).toEqual(['Manually Allocate Students', 'Bulk Upload']);
    expect(menuAt(me('admin'), '/classes').find(({ label }) => label === 'School Structure')).toMatchObject({ to: '/admin/classes' });
  });
});

test('an address without a page has the app and the guard of the page above it, and is none', () => {
  for (const [path, app] of [
    ['/admin/no-such', 'admin-ui'],
    ['/leader/markbook/no-such', 'staff-ui'],
    ['/student/no-such', 'student-ui'],
    ['/administration', 'student-ui'],
  ] as const)
    expect([path, appAt(path)?.folder, isPage(path)]).toEqual([path, app, false]);
  expect(bouncedTo(me('teacher'), '/leader/no-such')).toBe('/teacher');
  expect(bouncedTo(me('teacher'), '/no-such')).toBeUndefined();
});

test('leaders enter the pages of the open structure, and no other of the administration', () => {
  const leader = me('leader', { structureOpen: true });
  expect(bouncedTo(leader, '/admin/classes')).toBeUndefined();
  for (const path of ['/admin', '/admin/users', '/admin/export', '/admin/no-such']) expect(bouncedTo(leader, path)).toBe('/leader');
  expect(bouncedTo(me('leader', { structureOpen: true, subjects: [] }), '/admin/classes')).toBe('/leader');
});

test('an app that lacks a component for one of its pages, or has one for no page, does not compile', () => {
  // @ts-expect-error -- the markbook of leaders is missing
  const lacking: Record<PathOf<'staff-ui'>, true> = { '/teacher': true, '/teacher/markbook': true, '/leader': true };
  const exceeding: Record<PathOf<'staff-ui', 'leader'>, true> = {
    '/leader': true,
    '/leader/markbook': true,
    // @ts-expect-error -- there is no such page
    '/leader/none': true,
  };
  expect([lacking, exceeding]).toBeDefined();
});

test('docs/routes.md is held to the list of pages', () => {
  const text = readFileSync(join(root, 'docs/routes.md'), 'utf8');
  expect(wrongRoutes(text)).toEqual([]);
  expect(wrongRoutes(text.replace(/^.*`\/admin\/classes`.*\n/mu, ''))).toEqual(['/admin/classes has no row']);
  expect(wrongRoutes(text.replace('`/admin/classes`', '`/admin/klasses`'))).toContain('/admin/klasses has the wrong status');
  expect(wrongRoutes(text.replace(/(`\/leader` \| 200 \| → \/login \|) → \/student/u, '$1 Welcome'))).toEqual([
    '/leader has "Welcome" for student, who is sent → /student',
  ]);
});
