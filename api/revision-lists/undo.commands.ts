import type { RevisionLists } from '../../events/revision-lists/revision-lists.ts';
import {
  isHeader,
  isSame,
  nameOfHeader,
  placementOf,
  questionsUnder,
  setUndone,
  standingOrder,
  undoneBy,
} from '../../events/revision-lists/revision-lists.ts';
import type { MarktrailEvent } from '../../events/registry.ts';
import type { Refused } from '../common/command.ts';
import { command, refuse } from '../common/command.ts';
import { noFacts } from '../common/facts.ts';
import { revisionListsCommands } from './revision-lists.contract.ts';
import { countIn, onLists, sameOrder } from './revision-lists.facts.ts';

type Turn = 'RevisionChangeUndone' | 'RevisionChangeRedone';

const turning = (type: Turn) => ({
  ...onLists,
  facts: noFacts,
  decide: ({ commandId }: { readonly commandId: string }, state: RevisionLists) => turned(type, commandId, state),
  answer: (_input: unknown, events: readonly { readonly data: object }[]) => ({
    changed: countIn(events, 'questions', 'headers'),
    kept: countIn(events, 'kept'),
  }),
});

/**
 * Takes back what one command has changed about headers and questions. What was changed since, by whomever, stays; a header that the command has
 * made stays too if something else stands under it.
 */
export const UndoRevisionChange = command({ ...revisionListsCommands.UndoRevisionChange, ...turning('RevisionChangeUndone') });

export const RedoRevisionChange = command({ ...revisionListsCommands.RedoRevisionChange, ...turning('RevisionChangeRedone') });

/** Nothing if it has been done before. */
const turned = (type: Turn, commandId: string, state: RevisionLists): readonly MarktrailEvent[] | Refused => {
  const before = undoneBy(state, commandId);
  if (before.length === 0) return refuse('not-found', 'There is no such change of a revision list.');
  const isUndo = type === 'RevisionChangeUndone';
  const trial = structuredClone(state);
  setUndone(trial, { commandId, kept: [] }, isUndo);
  const made = isUndo ? [...state.headers.keys()].filter((headerId) => state.headers.get(headerId)?.added === commandId) : [];
  const kept = made.filter((headerId) => isNeeded(trial, headerId));
  const after = structuredClone(state);
  setUndone(after, { commandId, kept }, isUndo);
  if (undoneBy(after, commandId).every((undone, index) => undone === before[index])) return [];
  const questions = [...state.questions.keys()]
    .filter((questionId) => !isSame(placementOf(state, questionId), placementOf(after, questionId)))
    .map((questionId) => ({ questionId, ...placementOf(after, questionId) }));
  const headers = [...state.headers.keys()]
    .filter(
      (headerId) =>
        isHeader(state, headerId) !== isHeader(after, headerId) || nameOfHeader(state, headerId) !== nameOfHeader(after, headerId),
    )
    .map((headerId) => ({ headerId, name: nameOfHeader(after, headerId), deleted: !isHeader(after, headerId) }));
  const order = sameOrder(standingOrder(state), standingOrder(after)) ? null : [...standingOrder(after)];
  return [{ type, data: { commandId, questions, headers, order, kept } }];
};

/** Whether something else hangs on a header than the command that made it, which counts no longer in this state. */
const isNeeded = (state: RevisionLists, headerId: string): boolean => {
  const header = state.headers.get(headerId);
  return questionsUnder(state, headerId).length > 0 || (header?.names.some(({ undone }) => !undone) ?? false);
};
