/** Requests and responses about prior data: what students have achieved in a terminal exam. */
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { instant, leftOut, namedStudent } from '../contract/answer.ts';
import { admissionNoInFile, fileName, id, line, ruled } from '../contract/fields.ts';
import { MAX_LABEL, MAX_UPLOAD_ROWS } from '../contract/limits.ts';
import { doubts } from '../students/plausible.contract.ts';
import { ENOUGH_PRIOR, wrongPriorScore, wrongYearCompleted } from './prior-score.contract.ts';

/** Kept as typed, without the spaces around it. */
const score = ruled(
  line.overwrite((text) => text.trim()),
  wrongPriorScore,
);
const yearCompleted = ruled(z.int(), (year) => wrongYearCompleted(year));
const exam = { subjectId: id, terminalExamId: id };
/** The score that the author saw there, null: none. Refused if another one counts now. Left out: there is no such check. */
const was = z.string().max(20).nullable().optional();

/** Only students with a grade. */
export const priorFile = z.strictObject({
  ...exam,
  yearCompleted,
  rows: z
    .array(z.strictObject({ admissionNo: admissionNoInFile, name: z.string().max(MAX_LABEL), score, was }))
    .min(1)
    .max(MAX_UPLOAD_ROWS),
});
export const uploadPriorScores = priorFile.extend({ fileName });
export type PriorFile = z.infer<typeof priorFile>;

export const enterPriorScores = z.strictObject({
  ...exam,
  yearCompleted,
  scores: z
    .array(z.strictObject({ studentId: id, score, was }))
    .min(1)
    .max(MAX_UPLOAD_ROWS),
});

/** Takes back, or brings back, all scores of an upload or entry. */
export const turnPriorScores = z.strictObject({ ...exam, commandId: id });
/** `ask`: of many scores, or of some that a ranking rests on, it is asked first whether they are to be taken back. */
export const undoPriorScores = turnPriorScores.extend({ ask: z.boolean().default(false) });

const unmatched = z.array(z.object({ admissionNo: z.string(), name: z.string() }));
const stored = z.object({
  commandId: id,
  stored: z.int().describe('Number of scores that were stored.'),
  unchanged: z
    .int()
    .describe('Number of scores that were not, because the same author has said the same before and all of it still counts.'),
  unmatched: unmatched.describe('Students of the file who cannot be found.'),
  leftOut: leftOut('unmatched'),
});
export type PriorStored = Answer<typeof stored>;

const scoreThere = z.object({ score: z.string(), yearCompleted: z.int() });

const change = z
  .enum(['new', 'equal', 'replaced', 'earlier'])
  .describe('earlier: the student has a score of a later year, which goes on counting; this one is kept as history.');
export type PriorChange = z.infer<typeof change>;
const preview = z.object({
  students: z.array(
    z.object({
      studentId: id,
      admissionNo: z.string(),
      name: z.string(),
      setName: z.string(),
      score: z.string(),
      now: scoreThere.nullable().describe('The score that counts now.'),
      change,
    }),
  ),
  unmatched,
  counts: z.object({ new: z.int(), equal: z.int(), replaced: z.int(), earlier: z.int() }),
  mixed: z
    .object({ letters: z.int(), numbers: z.int() })
    .exactOptional()
    .describe('How many scores of either kind would count in the exam then. Left out: all are letters, or all numbers.'),
  doubts,
});
export type PriorPreview = Answer<typeof preview>;

const summary = z.object({
  yearGroupId: id,
  year: z.int(),
  students: z.int().describe('Students on roll in the year group.'),
  exams: z.array(
    z.object({
      terminalExamId: id,
      name: z.string(),
      yearSat: z.int(),
      scores: z.int().describe('Students on roll who have a score.'),
      ratio: z.number().describe('scores / students'),
      enough: z.boolean().describe(`At least ${ENOUGH_PRIOR} % of the year group have a score.`),
      type: z
        .enum(['letter', 'number', 'mixed'])
        .nullable()
        .describe('mixed: letters and numbers, by which nobody can be ranked. null: no score yet'),
    }),
  ),
});
export type PriorSummary = Answer<typeof summary>;

const scores = z.object({
  terminalExamId: id,
  name: z.string(),
  students: z.array(
    z.object({
      ...namedStudent,
      setId: id,
      setName: z.string(),
      now: scoreThere.nullable(),
      earlier: z.array(scoreThere).describe('Scores of earlier years, which no longer count, the newest first.'),
    }),
  ),
});
export type PriorScores = Answer<typeof scores>;

const uploads = z.object({
  uploads: z.array(
    z.object({
      commandId: id,
      kind: z.enum(['file', 'hand']),
      fileName: z.string().nullable().describe('null: entered by hand, or the person who uploaded it was forgotten'),
      yearCompleted: z.int(),
      scores: z.int(),
      at: instant,
      by: z.string().nullable(),
      undone: z.boolean(),
    }),
  ),
});
export type PriorUploads = Answer<typeof uploads>;

const turned = z.object({ undone: z.boolean() });

export const priorCommands = {
  UploadPriorScores: { input: uploadPriorScores, result: stored },
  EnterPriorScores: { input: enterPriorScores, result: stored },
  UndoPriorScores: { input: undoPriorScores, result: turned },
  RedoPriorScores: { input: turnPriorScores, result: turned },
};

export const priorQueries = {
  /** Each terminal exam of the subject: how many of a year group have a score, and of which type. */
  'prior-summary': { input: z.object({ subjectId: id, yearGroupId: id }), answer: summary },
  'prior-scores': { input: z.object({ ...exam, yearGroupId: id }), answer: scores },
  /** The newest 100 uploads and entries. */
  'prior-uploads': { input: z.object(exam), answer: uploads },
  'preview-prior': { input: priorFile, answer: preview },
};
