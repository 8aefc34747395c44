import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { EventOf, Recorded } from '../codec/event.ts';
import { event } from '../codec/event.ts';
import { id, label } from '../fields.ts';

/** Under which header a question stands (null: none), and the text that the list shows for it there (null: its topic). */
const placement = { headerId: id.nullable(), text: z.string().min(1).max(500).nullable() };
const placed = z.array(z.strictObject({ questionId: id, ...placement }));
export type Placement = { readonly headerId: string | null; readonly text: string | null };

const turned = z.strictObject({
  commandId: id,
  /** Questions and headers that are other than before, as they are now. */
  questions: placed,
  headers: z.array(z.strictObject({ headerId: id, name: label, deleted: z.boolean() })),
  /** The order that counts now, with headers that are deleted; null: it is as it was. */
  order: z.array(id).nullable(),
  /** Headers that the command had made, and that stay because something else hangs on them. */
  kept: z.array(id),
});

/**
 * Storage contract of `revision-{schoolId}.{subjectId}`: the headers of a subject's revision lists, and which question stands under which.
 *
 * A question under a deleted header stands under none, and is back under it when the header is restored, unless it was put elsewhere.
 */
export const revisionListsEvents = {
  RevisionHeaderAdded: event(1, z.strictObject({ headerId: id, name: label })),
  RevisionHeaderRenamed: event(1, z.strictObject({ headerId: id, name: label })),
  /** All headers that are not deleted. */
  RevisionHeadersOrdered: event(1, z.strictObject({ headerIds: z.array(id) })),
  /** `questionIds`: those that stood under it. */
  RevisionHeaderDeleted: event(1, z.strictObject({ headerId: id, questionIds: z.array(id) })),
  RevisionHeaderRestored: event(1, z.strictObject({ headerId: id, questionIds: z.array(id) })),
  /** The questions of an assessment that its author has changed. */
  RevisionListSaved: event(1, z.strictObject({ testId: id, questions: placed })),
  RevisionListCleared: event(1, z.strictObject({ testId: id, questions: placed })),
  /** What one command has stated no longer counts; what others have stated does, whether before or since. */
  RevisionChangeUndone: event(1, turned),
  RevisionChangeRedone: event(1, turned),
};

export type RevisionListsEvent = EventOf<typeof revisionListsEvents>;

/** Everything that was ever stated about one thing, in the order of the log. */
type Statements<Value> = { readonly commandId: string; readonly value: Value; undone: boolean }[];
type RevisionHeader = {
  /** by which command */
  readonly added: string;
  readonly names: Statements<string>;
  readonly deleted: Statements<boolean>;
};
export type RevisionLists = {
  readonly headers: Map<string, RevisionHeader>;
  readonly orders: Statements<readonly string[]>;
  readonly questions: Map<string, Statements<Placement>>;
};

export const revisionLists: Aggregate<RevisionLists, Recorded<RevisionListsEvent>> = {
  category: 'revision',
  initial: () => ({ headers: new Map(), orders: [], questions: new Map() }),
  evolve: (state, { type, data, metadata: { commandId } }) => {
    switch (type) {
      case 'RevisionHeaderAdded':
        state.headers.set(data.headerId, {
          added: commandId,
          names: [statement(commandId, data.name)],
          deleted: [statement(commandId, false)],
        });
        break;
      case 'RevisionHeaderRenamed':
        state.headers.get(data.headerId)?.names.push(statement(commandId, data.name));
        break;
      case 'RevisionHeadersOrdered':
        state.orders.push(statement(commandId, data.headerIds));
        break;
      case 'RevisionHeaderDeleted':
      case 'RevisionHeaderRestored':
        state.headers.get(data.headerId)?.deleted.push(statement(commandId, type === 'RevisionHeaderDeleted'));
        break;
      case 'RevisionListSaved':
      case 'RevisionListCleared':
        for (const { questionId, headerId, text } of data.questions) {
          const all = state.questions.get(questionId) ?? [];
          all.push(statement(commandId, { headerId, text }));
          state.questions.set(questionId, all);
        }
        break;
      case 'RevisionChangeUndone':
      case 'RevisionChangeRedone':
        setUndone(state, data, type === 'RevisionChangeUndone');
        break;
    }
    return state;
  },
};

const statement = <Value>(commandId: string, value: Value): Statements<Value>[number] => ({ commandId, value, undone: false });

/** The statements of a command count no longer, or again. The headers in `kept` stay made. */
export const setUndone = (
  { headers, orders, questions }: RevisionLists,
  { commandId, kept }: { readonly commandId: string; readonly kept: readonly string[] },
  undone: boolean,
): void => {
  const ofHeaders = [...headers].filter(([headerId, { added }]) => added !== commandId || !kept.includes(headerId));
  for (const one of [orders, ...questions.values(), ...ofHeaders.flatMap(([, { names, deleted }]) => [names, deleted])].flat()) {
    if (one.commandId === commandId) one.undone = undone;
  }
};

/** Whether each statement of a command is undone. */
export const undoneBy = ({ headers, orders, questions }: RevisionLists, commandId: string): readonly boolean[] =>
  [orders, ...questions.values(), ...[...headers.values()].flatMap(({ names, deleted }) => [names, deleted])]
    .flat()
    .flatMap((one) => (one.commandId === commandId ? [one.undone] : []));

/** What counts: the last that is not undone. */
const standing = <Value>(all: Statements<Value>): Value | undefined => all.findLast(({ undone }) => !undone)?.value;

export const isHeader = ({ headers }: RevisionLists, headerId: string): boolean => {
  const header = headers.get(headerId);
  // Made by a command that was undone, it was never there.
  return header !== undefined && standing(header.deleted) === false;
};

/** A header keeps the name that it was made with, also while that is undone. */
export const nameOfHeader = ({ headers }: RevisionLists, headerId: string): string => {
  const names = headers.get(headerId)?.names ?? [];
  return standing(names) ?? names[0]?.value ?? '';
};

/** As it was stated, maybe under a header that is deleted. */
export const placementOf = ({ questions }: RevisionLists, questionId: string): Placement =>
  standing(questions.get(questionId) ?? []) ?? NOWHERE;

/** As the list has it: a text goes with its header. */
export const placeOf = (state: RevisionLists, questionId: string): Placement => {
  const placement = placementOf(state, questionId);
  return placement.headerId !== null && isHeader(state, placement.headerId) ? placement : NOWHERE;
};

export const NOWHERE: Placement = { headerId: null, text: null };
export const isSame = (a: Placement, b: Placement): boolean => a.headerId === b.headerId && a.text === b.text;

/** The questions that stand under a header, or would if it were there. */
export const questionsUnder = (state: RevisionLists, headerId: string): readonly string[] =>
  [...state.questions.keys()].filter((questionId) => placementOf(state, questionId).headerId === headerId);

/** The order that counts, with headers that are deleted. */
export const standingOrder = ({ orders }: RevisionLists): readonly string[] => standing(orders) ?? [];

/** The headers in their order: those that were put in order, then the others as they were made. Deleted ones are not among them. */
export const orderOf = (state: RevisionLists): readonly string[] => {
  const there = [...state.headers.keys()].filter((headerId) => isHeader(state, headerId));
  const ordered = standingOrder(state).filter((headerId) => there.includes(headerId));
  return [...ordered, ...there.filter((headerId) => !ordered.includes(headerId))];
};
