import { z } from 'zod';
import type { Answer } from './answer.ts';
import { changedQuestion } from './questions.ts';
import { flaggedTotal } from './total-flag.ts';

export const problemStatus = {
  'invalid-moment': 400,
  /** A documented call knows no parameter, table, column or key of this name. */
  'not-listed': 400,
  'invalid-input': 422,
  'key-reused': 422,
  'above-maximum': 422,
  'not-authenticated': 401,
  'login-failed': 401,
  /** A code of an authenticator, or a recovery code. */
  'wrong-code': 401,
  forbidden: 403,
  'not-your-set': 403,
  'not-found': 404,
  'unknown-command': 404,
  'unknown-query': 404,
  'not-allowed': 405,
  refused: 409,
  /** Nothing was changed: send it again with answers to `asks`. */
  'answers-needed': 409,
  conflict: 409,
  'precondition-failed': 412,
  /** Its body did not arrive in time: nothing was changed, and the connection is closed. */
  'too-large': 413,
  'unsupported-media-type': 415,
  'cross-site': 403,
  'rate-limited': 429,
  /** An account saves faster than its saves can be shown, and has not waited for the answers; or sends more than anybody does in a minute: nothing was changed. */
  'too-fast': 429,
  /** A mailed link that was used, superseded, has expired or never existed. */
  'link-dead': 410,
  'wrong-password': 422,
  locked: 403,
  'view-only': 403,
  'joined-already': 409,
  'store-unavailable': 503,
  'read-model-behind': 503,
  'as-of-busy': 503,
  /** Too many passwords are waiting to be checked, too many queries to be answered, or too much is being sent. */
  busy: 503,
  starting: 503,
  'internal-error': 500,
} as const;

export type ProblemCode = keyof typeof problemStatus;

const inputError = z.object({ path: z.string(), message: z.string() });
export type InputError = Answer<typeof inputError>;

const isCode = (text: string): text is ProblemCode => Object.hasOwn(problemStatus, text);

/** The response to every refused request: RFC 9457 problem details, `application/problem+json`. */
export const problem = z
  .object({
    type: z.literal('about:blank'),
    title: z.string().describe('What happened, for people'),
    status: z.int().meta({ enum: [...new Set(Object.values(problemStatus))].toSorted((one, other) => one - other) }),
    code: z.enum(Object.keys(problemStatus).filter(isCode)).describe('Stable, for programs'),
    detail: z.string().exactOptional().describe('What to do, if the title does not say it.'),
    errors: z
      .array(inputError)
      .exactOptional()
      .describe('For invalid input: where (JSON path with dots) and why, as a sentence for people.'),
    stored: z
      .array(z.string())
      .exactOptional()
      .describe('Of a documented call with several rows: the ids of those that had been stored before one was refused.'),
    asks: z
      .object({
        questions: z
          .array(changedQuestion)
          .exactOptional()
          .describe('UploadQuestions: `answers` with a question for each of these numbers.'),
        marks: z.int().exactOptional().describe('UndoCommand: `ask`. The number of marks that would be taken back.'),
        scores: z.int().exactOptional().describe('UndoPriorScores: `ask`. The number of scores that would be taken back.'),
        rankings: z
          .int()
          .exactOptional()
          .describe('UndoCommand, UndoPriorScores: `ask`. How many rankings would be of other totals, or scores, than those of now.'),
        stays: z
          .array(z.string())
          .exactOptional()
          .describe('UndoAct: `partly`. What would stay as it is, and how many students would leave, a sentence each.'),
        aboveMaximum: z.int().exactOptional().describe("RedoCommand: `anyway`. The number of marks that would be above today's maximum."),
        flaggedTotals: z
          .array(flaggedTotal)
          .exactOptional()
          .describe('RankTask: `flaggedTotals`; CompleteTask: `contested`. What is open about totals, and the request does not name.'),
      })
      .exactOptional()
      .describe('With answers-needed: what the command must be told when it is sent again'),
  })
  .describe('RFC 9457');
export type Problem = Answer<typeof problem>;

/** The same in the dialect of ra-data-simple-rest, which passes it to a form. */
export const recordProblem = problem.extend({
  message: z.string(),
  errors: z.record(z.string(), z.string()).exactOptional().describe('By field'),
});
