import type { MarktrailEvent } from '../../events/registry.ts';
import { undo } from '../../events/undo.ts';
import type { Turned } from '../contract/marks.ts';
import { undoCommand } from '../contract/marks.ts';
import type { UndoFacts } from '../facts/undo.ts';
import { undoFacts } from '../facts/undo.ts';
import { command } from './command.ts';
import { refusedTurn } from './undo-rights.ts';

/** Undoes a command of an entry. The values that its marks had replaced count again; nothing is deleted. */
export const UndoCommand = command({
  input: undoCommand,
  aggregate: undo,
  streamId: ({ entryId }) => entryId,
  facts: undoFacts,
  decide: ({ entryId, commandId }, state, known, { actor }) =>
    refusedTurn(known, actor, 'undo') ?? (state.undone.has(commandId) ? [] : turn('CommandUndone', entryId, commandId)),
  touches: (_input, known) => touched(known),
  answer: (_input, _events, known) => turned(known, true),
});

export const RedoCommand = command({
  input: undoCommand,
  aggregate: undo,
  streamId: ({ entryId }) => entryId,
  facts: undoFacts,
  decide: ({ entryId, commandId }, state, known, { actor }) =>
    refusedTurn(known, actor, 'redo') ?? (state.undone.has(commandId) ? turn('CommandRedone', entryId, commandId) : []),
  touches: (_input, known) => touched(known),
  answer: (_input, _events, known) => turned(known, false),
});

const turn = (type: 'CommandUndone' | 'CommandRedone', entryId: string, commandId: string): readonly MarktrailEvent[] => [
  { type, data: { entryId, commandId } },
];

const turned = (known: UndoFacts, undone: boolean): Turned => ({
  undone,
  cells: known?.cells ?? 0,
  ...(known?.shares ?? { own: 0, shared: 0, replaced: 0, alsoBy: [] }),
});

const touched = (known: UndoFacts): { subjectId: string; setIds: readonly string[] } => ({
  subjectId: known?.subjectId ?? '',
  setIds: known?.setIds.filter((setId) => setId !== null) ?? [],
});
