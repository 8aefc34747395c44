import { expect, test } from 'vitest';
import { storedIn, submittedWords } from '../../../staff-ui/marks/sheet/submitted.ts';
import { attendanceKey, markKey } from '../../../ui/marks/mark-drafts.ts';
import { PageSaves } from '../../../ui/marks/page-saves.ts';

const SHEET = { subjectId: 's', setId: 'x', testId: 't' };
const key = (studentId: string, sheet = SHEET) => markKey(sheet, studentId, 'q');

/** Saves of these texts, one after the other, into cells in which something stood or not. */
const saying = () => {
  const said = new PageSaves();
  let saves = 0;
  const save = (
    values: Readonly<Record<string, string>>,
    stood: readonly number[] = [],
    refused: Readonly<Record<string, unknown>> = {},
  ) => {
    const cells = ['anna', 'ben', 'cleo'].map((studentId) => ({ studentId, questionId: 'q', testId: 't', is: 1, was: [...stood] }));
    const input = { entryId: 'e', subjectId: 's', seq: ++saves, cells, typedAt: '' };
    said.add({ id: `${saves}`, values, input }, `${saves}`, refused);
  };
  return { said, save };
};

test('what a sheet has stored since then counts once a cell; what was refused, taken back or is of another sheet does not', () => {
  const { said, save } = saying();
  save({ [key('anna')]: '1' });
  const before = said.saves();
  save({ [key('anna')]: '2', [key('ben')]: '3', [key('cleo')]: '4' }, [], { [key('cleo')]: {} });
  save({ [key('ben')]: '5', [key('ben', { ...SHEET, setId: 'y' })]: '5', [attendanceKey(SHEET, 'dora')]: 'absent' });
  expect(storedIn(said.changesSince(before), SHEET)).toEqual({ stored: 2, removed: 0, attendances: 1 });
  const taken = said.last(key('anna'));
  if (taken) said.forget(taken);
  expect(storedIn(said.changesSince(before), SHEET)).toEqual({ stored: 1, removed: 0, attendances: 1 });
});

test('a mark that is emptied was taken out, if one stood there', () => {
  const { said, save } = saying();
  save({ [key('anna')]: '' }, [7]);
  save({ [key('ben')]: '3' });
  save({ [key('ben')]: '' }, [3]);
  expect(storedIn(said.changesSince(new Set()), SHEET)).toEqual({ stored: 0, removed: 1, attendances: 0 });
});

const NOTHING = { stored: 0, removed: 0, attendances: 0 };

test.each([
  ['mark', { stored: 3 }, { done: 2, begun: 2, of: 30 }, '3 marks stored; 28 students have no mark yet'],
  [
    'mark',
    { stored: 1, removed: 2 },
    { done: 0, begun: 1, of: 2 },
    '1 mark stored, 2 marks taken out; 1 student has no mark yet, 1 student has some of their marks',
  ],
  ['mark', { attendances: 1 }, { done: 3, begun: 3, of: 3 }, 'attendance of 1 student stored; 3 students have all their marks'],
  ['mark', {}, { done: 0, begun: 0, of: 0 }, ''],
  ['total', { stored: 12 }, { done: 12, begun: 12, of: 30 }, '12 totals stored; 18 students have no total yet'],
  ['total', { removed: 1 }, { done: 0, begun: 0, of: 1 }, '1 total taken out; 1 student has no total yet'],
  ['total', {}, { done: 2, begun: 2, of: 2 }, '2 students have a total'],
] as const)('%s: %j of %j is "%s"', (noun, stored, progress, words) => {
  expect(submittedWords(noun, { ...NOTHING, ...stored }, progress)).toBe(words);
});
