import type { OwnMarks, Submission } from '../../../events/marks/submission.ts';
import { submission, submissionId } from '../../../events/marks/submission.ts';
import type { Actor } from '../../actor.ts';
import { mayWriteSet } from '../../actor.ts';
import type { Refused } from '../../common/command.ts';
import { command, refuse, refuseInput } from '../../common/command.ts';
import { messages } from '../../contract/limits.ts';
import type { SaveFeedback as Save, SubmitFeedback as Submit, Submitted } from './submissions.contract.ts';
import { submissionCommands } from './submissions.contract.ts';
import { closedText, INCOMPLETE } from './submission-words.contract.ts';
import type { SubmissionFacts } from './submission.facts.ts';
import { submissionFacts } from './submission.facts.ts';
import { closedFor, mayReopen } from './submission.rules.ts';

/** Keeps what a student has entered so far: a draft that follows them to another device. What they entered there meanwhile stays. */
export const SaveFeedback = command({
  ...submissionCommands.SaveFeedback,
  aggregate: submission,
  streamId: ({ testId }, { actor }) => submissionId(testId, actor.studentId ?? ''),
  facts: submissionFacts,
  decide(input, state, facts) {
    const open = openAssessment(state, facts);
    if ('code' in open) return open;
    const marks = checked(input, open);
    if ('code' in marks) return marks;
    const ownMarks = laidOver(state, input.marks, open);
    if (input.marks.length === 0 || (state.status !== 'none' && isSame(state.marks, ownMarks))) return [];
    return [{ type: 'SubmissionSaved', data: { subjectId: open.subjectId, ownMarks } }];
  },
  touches: (_input, facts) => ({ subjectId: facts?.subjectId ?? '', setIds: [] }),
  answer: () => ({}),
});

/** Confirms a student's own marks. They count where staff have entered nothing. */
export const SubmitFeedback = command({
  ...submissionCommands.SubmitFeedback,
  aggregate: submission,
  streamId: ({ testId }, { actor }) => submissionId(testId, actor.studentId ?? ''),
  facts: submissionFacts,
  decide(input, state, facts) {
    // Sent once more from a device that did not hear the answer.
    if (facts?.shown === true && state.status === 'confirmed' && isSame(state.confirmed, input.marks)) return [];
    const open = openAssessment(state, facts);
    if ('code' in open) return open;
    const marks = checked(input, open);
    if ('code' in marks) return marks;
    const missing = open.questions.filter(({ questionId }) => !marks.some((one) => one.questionId === questionId));
    if (missing.length > 0) {
      return refuse(
        'invalid-input',
        INCOMPLETE,
        missing.map(({ questionId, number }) => ({ path: `marks.${questionId}`, message: `Question ${number} has no mark.` })),
      );
    }
    return [{ type: 'SubmissionConfirmed', data: { subjectId: open.subjectId, ownMarks: marks } }];
  },
  touches: (_input, facts) => ({ subjectId: facts?.subjectId ?? '', setIds: [] }),
  answer: (input) => totalOf(input),
});

/** Lets a student confirm once more: by their own wish while the totals differ or a question was added since, or by that of staff. */
export const ReopenFeedback = command({
  ...submissionCommands.ReopenFeedback,
  aggregate: submission,
  streamId: ({ testId, studentId }, { actor }) => submissionId(testId, studentId ?? actor.studentId ?? ''),
  facts: submissionFacts,
  decide({ studentId }, state, facts, { actor }) {
    const refused = actor.role === 'student' ? refusedStudent(studentId, facts) : refusedStaff(studentId, facts, actor);
    if (refused || !facts) return refused ?? NOT_FOUND;
    if (state.status !== 'confirmed') return [];
    const closed = closedFor({ ...facts, questions: facts.questions.length }, 'reopened');
    if (closed) return refuse('refused', actor.role === 'student' ? closedText[closed] : NOTHING_TO_ENTER[closed]);
    if (actor.role === 'student' && !mayReopen(facts)) return refuse('refused', MATCHES);
    return [{ type: 'SubmissionReopened', data: { subjectId: facts.subjectId, total: facts.confirmedTotal } }];
  },
  // A student's right is that it is their own assessment.
  touches: ({ studentId }, facts) => ({ subjectId: facts?.subjectId ?? '', setIds: facts && studentId !== undefined ? [facts.setId] : [] }),
  // Of a repeated command: they may have confirmed once more by then.
  answer: (_input, [reopened], facts) => ({
    total: (reopened?.type === 'SubmissionReopened' ? reopened.data.total : null) ?? facts?.confirmedTotal ?? 0,
  }),
});

