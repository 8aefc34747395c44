// The window first.
import { open, user } from '../support/open.ts';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { waitFor } from '@testing-library/dom';
import { afterAll, expect, test } from 'vitest';
import type { CommandName } from '../../../api/commands.ts';
import { pages } from '../../../ui/pages.ts';
import { moment } from '../../support/as-of.ts';
import { commandSamples, spareParts } from '../../support/samples.ts';
import type { RoleName } from '../../support/school.ts';
import { openSchool } from '../../support/school.ts';

const school = await openSchool();
afterAll(school.close);
const { maths: subjectId, mock: testId, setA: setId, terminalExam, students } = school.ids;
const admin = await school.as('admin');

const ofTest = `set=11A&test=${testId}`;
/** Every page that shows earlier moments, to one who only reads it where there is one, and a piece that comes last; `choose`: what it is of. */
const screens: readonly (readonly [role: RoleName, at: string, last: string, choose?: string])[] = [
  ...(['auditor', 'teacherA'] as const).flatMap((role) => {
    const area = role === 'auditor' ? '/leader' : '/teacher';
    return [
      [role, `${area}?year=11&set=11A`, 'Mock'],
      [role, `${area}/markbook?year=11`, 'A2, Student'],
      [role, `${area}/predictors?year=11&set=11A`, 'A2, Student'],
      [role, `${area}/questions?year=11&${ofTest}`, 'Topic 1'],
      [role, `${area}/marks?year=11&${ofTest}`, 'A2, Student'],
    ] as const;
  }),
  ['auditor', `/leader/prior?year=11&exam=${terminalExam}`, 'A2, Student'],
  ['auditor', '/admin/subjects', 'Science'],
  ['auditor', '/admin/sow', 'Scheme of Mathematics'],
  ['auditor', '/admin/assessments', 'Mock'],
  ['auditor', '/admin/classes', 'Year 11'],
  ['auditor', '/admin/mappings', 'Mock'],
  ['auditor', '/admin/terminal', 'GCSE'],
  ['auditor', '/admin/teachers', '[Teacher A]'],
  ['auditor', '/admin/add_students', '[B2, Student]', '11B'],
  ['auditor', '/admin/users', 'scienceLeader'],
  ['auditor', '/admin/users_students', 'A1, Student'],
  ['auditor', '/admin/export', 'Year 11'],
];

/** Tasks of a teacher stand above while there is something to do about them, else below; those of leaders stay where they are. What was changed is undone now only. */
const isForTeacher = (node: Element): boolean =>
  location.pathname === '/teacher' &&
  /^(Waiting for you|Feedback tasks|Recent changes)/.test(node.matches('section') ? (node.textContent ?? '') : '');

/**
 * What stands on the page, piece by piece, but not what may be done there, what is drawn, nor which moment it is. Marks and scores that can be typed have
 * another frame than those that are read: of them who has which.
 */
const pieces = (at: string): string[] => {
  const left = at.startsWith('/admin') ? '[role=status], [aria-label$="choose the moment to show"]' : '[role=status], button, a, svg';
  const isTyped = /\/(marks|prior)\?/.test(at);
  const found: string[] = [];
  const look = (node: Node): void => {
    if (node instanceof Element && !isTyped && (node.matches(left) || isForTeacher(node))) return;
    if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) found.push(`[${node.value}]`);
    const text = node.nodeType === Node.TEXT_NODE ? node.textContent?.trim() : undefined;
    if (text) found.push(text);
    node.childNodes.forEach(look);
  };
  document.querySelectorAll('main').forEach(look);
  if (!isTyped) return found;
  const rows = found.slice(
    found.findIndex((one) => one.endsWith(', Student')),
    found.includes('Mean') ? found.indexOf('Mean') : undefined,
  );
  return rows.map((one) => one.replace(/^\[|\]$|^Completed in /g, '')).filter((one) => /, Student$|^[a-e]\*?$|^\d+$/.test(one));
};

/** Once all that it asks for is there. */
const shown = async ([role, at, last, choose]: (typeof screens)[number]): Promise<string[]> => {
  const page = await open(await school.as(role), at);
  if (choose !== undefined) await user.click(await waitFor(() => page.seen().getByText(choose)));
  let now: string[] = [];
  let same = 0;
  await waitFor(() => {
    const before = now;
    now = pieces(at);
    same = page.line.isIdle() && isDeepStrictEqual(now, before) ? same + 1 : 0;
    expect([at, now.join(' ').includes(last), same > 3]).toEqual([at, true, true]);
  });
  return now;
};

/** Names of the forgotten are gone at every moment; others may stand before the ones that are looked at. */
const left: readonly CommandName[] = ['ForgetStudent', 'ForgetStaffAccount', 'AddSubject', 'AddScheme', 'CreateAssessment'];

/** Whatever can be done; some of it is refused after the rest. */
const everything = async (): Promise<void> => {
  for (const [name, body] of Object.entries(commandSamples(school, await spareParts(school))))
    if (!left.includes(name as CommandName)) await admin.command(name as CommandName, body);
};

test('every page shows an earlier moment as it stood there then, piece by piece', async () => {
  await everything();
  const mark = (is: number) => ({
    entryId: randomUUID(),
    subjectId,
    seq: 1,
    cells: [{ studentId: students['A2'], testId, questionId: school.ids.questions[0], is }],
  });
  await admin.done('EnterMarks', mark(3));
  // With the first charts their code is loaded, which they wait for.
  for (const screen of screens.filter(([, at]) => at.includes('/questions'))) await shown(screen);
  const then = new Map<string, string[]>();
  for (const screen of screens) then.set(screen[1], await shown(screen));
  const asOf = await moment();
  await everything();
  await admin.done('EnterMarks', mark(4));
  await admin.done('ChangeSet', { subjectId, setId, name: '11Z' });
  await admin.done('RenameAssessment', { testId, name: 'Summer mock' });
  await admin.done('AddTerminalExam', { subjectId, name: 'A levels', yearSat: 13 });
  await admin.done('ChangeStudents', { subjectId, changes: [{ studentId: students['A3'], place: { setId: school.ids.setB } }] });
  for (const [role, at, ...more] of screens) {
    const before = then.get(at);
    expect.soft(await shown([role, `${at}${at.includes('?') ? '&' : '?'}asOf=${asOf}`, ...more]), at).toEqual(before);
  }
  const shows = new Set(pages.filter(({ moments }) => moments).map(({ path }) => path as string));
  expect(new Set(screens.map(([, at]) => at.split('?')[0]))).toEqual(shows);
});
