/** What students are told about their own marks. Without schemas, so that pages can show it. */
import type { ClosedBy } from './submissions.contract.ts';

/** Also a reason of a refusal. */
export const closedText: Readonly<Record<ClosedBy, string>> = {
  submitted: 'You have submitted your marks already.',
  staff: 'Your teacher has entered the marks of every question.',
  absent: 'You are marked as absent for this assessment.',
  exempt: 'You are marked as exempt from this assessment.',
};
/** Where the student's total differs from that of staff; what is said until staff have entered one. */
export const MISMATCH = '*This submitted feedback does not match the total your teacher uploaded';
export const WAITING = "Submitted: waiting for your teacher's total";
/** Of questions that came onto the paper, or back, after the student had confirmed. */
export const addedSince = (questions: number): string =>
  questions === 1
    ? '1 question has no mark from you: it was added after you submitted.'
    : `${questions} questions have no mark from you: they were added after you submitted.`;
/** Of confirmed marks that count, and are above the maximum that was lowered since. */
export const aboveMaximum = (marks: number): string =>
  marks === 1
    ? '1 of your marks is above the maximum that its question has now.'
    : `${marks} of your marks are above the maximum that their questions have now.`;
/** For a mark that is missing when all are confirmed. */
export const INCOMPLETE = 'Enter a mark for every question.';
