/** Marks that students enter for themselves: saving, confirming and reopening; the student's page, and who has done it. */
import { ATTENDANCES, AWAYS } from '../../contract/attendance.ts';
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { instant, namedStudent, nothing } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';
import { MAX_MARK, MAX_QUESTIONS } from '../../contract/limits.ts';
import { markFlag, totalFlag } from '../../contract/total-flag.ts';

const flags = z.array(totalFlag).exactOptional().describe('What is open about that total. Left out: nothing.');
const mark = z.int().min(0).max(MAX_MARK);
const ownMarks = z.array(z.strictObject({ questionId: id, mark })).max(MAX_QUESTIONS);
const changedMarks = z.array(z.strictObject({ questionId: id, mark: mark.nullable() })).max(MAX_QUESTIONS);

/**
 * Keeps what the student has entered: what has changed since, so that what they enter on another device stays. A mark of null: it is empty
 * again.
 */
export const saveFeedback = z.strictObject({ testId: id, marks: changedMarks });
/** Confirms a mark for every question, once. */
export const submitFeedback = z.strictObject({ testId: id, marks: ownMarks.min(1) });
/** `studentId`: whose, for staff; a student, who reopens only their own, leaves it out. */
export const reopenFeedback = z.strictObject({ testId: id, studentId: id.optional() });
export type SaveFeedback = z.infer<typeof saveFeedback>;
export type SubmitFeedback = z.infer<typeof submitFeedback>;
export type ReopenFeedback = z.infer<typeof reopenFeedback>;

const state = z.enum(['none', 'saved', 'confirmed', 'reopened']);
const submitted = z.object({ total: z.int().describe('Of the marks that the student has confirmed.') });
export type Submitted = Answer<typeof submitted>;

export const submissionCommands = {
  SaveFeedback: { input: saveFeedback, result: nothing },
  SubmitFeedback: { input: submitFeedback, result: submitted },
  ReopenFeedback: { input: reopenFeedback, result: submitted },
};

/** Why a student may not enter marks now. */
const closedBy = z.enum(['submitted', 'staff', ...AWAYS]);
export type ClosedBy = z.infer<typeof closedBy>;

const addedSince = z
  .int()
  .describe(
    'Of a student who has confirmed: the questions that have no mark since, because they were added after that. They are asked again.',
  );

const submission = z
  .object({
    testId: id,
    name: z.string(),
    subjectId: id,
    max: z.int().nullable().describe('null: no questions yet'),
    questions: z.array(
      z.object({
        questionId: id,
        number: z.int(),
        topic: z.string(),
        max: z.int(),
        mark: z.int().nullable().describe('What the student has entered; null: nothing yet.'),
        staff: z.int().nullable().describe('What staff have entered.'),
        flags: z.array(markFlag).exactOptional().describe('What is open about that. Left out: nothing.'),
      }),
    ),
    state,
    total: z.int().describe('Of the marks that the student has entered.'),
    confirmedTotal: z.int().nullable().describe('Of the marks confirmed last; null: never confirmed.'),
    staffTotal: z.int().nullable().describe("The teacher's total; null: none yet."),
    flags,
    message: z.string().nullable().describe('The mismatch alert, or what the student is waiting for; null: nothing to say.'),
    mismatch: z.boolean().describe("What was confirmed last has another total than the teacher's."),
    open: z.boolean().describe('The student may enter and confirm marks now.'),
    closedBy: closedBy.nullable(),
    addedSince,
    aboveMaximum: z.int().describe('The confirmed marks that count and are above the maximum that their question has now.'),
    mayReopen: z.boolean().describe('The student may open it again, because the totals differ or a question was added since.'),
  })
  .describe("An assessment as the student's page of own marks shows it.");
export type SubmissionPage = Answer<typeof submission>;

const toSubmit = z.object({
  tests: z
    .array(
      z.object({
        testId: id,
        name: z.string(),
        subjectId: id,
        subject: z.string(),
        state,
        staffTotal: z.int().nullable(),
        flags,
        confirmedTotal: z.int().nullable().describe('Of the marks confirmed last; null: never confirmed.'),
        mismatch: z.boolean().describe("What was confirmed last has another total than the teacher's: until it is settled."),
        addedSince,
      }),
    )
    .describe(
      'Visible assessments of the own classes, with questions, for which marks can be confirmed now, or once they are opened again because a question was added or the totals differ.',
    ),
});
export type ToSubmit = Answer<typeof toSubmit>;

const group = z.enum(['incomplete', 'student', 'staff']);
const tracker = z
  .object({
    testId: id,
    name: z.string(),
    setId: id,
    visible: z.boolean().describe('Students can submit.'),
    questions: z.int(),
    mayWrite: z.boolean().describe('May reopen.'),
    counts: z.object({ incomplete: z.int(), student: z.int(), staff: z.int() }),
    students: z.array(
      z.object({
        ...namedStudent,
        group: group.describe(
          '`staff`: staff have marked every question; `student`: the student has submitted all of them; else incomplete.',
        ),
        attendance: z.enum(ATTENDANCES).describe('Who was absent or exempt is in no group’s count.'),
        state,
        at: instant.nullable().describe('When the student submitted or was reopened.'),
        staffMarks: z.int(),
        total: z.int().nullable().describe('What the student confirmed last.'),
        staffTotal: z.int().nullable(),
        flags,
        mismatch: z.boolean(),
        addedSince,
        aboveMaximum: z.int().describe('The marks of the student that count and are above the maximum that their question has now.'),
      }),
    ),
  })
  .describe('Who of a class has submitted marks for an assessment.');
export type Tracker = Answer<typeof tracker>;

export const submissionQueries = {
  submission: { input: z.object({ testId: id }), answer: submission },
  'to-submit': { input: z.object({}), answer: toSubmit },
  tracker: { input: z.object({ testId: id, setId: id }), answer: tracker },
};
