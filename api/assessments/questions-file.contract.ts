import { MAX_MARK, MAX_QUESTIONS, MAX_TOPIC } from '../contract/limits.ts';
import { blame, markOf, tooLong } from '../contract/csv/checks.ts';
import type { ChosenFile, CsvRefusal } from '../contract/csv/file.ts';
import { fileMessages, refused } from '../contract/csv/file.ts';
import { among, readTable } from '../contract/csv/table.ts';

export const questionColumns = ['Question No', 'Topic', 'Max Mark'];

export type QuestionRow = { readonly line: number; readonly number: number; readonly topic: string; readonly max: number };

const questionMessages = {
  notSequential: 'Questions are not numbered sequentially. Please check your upload file.',
  wrongMaximum: 'Max mark needs to be an integer greater than 0. Please check your upload file.',
  aboveMost: `Max mark must not be greater than ${MAX_MARK}. Please check your upload file.`,
  tooMany: `An assessment has ${MAX_QUESTIONS} questions at most.`,
} as const;

/** A question upload: the columns Question No, Topic and Max Mark, numbered from 1 without a gap. */
export const parseQuestions = (file: ChosenFile): { readonly ok: true; readonly rows: readonly QuestionRow[] } | CsvRefusal => {
  const table = readTable(file, among(questionColumns), fileMessages.wrongFormat);
  if (!table.ok) return table;
  const { lines } = table;
  const wrong =
    blame(questionMessages.notSequential, lines, questionColumns, (text, column, row) => column === 0 && wholeOf(text) !== row + 1) ??
    blame(fileMessages.wrongFormat, lines, questionColumns, (text, column) => column === 1 && text === '') ??
    blame(questionMessages.wrongMaximum, lines, questionColumns, (text, column) => column === 2 && wholeOf(text) === undefined) ??
    blame(questionMessages.aboveMost, lines, questionColumns, (text, column) => column === 2 && (wholeOf(text) ?? 0) > MAX_MARK) ??
    tooLong(lines, questionColumns, { Topic: MAX_TOPIC }, fileMessages.wrongFormat) ??
    (lines.length > MAX_QUESTIONS ? refused(questionMessages.tooMany, `The file has ${lines.length}.`) : undefined);
  if (wrong) return wrong;
  const rows = lines.map(({ line, cells: [number = '', topic = '', max = ''] }) => ({
    line,
    number: wholeOf(number) ?? 0,
    topic,
    max: wholeOf(max) ?? 0,
  }));
  return { ok: true, rows };
};

/** An integer from 1. */
const wholeOf = (text: string): number | undefined => {
  const whole = markOf(text) ?? 0;
  return whole > 0 ? whole : undefined;
};
