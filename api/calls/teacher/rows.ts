import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';
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

export const averageOf = (asked: Question, sum: number, n: number): Answer<typeof averageRow> => ({
  ...questionOf(asked),
  AvResult: sum / n,
  Ratio: sum / n / asked.max,
});
