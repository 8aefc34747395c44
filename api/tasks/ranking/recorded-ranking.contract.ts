/** Rows of a ranking that somebody's own program made and sends through the documented calls. */
import { z } from 'zod';
import { nothing } from '../../contract/answer.ts';
import { id, line, ruled } from '../../contract/fields.ts';
import { NOT_WHOLE, REQUIRED, VISIBLE, wrongCount } from '../../contract/rules.ts';
import { MAX_COMMENT, MAX_SCORE, SCORE_ABOVE_ZERO, SCORE_TOO_HIGH, wrongScore } from '../task-fields.contract.ts';

const rank = ruled(z.number(NOT_WHOLE), wrongCount).pipe(z.int().max(100_000));
/** What is left out stays as it was sent before. */
const row = z.strictObject({
  studentId: id,
  setId: id.optional().describe('The class of the student in the task: refused if it is another.'),
  testIds: z.array(id).max(100).optional(),
  ranking: rank.nullable().optional(),
  score: z
    .number({ error: ({ input }) => wrongScore(typeof input === 'number' ? input : Number.NaN) })
    .positive(SCORE_ABOVE_ZERO)
    .max(MAX_SCORE, SCORE_TOO_HIGH)
    .nullable()
    .optional(),
  grade: line.min(1, REQUIRED).max(20).regex(VISIBLE, REQUIRED).nullable().optional(),
  teacherRank: rank.nullable().optional(),
  flag: z.boolean().optional(),
  comment: line.max(MAX_COMMENT).optional(),
});
const aboutTask = z.strictObject({ taskId: id });

export const recordedCommands = {
  /** They move no class of the task. After the step by which they would count, the leader decides by hand with them, and the teacher checks again. */
  RecordRanking: { input: aboutTask.extend({ rows: z.array(row).min(1).max(2_000) }), result: nothing },
  AdoptRanking: {
    input: aboutTask,
    result: z.object({ rankingId: id.nullable().describe('null: nothing has changed, the ranking is the one that stands.') }),
  },
  AssignRecordedGrades: { input: aboutTask, result: z.object({ gradesId: id }) },
};
