import { test } from 'vitest';
import { RedoCommand, UndoCommand } from '../../../api/commands/undo.ts';
import type { Happened } from '../../support/decider.ts';
import { actor, given, id } from '../../support/decider.ts';

const target = { entryId: id('entry'), commandId: id('upload') };
const undone: Happened = { type: 'CommandUndone', data: target };
const redone: Happened = { type: 'CommandRedone', data: target };
const known = { subjectId: id('maths'), accountId: id('teacher'), cells: 3, setIds: [id('11A'), id('11B')] };
const teacher = actor('teacher', { subjectIds: [id('maths')], setIds: [id('11A'), id('11B')] });

test('an upload is undone once, and redone only if it is undone', () => {
  given([]).when(UndoCommand, target, known).then([undone]);
  given([undone]).when(UndoCommand, target, known).nothing();
  given([undone]).when(RedoCommand, target, known).then([redone]);
  given([]).when(RedoCommand, target, known).nothing();
  given([undone, redone]).when(RedoCommand, target, known).nothing();
  given([undone, redone]).when(UndoCommand, target, known).then([undone]);
  given([undone])
    .when(UndoCommand, { ...target, commandId: id('other') }, known)
    .then([{ type: 'CommandUndone', data: { ...target, commandId: id('other') } }]);
});

test.each([UndoCommand, RedoCommand])('what never was cannot be undone or redone', (command) => {
  given([undone]).when(command, target, undefined).refused('There is no such upload or save.');
});

test.each([UndoCommand, RedoCommand])('a teacher takes back what is his own, in classes that are his', (command) => {
  const happened = command === RedoCommand ? [undone] : [];
  given(happened).when(command, target, known, teacher).events();
  given(happened)
    .when(command, target, { ...known, accountId: id('colleague') }, teacher)
    .refused('Only its author, a leader or an admin can undo it.');
  given(happened)
    .when(command, target, known, { ...teacher, setIds: [id('11A')] })
    .refused('It holds marks of classes that you may not write in.');
  given(happened)
    .when(command, target, { ...known, setIds: [id('11A'), null] }, teacher)
    .refused('It holds marks of classes that you may not write in.');
});

test.each([UndoCommand, RedoCommand])('a leader what anybody did in his subject, an admin everything', (command) => {
  const happened = command === RedoCommand ? [undone] : [];
  const leader = actor('leader', { subjectIds: [id('maths')] });
  given(happened)
    .when(command, target, { ...known, setIds: [id('11A'), null] }, leader)
    .events();
  given(happened)
    .when(command, target, { ...known, subjectId: id('science') }, leader)
    .refused('It holds marks of classes that you may not write in.');
  given(happened)
    .when(command, target, { ...known, setIds: [null] }, actor('admin'))
    .events();
});
