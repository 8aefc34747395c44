import type { Question } from '../../events/assessment.ts';
import type { Rows } from '../engine/projection.ts';
import type { Row } from '../engine/tables/table.ts';
import type { markbook, OwnMarks, papers, results, submissions } from './tables.ts';

type Known = Rows<{
  results: typeof results;
  markbook: typeof markbook;
  papers: typeof papers;
  submissions: typeof submissions;
}>;
type Result = Row<typeof results>;
type Sheet = Row<typeof markbook>;
type Paper = Row<typeof papers>;

/** Adds up the effects of changed cells on the rows of the markbook, so that each row is written once. */
export class SheetChanges {
  readonly #rows: Known;
  readonly #tests = new Map<string, OfTest>();
  /** the last one used, because a student's cells come one after the other */
  #sheet: Mutable<Sheet> | undefined;
  #onPaper: ReadonlyMap<string, number> = new Map();
  /** what the student has confirmed */
  #own: OwnMarks = {};

  constructor(rows: Known) {
    this.#rows = rows;
  }

  /** Adds the difference between what the cell counted before and what it counts now. */
  add(before: Result | undefined, after: Result): void {
    const { kind, mark, contested } = after;
    const sheet = this.#goTo(after);
    const max = this.#onPaper.get(after.item_id);
    // Not one of the current questions: the sheet's row is created anyway, for when the question comes back.
    if (kind === 'm' && max === undefined) return;
    if (kind === 'a') {
      sheet.attendance = after.attendance;
      return;
    }
    sheet.contested += Number(contested) - Number(before?.contested ?? false);
    if (kind === 't') {
      sheet.total = mark;
      return;
    }
    const was = before?.mark ?? null;
    sheet.marks_sum += (mark ?? 0) - (was ?? 0);
    sheet.marks_count += Number(mark !== null) - Number(was !== null);
    sheet.marks_above += Number(isAbove(mark, max)) - Number(isAbove(was, max));
    const [counted, counts] = [effectiveOf(was, this.#own[after.item_id]), effectiveOf(mark, this.#own[after.item_id])];
    sheet.effective_sum += (counts ?? 0) - (counted ?? 0);
    sheet.effective_count += Number(counts !== null) - Number(counted !== null);
  }

  put(): void {
    for (const { sheets } of this.#tests.values()) for (const sheet of sheets.values()) this.#rows.markbook.put(sheet);
  }

  #goTo({ school_id, test_id, student_id }: Result): Mutable<Sheet> {
    if (this.#sheet?.student_id === student_id && this.#sheet.test_id === test_id) return this.#sheet;
    let test = this.#tests.get(test_id);
    if (!test) {
      const paper = this.#rows.papers.get({ school_id, test_id });
      this.#tests.set(test_id, (test = { onPaper: paper ? maximaOf(paper) : new Map(), sheets: new Map() }));
    }
    let sheet = test.sheets.get(student_id);
    if (!sheet) {
      const key = { school_id, test_id, student_id };
      test.sheets.set(student_id, (sheet = { ...(this.#rows.markbook.get(key) ?? { ...key, ...EMPTY }) }));
    }
    this.#onPaper = test.onPaper;
    this.#own = sheet.submitted ? confirmedBy(this.#rows.submissions.get({ school_id, test_id, student_id })) : NOTHING;
    return (this.#sheet = sheet);
  }
}

/** The mark that counts: that of staff, else the student's own. */
export const effectiveOf = (mark: number | null, own: number | undefined): number | null => mark ?? own ?? null;

/** What the student has confirmed last. */
export const confirmedBy = (submission: Row<typeof submissions> | undefined): OwnMarks =>
  submission?.confirmations.at(-1)?.marks ?? NOTHING;
const NOTHING: OwnMarks = {};

/** The maximum marks of a paper's questions. Kept with the row, because a batch has many saves of one paper, of one cell each. */
const maximaOf = (paper: Paper): ReadonlyMap<string, number> => {
  const kept = maximaOfRows.get(paper);
  if (kept) return kept;
  const maxima = new Map(paper.question_ids.map((id, index) => [id, paper.maxima[index] ?? 0]));
  maximaOfRows.set(paper, maxima);
  return maxima;
};
const maximaOfRows = new WeakMap<Paper, ReadonlyMap<string, number>>();

/** `onPaper`: the questions with their maxima; `sheets`: by student */
type OfTest = { readonly onPaper: ReadonlyMap<string, number>; readonly sheets: Map<string, Mutable<Sheet>> };

/**
 * A maximum may be lowered while somebody enters a mark, and an undo or redo brings back marks of another time. Commands refuse what they
 * can see; whatever passed each other is counted here, in whichever order the log has it.
 */
const isAbove = (mark: number | null, max: number | undefined): boolean => mark !== null && max !== undefined && mark > max;

/** Changes the questions: marks of removed questions are kept but do not count; those of restored ones count again. */
export const changePaper = (rows: Known, school_id: string, test_id: string, questions: readonly Question[]): void => {
  const paper = rows.papers.get({ school_id, test_id });
  if (!paper) return;
  const maxima = new Map(questions.map(({ questionId, marksAvailable }) => [questionId, marksAvailable]));
  rows.papers.put({ ...paper, question_ids: [...maxima.keys()], maxima: [...maxima.values()] });
  const sheets = new Map(
    rows.markbook
      .where('test_id', test_id)
      .map((sheet) => [
        sheet.student_id,
        { ...sheet, marks_sum: 0, marks_count: 0, marks_above: 0, contested: 0, effective_sum: 0, effective_count: 0 },
      ]),
  );
  const own = new Map(rows.submissions.where('test_id', test_id).map((one) => [one.student_id, { ...confirmedBy(one) }]));
  for (const { student_id, item_id, kind, mark, contested } of rows.results.where('test_id', test_id)) {
    const sheet = sheets.get(student_id);
    if (!sheet || kind === 'a' || (kind === 'm' && !maxima.has(item_id))) continue;
    sheet.contested += Number(contested);
    if (kind === 'm' && mark !== null) {
      sheet.marks_sum += mark;
      sheet.marks_count += 1;
      sheet.marks_above += Number(isAbove(mark, maxima.get(item_id)));
      sheet.effective_sum += mark;
      sheet.effective_count += 1;
      delete own.get(student_id)?.[item_id];
    }
  }
  // What is left of a student's own marks is what staff have not entered.
  for (const [student_id, left] of own) {
    const sheet = sheets.get(student_id);
    for (const [questionId, mark] of Object.entries(left)) {
      if (!sheet || !maxima.has(questionId)) continue;
      sheet.effective_sum += mark;
      sheet.effective_count += 1;
    }
  }
  for (const sheet of sheets.values()) rows.markbook.put(sheet);
};

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

export const EMPTY = {
  total: null,
  marks_sum: 0,
  marks_count: 0,
  marks_above: 0,
  effective_sum: 0,
  effective_count: 0,
  submitted: false,
  contested: 0,
  attendance: null,
} as const;
