import type { SubmissionPage, SubmitFeedback } from '#api/marks/submissions/submissions.contract';
import { useState } from 'react';
import { useOwnMarkDrafts, useOwnMarks } from './OwnMarksProvider.tsx';
import type { Entered, MarkStep } from './own-mark-drafts.ts';
import { enteredIn, markIn, ofGoneQuestions, ownKey, markSteps, submitKey, totalOf, waitingTests, wrongMark } from './own-mark-drafts.ts';

/** The marks of a test with what is typed into it: what each question shows, what is missing or wrong, and how it is changed. */
export const useMarksForm = (page: SubmissionPage) => {
  const { testId } = page;
  const { drafts } = useOwnMarks();
  const seen = useOwnMarkDrafts();
  /** Texts that are no mark: they do not wait on the device. */
  const [mistyped, setMistyped] = useState<Readonly<Record<string, string>>>({});
  /** The last change, for screen readers. */
  const [announcement, setAnnouncement] = useState<string>();
  const entered = enteredIn(page, seen).map((one) => (mistyped[one.questionId] === undefined ? one : { ...one, mark: null }));
  const textOf = ({ questionId, mark }: Entered): string => mistyped[questionId] ?? (mark === null ? '' : String(mark));
  const wrong = new Map(
    entered.flatMap((one) => {
      const reason = wrongMark(textOf(one), one.max);
      return reason === undefined ? [] : [[one.questionId, reason] as const];
    }),
  );
  const waiting = waitingTests(seen).find((one) => one.testId === testId);
  const statuses = (waiting?.keys ?? []).map((key) => seen.statusOf(key));

  const put = ({ questionId, number, max }: Entered, mark: number | null) => {
    // Whoever changes a mark after a refusal does not submit what they had before.
    drafts.discard([submitKey(testId)]);
    // Also where it is what the page shows: without a network that may be older than what is stored.
    drafts.type({ [ownKey(testId, questionId)]: { value: mark, saw: null } });
    setAnnouncement(`Question ${number}: ${mark ?? 'nothing'} of ${max}.`);
  };
  const spell = (questionId: string, text: string | undefined) =>
    setMistyped(({ [questionId]: _, ...others }) => (text === undefined ? others : { ...others, [questionId]: text }));

  const marks: SubmitFeedback['marks'] = entered.flatMap(({ questionId, mark }) => (mark === null ? [] : [{ questionId, mark }]));
  return {
    entered,
    textOf,
    wrong,
    total: totalOf(entered.filter(({ questionId }) => !wrong.has(questionId))),
    missing: entered.filter(({ questionId, mark }) => mark === null && !wrong.has(questionId)).length,
    announcement,
    /** They are submitted, and the server has not answered yet. */
    isSubmitted: waiting?.isSubmitted === true && waiting.reason === undefined,
    /** Why the server did not take what was entered. */
    reason: waiting?.reason,
    waiting: waiting?.marks ?? 0,
    isSaving: statuses.includes('saving'),
    isOffline: statuses.includes('offline'),
    isKept: seen.isKept,
    type: (question: Entered, text: string) => {
      const isWrong = wrongMark(text, question.max) !== undefined;
      spell(question.questionId, isWrong ? text : undefined);
      put(question, isWrong ? null : markIn(text));
    },
    step: (question: Entered, step: MarkStep) => {
      spell(question.questionId, undefined);
      put(question, markSteps[step](question.mark, question.max));
    },
    discard: () => drafts.discard(waiting?.keys ?? []),
    /** All of them, once none is missing or wrong. */
    marks: () => marks,
    /** Marks that wait for questions which the assessment no longer asks: they go when it is submitted. */
    gone: ofGoneQuestions(testId, marks, seen).filter((key) => seen.drafts[key]?.value !== null).length,
  };
};
