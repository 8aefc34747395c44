import type { MarktrailEvent } from '../../events/registry.ts';
import { undo } from '../../events/marks/undo.ts';
import type { Turned } from './marks.contract.ts';
import { marksCommands } from './marks.contract.ts';
import type { Misfit, UndoFacts } from './undo.facts.ts';
import { redoFacts, undoFacts } from './undo.facts.ts';
import type { Refused } from '../common/command.ts';
import { ask, command } from '../common/command.ts';
import { refusedTurn } from './undo.rules.ts';

/** Undoes a command of an entry. The values that its marks had replaced count again; nothing is deleted. */
export const UndoCommand = command({
  ...marksCommands.UndoCommand,
  aggregate: undo,
  streamId: ({ entryId }) => entryId,
  facts: undoFacts,
  decide({ entryId, commandId, ask: isAsked }, state, facts, { actor }) {
    const refused = refusedTurn(facts, actor, 'undo');
    if (refused) return refused;
    if (state.undone.has(commandId)) return [];
    return (isAsked && facts && askFirst(facts)) || turn('CommandUndone', entryId, commandId);
  },
  touches: (_input, facts) => touched(facts),
  answer: (_input, _events, facts, { repeated }) => turned(facts, true, repeated),
});

/** Redoes an undone command. Where its marks no longer fit, it asks first. */
export const RedoCommand = command({
  ...marksCommands.RedoCommand,
  aggregate: undo,
  streamId: ({ entryId }) => entryId,
  facts: redoFacts,
  decide({ entryId, commandId, anyway }, state, facts, { actor }) {
    const refused = refusedTurn(facts, actor, 'redo');
    if (refused) return refused;
    if (!state.undone.has(commandId)) return [];
    const misfits = facts?.misfits ?? [];
    return misfits.length > 0 && !anyway ? askAnyway(misfits) : turn('CommandRedone', entryId, commandId);
  },
  touches: (_input, facts) => touched(facts),
  answer: (_input, _events, facts, { repeated }) => turned(facts, false, repeated),
});

/** Of more marks than these it is asked whether they are to be taken back. */
const MANY = 100;

/** Before much is taken back, or what rankings rest on; undefined: neither. */
const askFirst = ({ shares: { own }, rankings }: NonNullable<UndoFacts>): Refused | undefined => {
  if (own === 0 || (own <= MANY && rankings === 0)) return undefined;
  const marks = `This takes back ${own.toLocaleString('en-GB')} ${own === 1 ? 'mark' : 'marks'}.`;
  const would = `${rankings === 1 ? '1 ranking' : `${rankings} rankings`} would show that totals have changed since.`;
  return ask(rankings > 0 ? `${marks} ${would}` : marks, [], { marks: own, rankings });
};

/** The maximum was lowered while the command was undone. */
const askAnyway = (misfits: readonly Misfit[]): Refused =>
  ask(
    `${misfits.length === 1 ? '1 mark is' : `${misfits.length} marks are`} above today’s maximum. They can be brought back all the same, and are marked as such.`,
    misfits.slice(0, MOST_LISTED).map(({ studentId, name, number, mark, max }) => ({
      path: `students.${studentId}`,
      message: `${name}: ${mark} for ${number === null ? 'the total' : `question ${number}`} is above the maximum of ${max}`,
    })),
    { aboveMaximum: misfits.length },
  );

const MOST_LISTED = 1_000;

const turn = (type: 'CommandUndone' | 'CommandRedone', entryId: string, commandId: string): readonly MarktrailEvent[] => [
  { type, data: { entryId, commandId } },
];

/** What becomes of the values is known at the time only: others may have entered or undone the same since. */
const turned = (facts: UndoFacts, undone: boolean, repeated: true | undefined): Turned => ({
  undone,
  cells: facts?.cells ?? 0,
  ...(repeated ? { ...NO_SHARES, leftOut: ['own', 'shared', 'replaced', 'alsoBy'] } : (facts?.shares ?? NO_SHARES)),
});
const NO_SHARES = { own: 0, shared: 0, replaced: 0, alsoBy: [] };

const touched = (facts: UndoFacts): { subjectId: string; setIds: readonly string[] } => ({
  subjectId: facts?.subjectId ?? '',
  setIds: facts?.setIds.filter((setId) => setId !== null) ?? [],
});
