import type { RevisionLists } from '../../events/revision-lists/revision-lists.ts';
import {
  flag,
  isHeader,
  nameOfHeader,
  placementOf,
  questionsUnder,
  revisionLists,
  standingOrder,
} from '../../events/revision-lists/revision-lists.ts';
import type { MarktrailEvent } from '../../events/registry.ts';
import type { Refused } from '../common/command.ts';
import { command, refuse } from '../common/command.ts';
import { noFacts } from '../common/facts.ts';
import { bySubject } from '../common/of-subject.ts';
import { revisionListsCommands } from './revision-lists.contract.ts';

/**
 * Takes back what one command has said about headers and questions. What was said since, by whomever, stays; a header that the command has
 * made stays too if something else stands under it.
 */
export const UndoRevisionChange = command({
  ...revisionListsCommands.UndoRevisionChange,
  aggregate: revisionLists,
  streamId: bySubject,
  facts: noFacts,
  decide: ({ commandId }, state) => flipped('RevisionChangeUndone', commandId, state),
  touches: ({ subjectId }) => ({ subjectId, setIds: [] }),
  answer: (_input, events) => flippedBy(events),
});

export const RedoRevisionChange = command({
  ...revisionListsCommands.RedoRevisionChange,
  aggregate: revisionLists,
  streamId: bySubject,
  facts: noFacts,
  decide: ({ commandId }, state) => flipped('RevisionChangeRedone', commandId, state),
  touches: ({ subjectId }) => ({ subjectId, setIds: [] }),
  answer: (_input, events) => flippedBy(events),
});

type Flip = 'RevisionChangeUndone' | 'RevisionChangeRedone';

/** Nothing if it has been done before. */
const flipped = (type: Flip, commandId: string, state: RevisionLists): readonly MarktrailEvent[] | Refused => {
  const own = saidBy(state, commandId);
  if (own.length === 0) return refuse('not-found', 'There is no such change of a revision list.');
  const to = type === 'RevisionChangeUndone';
  const trial = structuredClone(state);
  flag(trial, { commandId, kept: [] }, to);
  const kept = to
    ? [...state.headers].flatMap(([headerId, { added }]) => (added === commandId && isNeeded(trial, headerId) ? [headerId] : []))
    : [];
  const after = structuredClone(state);
  flag(after, { commandId, kept }, to);
  const said = saidBy(after, commandId);
  if (own.every(({ undone }, index) => undone === said[index]?.undone)) return [];
  const questions = [...state.questions.keys()]
    .map((questionId) => ({ questionId, ...placementOf(after, questionId) }))
    .filter(({ questionId, headerId, text }) => {
      const before = placementOf(state, questionId);
      return before.headerId !== headerId || before.text !== text;
    });
  const headers = [...state.headers.keys()]
    .filter(
      (headerId) =>
        isHeader(state, headerId) !== isHeader(after, headerId) || nameOfHeader(state, headerId) !== nameOfHeader(after, headerId),
    )
    .map((headerId) => ({ headerId, name: nameOfHeader(after, headerId), deleted: !isHeader(after, headerId) }));
  const [was, is] = [standingOrder(state), standingOrder(after)];
  const order = was.length === is.length && was.every((headerId, index) => headerId === is[index]) ? null : [...is];
  return [{ type, data: { commandId, questions, headers, order, kept } }];
};

const saidBy = ({ headers, orders, questions }: RevisionLists, commandId: string): readonly { readonly undone: boolean }[] =>
  [orders, ...questions.values(), ...[...headers.values()].flatMap(({ names, deleted }) => [names, deleted])]
    .flat()
    .filter((said) => said.commandId === commandId);

/** Whether something else hangs on a header than the command that made it, which counts no longer in this state. */
const isNeeded = (state: RevisionLists, headerId: string): boolean => {
  const header = state.headers.get(headerId);
  return questionsUnder(state, headerId).length > 0 || (header?.names.some(({ undone }) => !undone) ?? false);
};

const flippedBy = (events: readonly { readonly data: object }[]): { changed: number; kept: number } => {
  const [data] = events.map((event) => event.data);
  const of = (name: 'questions' | 'headers' | 'kept'): number => {
    const list: unknown = data && Object.entries(data).find(([key]) => key === name)?.[1];
    return Array.isArray(list) ? list.length : 0;
  };
  return { changed: of('questions') + of('headers'), kept: of('kept') };
};
