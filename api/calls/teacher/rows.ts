import { z } from 'zod';
import { allStudents } from '../../analysis/all-students.facts.ts';
import { papersOf } from '../../analysis/papers.facts.ts';
import type { Answer } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';
import type { Caller } from '../caller.ts';
import type { Question } from '../question.ts';
import { question, questionOf } from '../question.ts';

/** Parameters, as the documents spell them. */
export const bySet = z.strictObject({ SetID: id });
export const bySetAndTest = z.strictObject({ SetID: id, TestID: id });

/** Rows, by their documented names. */
export const forgotten = z.string().nullable().describe('null: forgotten.');
export const classRow = z.object({ SetId: id, SetName: z.string(), YeargroupID: id });

export const averageRow = z.object({
  ...question,
  AvResult: z.number().describe('The mean mark of those who sat it; a question that one of them left out counts 0.'),
  Ratio: z.number().describe('AvResult of the marks available, 0 to 1.'),
});

export const averageOf = (paperQuestion: Question, sum: number, n: number): Answer<typeof averageRow> => ({
  ...questionOf(paperQuestion),
  AvResult: sum / n,
  Ratio: sum / n / paperQuestion.max,
});

/** The questions of an assessment that somebody has a mark for, with the mean of everybody of the subject who sat it. */
export const averagesOfAll = (caller: Caller, testId: string): Promise<Answer<typeof averageRow>[]> =>
  caller.sql(async (query) => {
    const [all, papers] = [await allStudents(query, [testId]), await papersOf(query, [testId])];
    const ofTest = all.get(testId);
    return (papers.get(testId)?.questions ?? []).flatMap((paperQuestion) => {
      const sums = ofTest?.questions.get(paperQuestion.questionId);
      return ofTest && sums ? [averageOf(paperQuestion, sums.sum, ofTest.totals.n)] : [];
    });
  });
