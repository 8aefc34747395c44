import type { Placement, RevisionLists } from '../../events/revision-lists/revision-lists.ts';
import {
  isHeader,
  isSame,
  nameOfHeader,
  NOWHERE,
  orderOf,
  placementOf,
  placeOf,
  questionsUnder,
} from '../../events/revision-lists/revision-lists.ts';
import type { InputError } from '../contract/problem.ts';
import type { Context, Refused } from '../common/command.ts';
import { noFacts } from '../common/facts.ts';
import { command, refuse, refuseInput } from '../common/command.ts';
import { sameName } from '../contract/names.ts';
import { MAX_HEADERS } from './revision-list.contract.ts';
import { revisionListsCommands } from './revision-lists.contract.ts';
import { countIn, onLists, paperOfList, sameOrder } from './revision-lists.facts.ts';

const NO_TEST = 'This assessment was deleted meanwhile.';
const NO_QUESTION = 'This question is no longer on its assessment. Reload and choose again.';
const NO_HEADER = 'This topic header was deleted meanwhile. Choose another one.';
const LIST_CHANGED = 'Somebody else has changed this revision list meanwhile. Look at it, then save yours again.';

const changed = (_input: unknown, events: readonly { readonly data: object }[], _facts: unknown, { commandId }: Context) => ({
  changed: countIn(events, 'questionIds', 'questions'),
  commandId,
});

/**
 * Puts questions of an assessment under headers, each with its text there. If two people change different questions, both changes count; if they
 * change the same one, the second is refused.
 */
export const SaveRevisionList = command({
  ...revisionListsCommands.SaveRevisionList,
  ...onLists,
  facts: paperOfList,
  decide({ testId, questions }, state, paper, { newId }) {
    if (!paper.test) return refuse('not-found', NO_TEST);
    const repeated = questions.findIndex(({ questionId }, index) => questions.findIndex((one) => one.questionId === questionId) < index);
    if (repeated >= 0) return refuseInput(`questions.${repeated}.questionId`, 'A question stands under one header only.');
    const headers = new Map(orderOf(state).map((headerId) => [headerId, nameOfHeader(state, headerId)]));
    const made: { headerId: string; name: string }[] = [];
    const named = (name: string): string => {
      const there = [...headers].find(([, other]) => sameName(other, name))?.[0];
      if (there !== undefined) return there;
      const headerId = newId(`header-${name.toLowerCase()}`);
      headers.set(headerId, name);
      made.push({ headerId, name });
      return headerId;
    };
    const changes: { questionId: string; headerId: string | null; text: string | null }[] = [];
    const overtaken: InputError[] = [];
    for (const [index, { questionId, header, was, ...input }] of questions.entries()) {
      const question = paper.questions.find((one) => one.questionId === questionId);
      if (!question) return refuse('not-found', NO_QUESTION, [{ path: `questions.${index}.questionId`, message: NO_QUESTION }]);
      const headerId = header === undefined ? input.headerId : named(header);
      const text = headerId === null ? null : input.text;
      const now = placeOf(state, questionId);
      if (isSame(now, { headerId, text })) continue;
      if (question.hidden) return refuse('not-found', NO_QUESTION, [{ path: `questions.${index}.questionId`, message: NO_QUESTION }]);
      if (headerId !== null && !headers.has(headerId)) {
        return refuse('not-found', NO_HEADER, [{ path: `questions.${index}.headerId`, message: NO_HEADER }]);
      }
      if (was && !isSame(was, now))
        overtaken.push({ path: `questions.${index}`, message: `Question ${question.number} ${inWords(state, now)} now.` });
      changes.push({ questionId, headerId, text });
    }
    if (overtaken.length > 0) return refuse('conflict', LIST_CHANGED, overtaken);
    if (headers.size > MAX_HEADERS) return tooMany;
    if (changes.length === 0) return [];
    return [
      ...made.map((data) => ({ type: 'RevisionHeaderAdded' as const, data })),
      { type: 'RevisionListSaved', data: { testId, questions: changes } },
    ];
  },
  answer: changed,
});

/** Puts all questions of an assessment under no header, without texts. */
export const ClearRevisionList = command({
  ...revisionListsCommands.ClearRevisionList,
  ...onLists,
  facts: paperOfList,
  decide({ testId, was = [] }, state, paper) {
    if (!paper.test) return refuse('not-found', NO_TEST);
    const overtaken = was.flatMap((seen, index): InputError[] => {
      const now = placeOf(state, seen.questionId);
      const number = paper.questions.find(({ questionId }) => questionId === seen.questionId)?.number;
      if (number === undefined || isSame(now, seen) || isSame(now, NOWHERE)) return [];
      return [{ path: `was.${index}`, message: `Question ${number} ${inWords(state, now)} now.` }];
    });
    if (overtaken.length > 0) return refuse('conflict', LIST_CHANGED, overtaken);
    const questions = paper.questions
      .filter(({ questionId }) => !isSame(placementOf(state, questionId), NOWHERE))
      .map(({ questionId }) => ({ questionId, ...NOWHERE }));
    return questions.length === 0 ? [] : [{ type: 'RevisionListCleared', data: { testId, questions } }];
  },
  answer: changed,
});

