import { z } from 'zod';
import { studentOf } from '../../common/of-student.ts';
import { noSuch } from '../../common/about.ts';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { MAX_QUESTIONS } from '../../contract/limits.ts';
import { call } from '../call.ts';
import { rowsNamed } from '../admin/look-up.ts';
import type { Caller } from '../caller.ts';
import { resultId } from '../ids.ts';
import { nothingToDo, step, stepOfRows } from '../step.ts';

const row = z.strictObject({
  unique: z.strictObject({ QuestionID: id, StudentID: id }),
  values: z.strictObject({ MarkAwarded: z.int().min(0), EnteredStatus: z.literal(2).optional() }),
});
const rows = z
  .array(row)
  .min(1)
  .max(MAX_QUESTIONS)
  .refine((all) => new Set(all.map(({ unique }) => unique.QuestionID)).size === all.length, 'Each question once.');

/** The one assessment that the questions are of: a question of one that the student does not see is none. @throws ProblemError `not-found`, `invalid-input` */
const paperOf = async (caller: Caller, questionIds: readonly string[]) => {
  const found = await rowsNamed(caller, 'question', questionIds);
  const testIds = [...new Set(found.flatMap(({ of }) => of ?? []))];
  const papers = await Promise.all(testIds.map((testId) => caller.query('submission', { testId }))).catch((error: unknown) => {
    throw error instanceof ProblemError && error.problem.code === 'not-found' ? noSuch('question') : error;
  });
  const [paper, ...others] = papers;
  if (!paper || found.length < questionIds.length) throw noSuch('question');
  if (others.length > 0) throw invalidInput('0.unique.QuestionID', 'Send one assessment at a time.');
  return paper;
};

export const submitting = {
  'POST /student': call({
    purpose: 'Confirms the marks of a student in an assessment: one for every question.',
    takes: z.union([rows, z.strictObject({ table: z.literal('QuestionResults').optional(), data: rows })]),
    answers: z.object({ insertids: z.array(z.string()), lastid: z.string().nullable() }),
    behind: ['SubmitFeedback', 'ReopenFeedback'],
    differs:
      'A student sends their own marks, and all of an assessment at once. What is confirmed is changed only while the totals differ, or a question was added: then it is opened again.',
    async adapt(caller, { takes }) {
      const sent = Array.isArray(takes) ? takes : takes.data;
      const studentId = studentOf(caller.actor);
      if (sent.some(({ unique }) => unique.StudentID !== studentId)) throw noSuch('student');
      const { testId, state, mayReopen, questions } = await paperOf(
        caller,
        sent.map(({ unique }) => unique.QuestionID),
      );
      const marks = sent.map(({ unique, values }) => ({ questionId: unique.QuestionID, mark: values.MarkAwarded }));
      const ids = marks.map(({ questionId }, place) => [place, resultId(questionId, studentId)] as const);
      const stands = new Map(questions.map(({ questionId, mark }) => [questionId, mark]));
      if (marks.some(({ questionId }) => !stands.has(questionId))) throw noSuch('question');
      const isSame =
        state === 'confirmed' && marks.length === questions.length && marks.every((one) => stands.get(one.questionId) === one.mark);
      const { ids: insertids } = await caller.write(
        isSame
          ? [nothingToDo(ids)]
          : [
              ...(state === 'confirmed' && mayReopen ? [step(0, 'ReopenFeedback', { testId }, ids[0]?.[1] ?? '')] : []),
              stepOfRows(ids, 'SubmitFeedback', { testId, marks }),
            ],
        ['results'],
      );
      return { insertids: [...insertids], lastid: insertids.at(-1) ?? null };
    },
  }),
};
