import type { Rows } from '../engine/projection.ts';
import type { Row } from '../engine/tables/table.ts';
import type { markbook, papers, results } from './tables.ts';

type Known = Rows<{ results: typeof results; markbook: typeof markbook; papers: typeof papers }>;
type Result = Row<typeof results>;
type Sheet = Row<typeof markbook>;

/** Adds up the effects of changed cells on the rows of the markbook, so that each row is written once. */
export class SheetChanges {
  readonly #rows: Known;
  readonly #tests = new Map<string, OfTest>();
  /** the last one used, because a student's cells come one after the other */
  #sheet: Mutable<Sheet> | undefined;
  #onPaper: ReadonlySet<string> = new Set();

  constructor(rows: Known) {
    this.#rows = rows;
  }

  /** Adds the difference between what the cell counted before and what it counts now. */
  add(before: Result | undefined, after: Result): void {
    const { kind, mark, contested } = after;
    const sheet = this.#goTo(after);
    // Not one of the current questions: the sheet's row is created anyway, for when the question comes back.
    if (kind === 'm' && !this.#onPaper.has(after.item_id)) return;
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
  }

  put(): void {
    for (const { sheets } of this.#tests.values()) for (const sheet of sheets.values()) this.#rows.markbook.put(sheet);
  }

  #goTo({ school_id, test_id, student_id }: Result): Mutable<Sheet> {
    if (this.#sheet?.student_id === student_id && this.#sheet.test_id === test_id) return this.#sheet;
    let test = this.#tests.get(test_id);
    if (!test) {
      const onPaper = new Set(this.#rows.papers.get({ school_id, test_id })?.question_ids);
      this.#tests.set(test_id, (test = { onPaper, sheets: new Map() }));
    }
    let sheet = test.sheets.get(student_id);
    if (!sheet) {
      const key = { school_id, test_id, student_id };
      test.sheets.set(student_id, (sheet = { ...(this.#rows.markbook.get(key) ?? { ...key, ...EMPTY }) }));
    }
    this.#onPaper = test.onPaper;
    return (this.#sheet = sheet);
  }
}

/** `onPaper`: the questions; `sheets`: by student */
type OfTest = { readonly onPaper: ReadonlySet<string>; readonly sheets: Map<string, Mutable<Sheet>> };

/** Changes the questions: marks of removed questions are kept but do not count; those of restored ones count again. */
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
