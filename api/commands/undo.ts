import type { MarktrailEvent } from '../../events/registry.ts';
import { undo } from '../../events/undo.ts';
import { undoCommand } from '../contract/marks.ts';
import type { UndoFacts } from '../facts/undo.ts';
import { undoFacts } from '../facts/undo.ts';
import type { Actor } from '../actor.ts';
import type { Refused } from './command.ts';
import { mayWriteSet } from '../actor.ts';
import { command, refuse } from './command.ts';

/** Undoes a command of an entry. The values that its marks had replaced count again; nothing is deleted. */
export const UndoCommand = command({
  input: undoCommand,
  aggregate: undo,
  streamId: ({ entryId }) => entryId,
  facts: undoFacts,
  decide: ({ entryId, commandId }, state, known, { actor }) =>
    notAllowed(known, actor) ?? (state.undone.has(commandId) ? [] : turn('CommandUndone', entryId, commandId)),
  touches: (_input, known) => touched(known),
  answer: (_input, _events, known) => ({ undone: true, cells: known?.cells ?? 0 }),
});

export const RedoCommand = command({
  input: undoCommand,
  aggregate: undo,
  streamId: ({ entryId }) => entryId,
  facts: undoFacts,
  decide: ({ entryId, commandId }, state, known, { actor }) =>
    notAllowed(known, actor) ?? (state.undone.has(commandId) ? turn('CommandRedone', entryId, commandId) : []),
  touches: (_input, known) => touched(known),
  answer: (_input, _events, known) => ({ undone: false, cells: known?.cells ?? 0 }),
});

const turn = (type: 'CommandUndone' | 'CommandRedone', entryId: string, commandId: string): readonly MarktrailEvent[] => [
  { type, data: { entryId, commandId } },
];

/** Teachers may undo their own commands; leaders and admins everything where they may write. */
const notAllowed = (known: UndoFacts, actor: Actor): Refused | undefined => {
  if (!known) return refuse('not-found', 'There is no such upload or save.');
  const { subjectId, setIds, accountId } = known;
  const writes = setIds.every((setId) => mayWriteSet(actor, { setId: setId ?? '', subjectId }));
  if (!writes) return refuse('not-your-set', 'It holds marks of classes that you may not write in.');
  if (actor.role === 'teacher' && accountId !== actor.accountId)
    return refuse('forbidden', 'Only its author, a leader or an admin can undo it.');
  return undefined;
};

const touched = (known: UndoFacts): { subjectId: string; setIds: readonly string[] } => ({
  subjectId: known?.subjectId ?? '',
  setIds: known?.setIds.filter((setId) => setId !== null) ?? [],
});
