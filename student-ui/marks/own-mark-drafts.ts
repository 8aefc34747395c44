import { messages } from '#api/contract/limits';
import type { SaveFeedback, SubmissionPage, SubmitFeedback } from '#api/marks/submissions/submissions.contract';
import { indexedDbStorage, inTurn } from '../../ui/drafts/indexeddb-storage.ts';
import type { Draft } from '../../ui/drafts/drafts.ts';
import type { Seen, Trouble } from '../../ui/drafts/seen.ts';
import { DraftStore } from '../../ui/drafts/store.ts';

/** For a question: a mark; null: it is empty again. For a whole test: the marks that its student submits. */
export type OwnMarkValue = number | null | SubmitFeedback['marks'];

/** What is sent for a test, besides its idempotency key: the same each time, even after a reload. */
export type OwnMarksInput =
  | { readonly kind: 'save'; readonly input: SaveFeedback }
  | { readonly kind: 'submit'; readonly input: SubmitFeedback };

/** Nobody else types the marks of a student: there is nothing to compare them with. */
export type OwnMarkDraft = Draft<OwnMarkValue, null>;
export type OwnMarkDrafts = DraftStore<OwnMarkValue, null, OwnMarksInput>;
export type SeenOwnMarkDrafts = Seen<OwnMarkValue, null, OwnMarksInput>;

/** Marks that one student has typed or submitted and the server has not stored yet: ids and marks, no names. */
export const openOwnMarkDrafts = (accountId: string): OwnMarkDrafts =>
  new DraftStore(indexedDbStorage<OwnMarkValue, null, OwnMarksInput>(accountId), { sawOf: () => null, inTurn });

/** The keys of the drafts. Permanent: drafts outlast an upgrade. */
export const ownKey = (testId: string, questionId: string): string => `own ${testId} ${questionId}`;
export const submitKey = (testId: string): string => `submit ${testId}`;

/** Where a draft belongs; without a question it is what submits the test. Undefined: it is of another kind. */
export const placeIn = (key: string): { readonly testId: string; readonly questionId?: string } | undefined => {
  const [kind, testId, questionId] = key.split(' ');
  if (!testId) return undefined;
  if (kind === 'own') return questionId ? { testId, questionId } : undefined;
  return kind === 'submit' ? { testId } : undefined;
};

/** The drafts of a test's questions. */
const keysOf = (drafts: Readonly<Record<string, OwnMarkDraft>>, testId: string): readonly string[] =>
  Object.keys(drafts).filter((key) => {
    const place = placeIn(key);
    return place?.testId === testId && place.questionId !== undefined;
  });

/** What is sent of these drafts of a test: they are submitted once nothing else of it waits. */
export const ownMarksInputOf = (testId: string, drafts: Readonly<Record<string, OwnMarkDraft>>): OwnMarksInput => {
  const submitted = drafts[submitKey(testId)]?.value;
  if (isSubmitted(submitted)) return { kind: 'submit', input: { testId, marks: submitted } };
  const marks = Object.entries(drafts).flatMap(([key, { value }]) => {
    const questionId = placeIn(key)?.questionId;
    return questionId === undefined || isSubmitted(value) ? [] : [{ questionId, mark: value }];
  });
  return { kind: 'save', input: { testId, marks } };
};

/** Marks go before they are submitted: a save that arrived later would be refused. */
export const maySend = ({ drafts, batches }: Pick<SeenOwnMarkDrafts, 'drafts' | 'batches'>, key: string): boolean => {
  const place = placeIn(key);
  if (!place || place.questionId !== undefined) return place !== undefined;
  const isOnItsWay = Object.values(batches).some(({ uncertain, input }) => !uncertain && input.input.testId === place.testId);
  return !isOnItsWay && keysOf(drafts, place.testId).length === 0;
};

const isSubmitted = (value: OwnMarkValue | undefined): value is SubmitFeedback['marks'] => Array.isArray(value);

/**
 * What waits for questions that are not on the paper any more. It is kept, as they may come back, until the paper is submitted: nothing asks
 * for it then, and it would hold up the submission.
 */
export const ofGoneQuestions = (
  testId: string,
  submitted: SubmitFeedback['marks'],
  { drafts }: Pick<SeenOwnMarkDrafts, 'drafts'>,
): readonly string[] => {
  const submittedKeys = new Set(submitted.map(({ questionId }) => ownKey(testId, questionId)));
  return keysOf(drafts, testId).filter((key) => !submittedKeys.has(key));
};

