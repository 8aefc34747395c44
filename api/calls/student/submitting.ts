import { z } from 'zod';
import { studentOf } from '../../common/of-student.ts';
import { invalidInput, ProblemError } from '../../common/problems.ts';
import { id } from '../../contract/fields.ts';
import { MAX_QUESTIONS } from '../../contract/limits.ts';
import { call } from '../call.ts';
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

/** The one assessment that the questions are of, as far as students see it. @throws ProblemError `not-found`, `invalid-input` */
const testOf = async (caller: Caller, questionIds: readonly string[]): Promise<string> => {
  const found = await caller.sql((query) =>
    query<{ testId: string }>(
      `select q.test_id as "testId" from questions q join tests t on t.school_id = $1 and t.test_id = q.test_id and t.visible
        where q.school_id = $1 and q.question_id = any($2::uuid[]) and not q.hidden`,
      [questionIds],
    ),
  );
  const [first] = found;
  if (!first || found.length < questionIds.length) throw new ProblemError('not-found', 'There is no such question.');
  if (found.some(({ testId }) => testId !== first.testId)) throw invalidInput('0.unique.QuestionID', 'Send one assessment at a time.');
  return first.testId;
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
      if (sent.some(({ unique }) => unique.StudentID !== studentId)) throw new ProblemError('not-found', 'There is no such student.');
      const testId = await testOf(
        caller,
        sent.map(({ unique }) => unique.QuestionID),
      );
      const { state, mayReopen, questions } = await caller.query('submission', { testId });
      const marks = sent.map(({ unique, values }) => ({ questionId: unique.QuestionID, mark: values.MarkAwarded }));
      const ids = marks.map(({ questionId }, place) => [place, resultId(questionId, studentId)] as const);
      const stands = new Map(questions.map(({ questionId, mark }) => [questionId, mark]));
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
