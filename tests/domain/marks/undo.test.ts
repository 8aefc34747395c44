import { expect, test } from 'vitest';
import { RedoCommand, UndoCommand } from '../../../api/marks/undo.commands.ts';
import type { Happened } from '../../support/decider.ts';
import { actor, deciding, given, id } from '../../support/decider.ts';

const target = { entryId: id('entry'), commandId: id('upload') };
const undone: Happened = { type: 'CommandUndone', data: target };
const redone: Happened = { type: 'CommandRedone', data: target };
const known = {
  subjectId: id('maths'),
  accountId: id('teacher'),
  cells: 3,
  setIds: [id('11A'), id('11B')],
  elsewhere: [],
  rankings: 0,
  shares: { own: 3, shared: 0, replaced: 0, alsoBy: [] },
  misfits: [],
};
const teacher = actor('teacher', { subjectIds: [id('maths')], setIds: [id('11A'), id('11B')] });

const undoCommand = deciding(UndoCommand, target, known);
const redoCommand = deciding(RedoCommand, target, known);

test('an upload is undone once, and redone only if it is undone', () => {
  undoCommand([]).then([undone]);
  undoCommand([undone]).nothing();
  redoCommand([undone]).then([redone]);
  redoCommand([]).nothing();
  redoCommand([undone, redone]).nothing();
  undoCommand([undone, redone]).then([undone]);
  undoCommand([undone], { commandId: id('other') }).then([{ type: 'CommandUndone', data: { ...target, commandId: id('other') } }]);
});

test('a redo of marks above today’s maximum asks first; an undo never does', () => {
  const misfits = [
    { studentId: id('Ann'), name: 'Ann', number: null, mark: 20, max: 15 },
    { studentId: id('Ann'), name: 'Ann', number: 2, mark: 9, max: 8 },
  ];
  const refusal = redoCommand([undone], {}, { ...known, misfits }).refusal();
  expect([refusal.code, refusal.asks]).toEqual(['answers-needed', { aboveMaximum: 2 }]);
  expect(refusal.errors.map(({ message }) => message)).toEqual([
    'Ann: 20 for the total is above the maximum of 15',
    'Ann: 9 for question 2 is above the maximum of 8',
  ]);
  redoCommand([undone], { anyway: true }, { ...known, misfits }).then([redone]);
  redoCommand([], {}, { ...known, misfits }).nothing();
  undoCommand([], {}, { ...known, misfits }).then([undone]);
});

test('an undo of many marks, or of any that a ranking rests on, asks first where it is asked to', () => {
  const shares = (own: number) => ({ own, shared: 5, replaced: 0, alsoBy: [] });
  const many = { ...known, shares: shares(9464), rankings: 2 };
  const refusal = undoCommand([], { ask: true }, many).refusal();
  expect([refusal.code, refusal.title, refusal.asks]).toEqual([
    'answers-needed',
    'This takes back 9,464 marks. 2 rankings would show that totals have changed since.',
    { marks: 9464, rankings: 2 },
  ]);
  undoCommand([], { ask: true }, { ...known, shares: shares(101) }).refused('This takes back 101 marks.');
  undoCommand([], { ask: true }, { ...known, shares: shares(1), rankings: 1 }).refused(
    'This takes back 1 mark. 1 ranking would show that totals have changed since.',
  );
  for (const [few, rankings] of [
    [100, 0],
    [0, 3],
  ] as const)
    undoCommand([], { ask: true }, { ...known, shares: shares(few), rankings }).then([undone]);
  undoCommand([], {}, many).then([undone]);
  undoCommand([undone], { ask: true }, many).nothing();
});

test.each([UndoCommand, RedoCommand])('what never was cannot be undone or redone', (command) => {
  given([undone]).when(command, target, undefined).refused('There is no such upload or save.');
});

test.each([
  ['undo', UndoCommand],
  ['redo', RedoCommand],
])('a teacher can %s what is their own, in classes that are theirs; else they read whose it is to do', (act, command) => {
  const happened = command === RedoCommand ? [undone] : [];
  const ben = { studentId: id('Ben'), name: 'Ben', place: '11B' };
  given(happened).when(command, target, known, teacher).events();
  given(happened)
    .when(command, target, { ...known, accountId: id('colleague') }, teacher)
    .refused(`Only its author, a leader or an admin can ${act} it.`);
  given(happened)
    .when(command, target, { ...known, elsewhere: [ben] }, { ...teacher, setIds: [id('11A')] })
    .refused(
      `It holds marks of a student who is in none of your classes now: Ben (11B). A leader of the subject or an admin can ${act} it.`,
      `students.${id('Ben')}`,
    );
  const gone = ['Ann', 'Cem', 'Dee', null].map((name) => ({ studentId: id(`${name}`), name, place: name === 'Ann' ? 'Off-Roll' : null }));
  const refusal = given(happened)
    .when(command, target, { ...known, setIds: [id('11A'), null], elsewhere: gone }, teacher)
    .refusal();
  expect(refusal.title).toContain(
    'of 4 students who are in none of your classes now: Ann (Off-Roll), Cem (no longer in the subject), Dee (no longer in the subject), 1 more.',
  );
  expect(refusal.errors.map(({ message }) => message).at(-1)).toBe('A forgotten student (no longer in the subject)');
});

test.each([UndoCommand, RedoCommand])('a leader what anybody did in their subject, an admin everything', (command) => {
  const happened = command === RedoCommand ? [undone] : [];
  const leader = actor('leader', { subjectIds: [id('maths')] });
  given(happened)
    .when(command, target, { ...known, setIds: [id('11A'), null] }, leader)
    .events();
  given(happened)
    .when(command, target, { ...known, subjectId: id('science') }, leader)
    .refused('It includes marks of classes that you may not enter marks for.');
  given(happened)
    .when(command, target, { ...known, setIds: [null] }, actor('admin'))
    .events();
});
