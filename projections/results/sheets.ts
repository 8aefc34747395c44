import type { Rows } from '../engine/projection.ts';
import type { Row } from '../engine/table.ts';
import type { markbook, papers, results } from './tables.ts';

type Known = Rows<{ results: typeof results; markbook: typeof markbook; papers: typeof papers }>;
type Result = Row<typeof results>;
type Sheet = Row<typeof markbook>;

/** What changes of cells make of their students' rows in the markbook: added up first, so that each row is written once. */
export class SheetChanges {
  readonly #rows: Known;
  /** by test, by student */
  readonly #sheets = new Map<string, Map<string, Mutable<Sheet>>>();
  constructor(rows: Known) {
    this.#rows = rows;
  }

  /** By what the cell counted before and counts now. */
  add(before: Result | undefined, after: Result): void {
    const { kind, mark, contested, attendance } = after;
    const sheet = this.#sheet(after);
    // A question that is not on the paper now: the row is there for when it comes back.
    if (kind === 'm' && !this.#isOnPaper(after)) return;
    if (kind === 'a') {
      sheet.attendance = attendance;
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
  }

  put(): void {
    for (const ofTest of this.#sheets.values()) for (const sheet of ofTest.values()) this.#rows.markbook.put(sheet);
  }

  #sheet({ school_id, test_id, student_id }: Result): Mutable<Sheet> {
    let ofTest = this.#sheets.get(test_id);
    if (!ofTest) this.#sheets.set(test_id, (ofTest = new Map<string, Mutable<Sheet>>()));
    let sheet = ofTest.get(student_id);
    if (!sheet) {
      const key = { school_id, test_id, student_id };
      ofTest.set(student_id, (sheet = { ...(this.#rows.markbook.get(key) ?? { ...key, ...EMPTY }) }));
    }
    return sheet;
  }

  #isOnPaper({ school_id, test_id, item_id }: Result): boolean {
    const paper = this.#rows.papers.get({ school_id, test_id });
    return paper !== undefined && questionsOf(paper.question_ids).has(item_id);
  }
}

/** The rows of a batch share their lists. */
const questionsOf = (ids: readonly string[]): ReadonlySet<string> => {
  let questions = sets.get(ids);
  if (!questions) sets.set(ids, (questions = new Set(ids)));
  return questions;
};
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Another paper: the marks of questions that left it are kept but do not count; those that are back count again. */
export const changePaper = (rows: Known, school_id: string, test_id: string, question_ids: readonly string[]): void => {
  const paper = rows.papers.get({ school_id, test_id });
  if (!paper) return;
  rows.papers.put({ ...paper, question_ids });
  const onPaper = new Set([...question_ids, test_id]);
  const sheets = new Map(
    rows.markbook.where('test_id', test_id).map((sheet) => [sheet.student_id, { ...sheet, marks_sum: 0, marks_count: 0, contested: 0 }]),
  );
  for (const { student_id, item_id, kind, mark, contested } of rows.results.where('test_id', test_id)) {
    const sheet = sheets.get(student_id);
    if (!sheet || kind === 'a' || !onPaper.has(item_id)) continue;
    sheet.contested += Number(contested);
    if (kind === 'm' && mark !== null) {
      sheet.marks_sum += mark;
      sheet.marks_count += 1;
    }
  }
  for (const sheet of sheets.values()) rows.markbook.put(sheet);
};

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

const EMPTY = { total: null, marks_sum: 0, marks_count: 0, contested: 0, attendance: null } as const;