/** Said alike of an assessment that is hidden, of another class, or nowhere. */
const NOT_FOUND = refuse('not-found', 'This assessment is not open to you: your teacher may have closed it.');
const MATCHES =
  "You can change your marks again if their total is not your teacher's, if a question was added, or if your teacher lets you.";
const NOTHING_TO_ENTER = {
  absent: 'This student is marked as absent.',
  exempt: 'This student is marked as exempt.',
  staff: 'Staff have entered the marks of every question.',
  submitted: '',
} as const;

const refusedStudent = (studentId: string | undefined, facts: SubmissionFacts): Refused | undefined => {
  if (studentId !== undefined) return refuse('forbidden', 'Students open their own marks only: leave out whose.');
  return facts?.shown === true ? undefined : NOT_FOUND;
};

const refusedStaff = (studentId: string | undefined, facts: SubmissionFacts, actor: Actor): Refused | undefined => {
  if (studentId === undefined) return refuseInput('studentId', 'Choose a student.');
  const mine = facts && (actor.role === 'admin' || actor.role === 'system' || actor.subjectIds.includes(facts.subjectId));
  if (!mine) return refuse('not-found', 'There is no such submission.');
  return mayWriteSet(actor, facts) ? undefined : refuse('not-your-set', 'You may not enter marks for this class.');
};

type Known = NonNullable<SubmissionFacts>;

/** The assessment, or why the student may not enter marks for it. One that is hidden is not there. */
const openAssessment = (state: Submission, facts: SubmissionFacts): Known | Refused => {
  if (facts?.shown !== true) return NOT_FOUND;
  const closed = closedFor({ ...facts, questions: facts.questions.length }, state.status);
  return closed ? refuse('refused', closedText[closed]) : facts;
};

type OwnMark = { readonly questionId: string; readonly mark: number; readonly max: number };
type Typed = Save['marks'][number];

/** The marks with the maximum of each, or what is wrong with them. */
const checked = <Mark extends Typed>({ marks }: { readonly marks: readonly Mark[] }, { questions }: Known): (Mark & OwnMax)[] | Refused => {
  const maxima = new Map(questions.map(({ questionId, max }) => [questionId, max]));
  const errors = marks.flatMap(({ questionId, mark }, index) => {
    const path = `marks.${questionId}`;
    const max = maxima.get(questionId);
    if (max === undefined) return [{ path, message: 'There is no such question in this assessment.' }];
    if (marks.findIndex((one) => one.questionId === questionId) < index) return [{ path, message: 'This question has two marks.' }];
    return mark !== null && mark > max ? [{ path, message: messages.manualAbove(max) }] : [];
  });
  const [first] = errors;
  if (first) return refuse('invalid-input', first.message, errors);
  return marks.map((one) => ({ ...one, max: maxima.get(one.questionId) ?? 0 }));
};
type OwnMax = Pick<OwnMark, 'max'>;

/**
 * What was entered so far, with the changes. What was entered for a question that is not on the paper now is kept: the question may come back.
 * So is a mark above a maximum that was lowered since: it waits for the student.
 */
const laidOver = ({ marks }: Submission, changes: readonly Typed[], { questions }: Known): OwnMark[] => {
  const now = new Map<string, number | null>([...marks, ...changes.map(({ questionId, mark }) => [questionId, mark] as const)]);
  const maxima = new Map(questions.map(({ questionId, max }) => [questionId, max]));
  const gone = [...marks.keys()].filter((questionId) => !maxima.has(questionId));
  return [...maxima.keys(), ...gone].flatMap((questionId) => {
    const mark = now.get(questionId) ?? null;
    return mark === null ? [] : [{ questionId, mark, max: Math.max(mark, maxima.get(questionId) ?? 1) }];
  });
};

const isSame = (before: OwnMarks, marks: Submit['marks']): boolean =>
  before.size === marks.length && marks.every(({ questionId, mark }) => before.get(questionId) === mark);

const totalOf = ({ marks }: Pick<Submit, 'marks'>): Submitted => ({ total: marks.reduce((sum, { mark }) => sum + mark, 0) });
