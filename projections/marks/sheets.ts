import type { Question } from '../../events/assessments/assessment.ts';
import type { Rows } from '../engine/projection.ts';
import type { Row } from '../engine/tables/table.ts';
import { effectiveOf, TallyChanges } from './tallies.ts';
import type { markbook, OwnMarks, papers, results, submissions, tallies } from './tables.ts';

type Known = Rows<{
  results: typeof results;
  markbook: typeof markbook;
  papers: typeof papers;
  submissions: typeof submissions;
  tallies: typeof tallies;
}>;
type Result = Row<typeof results>;
type Sheet = Row<typeof markbook>;
type Paper = Row<typeof papers>;

/**
 * Adds up the effects of changed cells on the rows of the markbook. A student's cells in a test come one after the other, so the row that
 * they change is put when those of another one begin, and by `put`. So are the tallies of the questions.
 */
export class SheetChanges {
  readonly #rows: Known;
  readonly #tallies: TallyChanges;
  #sheet: Mutable<Sheet> | undefined;
  #onPaper: ReadonlyMap<string, number> = NO_PAPER;
  /** what the student has confirmed */
  #own: OwnMarks = {};

  constructor(rows: Known) {
    this.#rows = rows;
    this.#tallies = new TallyChanges(rows);
  }

  /** Adds the difference between what the cell counted before and what it counts now. */
  add(before: Result | undefined, after: Result): void {
    const { kind, mark, contested } = after;
    const sheet = this.#goTo(after);
    const ownMark = this.#own[after.item_id];
    if (kind === 'm') this.#tallies.cell(after, before, after, ownMark);
    const max = this.#onPaper.get(after.item_id);
    // Not one of the current questions: the sheet's row is created anyway, for when the question comes back.
    if (kind === 'm' && max === undefined) return;
    if (kind === 'a') {
      sheet.attendance = after.attendance;
      sheet.attendance_contested = contested;
      return;
    }
    if (kind === 't') {
      sheet.total = mark;
      sheet.total_contested = contested;
      return;
    }
    sheet.marks_contested += Number(contested) - Number(before?.contested ?? false);
    const was = before?.mark ?? null;
    sheet.marks_sum += (mark ?? 0) - (was ?? 0);
    sheet.marks_count += Number(mark !== null) - Number(was !== null);
    sheet.marks_above += Number(isAbove(mark, max)) - Number(isAbove(was, max));
    const [counted, counts] = [effectiveOf(was, ownMark), effectiveOf(mark, ownMark)];
    sheet.effective_sum += (counts ?? 0) - (counted ?? 0);
    sheet.effective_count += Number(counts !== null) - Number(counted !== null);
  }

  put(): void {
    this.#putSheet();
    this.#tallies.put();
  }

  #putSheet(): void {
    if (this.#sheet) this.#rows.markbook.put(this.#sheet);
  }

  #goTo({ school_id, test_id, student_id }: Result): Mutable<Sheet> {
    const last = this.#sheet;
    if (last?.student_id === student_id && last.test_id === test_id) return last;
    this.#putSheet();
    const key = { school_id, test_id, student_id };
    if (last?.test_id !== test_id) {
      const paper = this.#rows.papers.get(key);
      this.#onPaper = paper ? maximaOf(paper) : NO_PAPER;
    }
    const sheet = { ...(this.#rows.markbook.get(key) ?? { ...key, ...EMPTY }) };
    this.#own = sheet.submitted ? confirmedBy(this.#rows.submissions.get(key)) : NOTHING;
    return (this.#sheet = sheet);
  }
}

export const hasSat = ({ attendance }: Sheet): boolean => (attendance ?? 'sat') === 'sat';

/**
 * The staff total: the rule of `STAFF_TOTAL` in api/marks/staff-total.facts.ts, once more because what students are shown of others follows each
 * event, between two of which nobody can query. tests/integration/marks/staff-total.test.ts holds both to the same.
 */
export const staffTotalOf = (sheet: Sheet, paper: Paper | undefined): number | null => {
  if (!hasSat(sheet)) return null;
  const isComplete = sheet.marks_count > 0 && sheet.marks_count === paper?.question_ids.length;
  return sheet.total ?? (isComplete ? sheet.marks_sum : null);
};

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
const NO_PAPER: ReadonlyMap<string, number> = new Map();

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
        { ...sheet, marks_sum: 0, marks_count: 0, marks_above: 0, marks_contested: 0, effective_sum: 0, effective_count: 0 },
      ]),
  );
  const ownMarks = new Map(rows.submissions.where('test_id', test_id).map((one) => [one.student_id, { ...confirmedBy(one) }]));
  for (const { student_id, item_id, kind, mark, contested } of rows.results.where('test_id', test_id)) {
    const sheet = sheets.get(student_id);
    if (!sheet || kind !== 'm' || !maxima.has(item_id)) continue;
    sheet.marks_contested += Number(contested);
    if (mark !== null) {
      sheet.marks_sum += mark;
      sheet.marks_count += 1;
      sheet.marks_above += Number(isAbove(mark, maxima.get(item_id)));
      sheet.effective_sum += mark;
      sheet.effective_count += 1;
      delete ownMarks.get(student_id)?.[item_id];
    }
  }
  // What is left of a student's own marks is what staff have not entered.
  for (const [student_id, left] of ownMarks) {
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
  total_contested: false,
  marks_contested: 0,
  attendance: null,
  attendance_contested: false,
} as const;