/** Another header of the same name is allowed. */
export const AddRevisionHeader = command({
  ...revisionListsCommands.AddRevisionHeader,
  ...onLists,
  facts: noFacts,
  decide({ name }, state, _facts, { newId }) {
    if (orderOf(state).length >= MAX_HEADERS) return tooMany;
    return [{ type: 'RevisionHeaderAdded', data: { headerId: newId('header'), name } }];
  },
  answer: (_input, _events, _facts, { newId, commandId }) => ({ headerId: newId('header'), commandId }),
});

export const RenameRevisionHeader = command({
  ...revisionListsCommands.RenameRevisionHeader,
  ...onLists,
  facts: noFacts,
  decide({ headerId, name, was }, state) {
    if (!isHeader(state, headerId)) return refuse('not-found', NO_HEADER);
    const now = nameOfHeader(state, headerId);
    if (name === now) return [];
    if (was !== undefined && was !== now) {
      return refuse('conflict', `Somebody else has renamed this topic header to “${now}” meanwhile. Look at it, then save yours again.`);
    }
    return [{ type: 'RevisionHeaderRenamed', data: { headerId, name } }];
  },
  answer: (_input, _events, _facts, { commandId }) => ({ commandId }),
});

/** Its questions stand under no header then, and are back under it when it is restored. */
export const DeleteRevisionHeader = command({
  ...revisionListsCommands.DeleteRevisionHeader,
  ...onLists,
  facts: noFacts,
  decide({ headerId, was }, state) {
    if (!state.headers.has(headerId)) return refuse('not-found', NO_HEADER);
    if (!isHeader(state, headerId)) return [];
    const questionIds = [...questionsUnder(state, headerId)];
    if (was !== undefined && was !== questionIds.length) {
      return refuse(
        'conflict',
        'Somebody else has changed which questions stand under this topic header meanwhile. Look at it, then delete it.',
      );
    }
    return [{ type: 'RevisionHeaderDeleted', data: { headerId, questionIds } }];
  },
  answer: changed,
});

export const RestoreRevisionHeader = command({
  ...revisionListsCommands.RestoreRevisionHeader,
  ...onLists,
  facts: noFacts,
  decide({ headerId }, state) {
    if (!state.headers.has(headerId)) return refuse('not-found', 'There is no such topic header.');
    if (isHeader(state, headerId)) return [];
    if (orderOf(state).length >= MAX_HEADERS) return tooMany;
    return [{ type: 'RevisionHeaderRestored', data: { headerId, questionIds: [...questionsUnder(state, headerId)] } }];
  },
  answer: () => ({}),
});

export const OrderRevisionHeaders = command({
  ...revisionListsCommands.OrderRevisionHeaders,
  ...onLists,
  facts: noFacts,
  decide({ headerIds, was }, state) {
    const unknown = headerIds.findIndex((headerId, index) => !state.headers.has(headerId) || headerIds.indexOf(headerId) < index);
    if (unknown >= 0) return refuseInput(`headerIds.${unknown}`, 'Each topic header stands in the order once.');
    const now = orderOf(state);
    const first = headerIds.filter((headerId) => now.includes(headerId));
    const next = [...first, ...now.filter((headerId) => !first.includes(headerId))];
    if (sameOrder(now, next)) return [];
    const seen = was?.filter((headerId) => now.includes(headerId)) ?? [];
    const ofSeen = now.filter((headerId) => seen.includes(headerId));
    if (!sameOrder(seen, ofSeen)) {
      return refuse('conflict', 'Somebody else has put the topic headers in another order meanwhile. Look at it, then move yours again.');
    }
    return [{ type: 'RevisionHeadersOrdered', data: { headerIds: next } }];
  },
  answer: (_input, _events, _facts, { commandId }) => ({ commandId }),
});

const tooMany: Refused = refuse('refused', `A subject has ${MAX_HEADERS} topic headers at most.`);

/** 'stands under “Algebra” as “Surds”' */
const inWords = (state: RevisionLists, { headerId, text }: Placement): string => {
  const under = headerId === null ? 'stands under no header' : `stands under “${nameOfHeader(state, headerId)}”`;
  return text === null ? under : `${under} as “${text}”`;
};