/** A question with what its student has entered, stored or not. */
export type Entered = Pick<SubmissionPage['questions'][number], 'questionId' | 'number' | 'topic' | 'max' | 'mark'>;

/** What the page shows: what is typed counts before what is stored, and what was submitted before both. */
export const enteredIn = (
  { testId, questions }: Pick<SubmissionPage, 'testId' | 'questions'>,
  { drafts }: Pick<SeenOwnMarkDrafts, 'drafts'>,
): readonly Entered[] => {
  const submitted = drafts[submitKey(testId)]?.value;
  const sent = isSubmitted(submitted) ? new Map(submitted.map(({ questionId, mark }) => [questionId, mark])) : undefined;
  return questions.map(({ questionId, number, topic, max, mark }) => {
    const typed = drafts[ownKey(testId, questionId)]?.value;
    const now = typed === undefined || isSubmitted(typed) ? mark : typed;
    return { questionId, number, topic, max, mark: sent?.get(questionId) ?? now };
  });
};

/** The drafts that a refusal names, by their questions' paths. */
export const wrongIn = ({ testId, marks }: SaveFeedback, reasons: Readonly<Record<string, string>>): Readonly<Record<string, Trouble>> =>
  Object.fromEntries(
    marks.flatMap(({ questionId }) => {
      const reason = reasons[`marks.${questionId}`];
      return reason === undefined ? [] : [[ownKey(testId, questionId), { kind: 'refused' as const, reason }] as const];
    }),
  );

/** A page once these marks are stored. */
export const withMarks = (page: SubmissionPage, { marks }: SaveFeedback): SubmissionPage => {
  const stored = new Map(marks.map(({ questionId, mark }) => [questionId, mark]));
  const questions = page.questions.map((one) => ({
    ...one,
    mark: stored.has(one.questionId) ? (stored.get(one.questionId) ?? null) : one.mark,
  }));
  return { ...page, questions };
};

export const totalOf = (entered: readonly Pick<Entered, 'mark'>[]): number => entered.reduce((sum, { mark }) => sum + (mark ?? 0), 0);

/** What is wrong with a text; undefined: nothing. Nothing typed is no mark yet. */
export const wrongMark = (text: string, max: number): string | undefined => {
  const typed = text.trim();
  if (typed === '') return undefined;
  if (!/^\d+$/u.test(typed)) return messages.manualNotInteger;
  return Number(typed) > max ? messages.manualAbove(max) : undefined;
};

/** What a text is, once nothing is wrong with it. */
export const markIn = (text: string): number | null => (text.trim() === '' ? null : Number(text.trim()));

/** The buttons of a question. One mark more only while below the maximum, one less only while above 0; nothing entered counts as 0. */
export const markSteps = {
  min: () => 0,
  minus: (mark: number | null): number | null => (mark !== null && mark > 0 ? mark - 1 : mark),
  plus: (mark: number | null, max: number): number | null => ((mark ?? 0) < max ? (mark ?? 0) + 1 : mark),
  max: (_mark: number | null, max: number) => max,
} as const satisfies Readonly<Record<string, (mark: number | null, max: number) => number | null>>;
export type MarkStep = keyof typeof markSteps;

/** What of a test waits on this device. */
export type WaitingTest = {
  readonly testId: string;
  /** Marks that are typed and not stored. */
  readonly marks: number;
  /** They are submitted, and the server has not confirmed it. */
  readonly isSubmitted: boolean;
  readonly keys: readonly string[];
  /** Why the server did not take it; undefined: it is sent automatically. */
  readonly reason: string | undefined;
};

export const waitingTests = ({ drafts, troubles }: Pick<SeenOwnMarkDrafts, 'drafts' | 'troubles'>): readonly WaitingTest[] => {
  const tests = new Set(Object.keys(drafts).flatMap((key) => placeIn(key)?.testId ?? []));
  return [...tests].map((testId) => {
    const marks = keysOf(drafts, testId);
    const isSent = Object.hasOwn(drafts, submitKey(testId));
    const keys = isSent ? [...marks, submitKey(testId)] : marks;
    return {
      testId,
      marks: marks.length,
      isSubmitted: isSent,
      keys,
      reason: keys.map((key) => troubles[key]?.reason).find((one) => one !== undefined),
    };
  });
};
