import { z } from 'zod';
import { id } from '../contract/fields.ts';

/** The columns of a question, as they are read. */
export const question = { QuestionID: id, QuestionNumber: z.int(), TestTopic: z.string(), MarksAvailable: z.int() };

export type Question = { readonly questionId: string; readonly number: number; readonly topic: string; readonly max: number };
export const questionOf = ({ questionId, number, topic, max }: Question) => ({
  QuestionID: questionId,
  QuestionNumber: number,
  TestTopic: topic,
  MarksAvailable: max,
});
