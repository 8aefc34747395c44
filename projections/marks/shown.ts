import { idIn } from '../../events/aggregate.ts';
import { placesIn } from '../../events/students/places.ts';
import type { Loading, Rows } from '../engine/projection.ts';
import type { Key } from '../engine/tables/table.ts';
import { cellsOfSave, eachCell } from './cells.ts';
import type { Recorded } from './events.ts';
import { isEntry, isRepaper, isRoster, isSubmission, isUndo, type RosterEvent } from './events.ts';
import { savesBefore } from './saves.ts';
import { confirmedBy, effectiveOf } from './sheets.ts';
import type { classStudents, shownQuestions, shownTotals } from './shown-tables.ts';
import type { Part } from './snapshots.ts';
import { changedSums, changedTotals, FEWEST_CHANGES, LEFT_OUT, WaitingStudents } from './snapshots.ts';
import { submitter } from './submissions.ts';
import type { markbook, papers, results, saves, submissions } from './tables.ts';

type Tables = {
  readonly results: typeof results;
  readonly markbook: typeof markbook;
  readonly papers: typeof papers;
  readonly saves: typeof saves;
  readonly submissions: typeof submissions;
  readonly classStudents: typeof classStudents;
  readonly shownTotals: typeof shownTotals;
  readonly shownQuestions: typeof shownQuestions;
};
type Known = Rows<Tables>;
type SheetKey = Key<typeof markbook>;
type StudentKey = Key<typeof classStudents>;

/**
 * Loads what the averages need, after the sheets of the chunk, its papers, and all sheets of papers that change.
 *
 * @param sheets of the entries and undos, with their subject
 * @param confirmed of confirmed submissions: these change no staff total
 */
export const loadShown = async (
  events: readonly Recorded[],
  sheets: readonly (SheetKey & { readonly subject_id: string })[],
  confirmed: readonly SheetKey[],
  rows: Loading<Tables>,
): Promise<void> => {
  const touched = new Map<string, { key: StudentKey; tests: Set<string>; sets: Set<string>; moves: boolean }>();
  const touch = (key: StudentKey) => {
    const text = `${key.subject_id} ${key.student_id}`;
    const one = touched.get(text) ?? { key, tests: new Set<string>(), sets: new Set<string>(), moves: false };
    touched.set(text, one);
    return one;
  };
  for (const { school_id, subject_id, student_id, test_id } of sheets) touch({ school_id, subject_id, student_id }).tests.add(test_id);
  const tests = new Map([...sheets, ...confirmed].map(({ school_id, test_id }) => [test_id, { school_id, test_id }]));
  for (const event of events) {
    const { schoolId: school_id } = event.metadata;
    if (isRoster(event))
      for (const { subjectId, studentId, setId } of placesIn(event)) {
        const one = touch({ school_id, subject_id: subjectId, student_id: studentId });
        one.moves = true;
        if (setId !== null) one.sets.add(setId);
      }
    else if (isRepaper(event)) {
      const test_id = idIn(event.stream);
      tests.set(test_id, { school_id, test_id });
      const subject_id = rows.papers.get({ school_id, test_id })?.subject_id;
      if (subject_id !== undefined)
        for (const { student_id } of rows.markbook.where('test_id', test_id))
          touch({ school_id, subject_id, student_id }).tests.add(test_id);
    }
  }
  await rows.classStudents.load([...touched.values()].map(({ key }) => key));
  const averages: Key<typeof shownTotals>[] = [];
  for (const { key, tests: ofChunk, sets, moves } of touched.values()) {
    const known = rows.classStudents.get(key);
    if (known?.set_id) sets.add(known.set_id);
    const concerned = moves && known ? [...ofChunk, ...Object.keys(known.totals)] : ofChunk;
    for (const test_id of concerned) for (const set_id of sets) averages.push({ school_id: key.school_id, test_id, set_id });
  }
  await rows.shownTotals.load(averages);
  await rows.shownQuestions.loadUnder([...tests.values()]);
};

/** Of a student on a test, as far as an event may change it. */
type Sheet = {
  readonly key: SheetKey;
  /** null: not asked for, because the event is about none */
  readonly subject_id: string | null;
  readonly items: Set<string>;
};
type Standing = {
  readonly total: Part;
  readonly sat: boolean;
  readonly onPaper: ReadonlySet<string>;
  /** the marks that count, of the questions that the event may touch */
  readonly marks: ReadonlyMap<string, number>;
};

/** Keeps the averages that students are shown in step with an event: made before it is applied, and told when it was. */
export class ShownChanges {
  readonly #rows: Known;
  readonly #event: Recorded;
  readonly #sheets: readonly Sheet[];
  readonly #before: readonly Standing[];
  readonly #totals = new Map<string, { key: Key<typeof shownTotals>; waiting: WaitingStudents }>();
  readonly #questions = new Map<string, { key: Key<typeof shownQuestions>; waiting: WaitingStudents }>();

  constructor(event: Recorded, rows: Known) {
    this.#event = event;
    this.#rows = rows;
    this.#sheets = sheetsOf(event, rows);
    this.#before = this.#sheets.map((sheet) => this.#standing(sheet));
  }

  applied(): void {
    if (isRoster(this.#event)) this.#move(this.#event);
    this.#sheets.forEach((sheet, index) => {
      const before = this.#before[index];
      if (before) this.#compare(sheet, before, this.#standing(sheet));
    });
    this.#put();
  }

  #compare({ key, subject_id, items }: Sheet, before: Standing, after: Standing): void {
    const { school_id, test_id, student_id } = key;
    if (subject_id !== null && before.total !== after.total) {
      const student = { school_id, subject_id, student_id };
      const known = this.#rows.classStudents.get(student) ?? { ...student, set_id: null, totals: {} };
      const { [test_id]: dated, ...others } = known.totals;
      const totals =
        after.total === null ? others : { ...others, [test_id]: { total: after.total, day: dated?.day ?? dayOf(this.#event) } };
      this.#rows.classStudents.put({ ...known, totals });
      if (known.set_id !== null) this.#ofClass(school_id, test_id, known.set_id).change(student_id, before.total, after.total);
    }
    if (!before.sat && !after.sat) return;
    // Who sat before and after changes only where a mark was touched. Else all questions count them now, or no longer: those that were not
    // touched have no mark.
    const all = before.sat === after.sat ? items : new Set([...items, ...(this.#rows.papers.get(key)?.question_ids ?? [])]);
    for (const item of all) {
      const [was, now] = [partOf(before, item), partOf(after, item)];
      if (was !== now) this.#ofQuestion(school_id, test_id, item).change(student_id, was, now);
    }
  }

  /** Who moves takes their totals along. */
  #move(event: RosterEvent): void {
    const { schoolId: school_id } = event.metadata;
    for (const { subjectId: subject_id, studentId: student_id, setId } of placesIn(event)) {
      const key = { school_id, subject_id, student_id };
      const known = this.#rows.classStudents.get(key) ?? { ...key, set_id: null, totals: {} };
      if (known.set_id === setId) {
        this.#rows.classStudents.put(known);
        continue;
      }
      this.#rows.classStudents.put({ ...known, set_id: setId });
      for (const [test_id, { total }] of Object.entries(known.totals)) {
        if (known.set_id !== null) this.#ofClass(school_id, test_id, known.set_id).change(student_id, total, null);
        if (setId !== null) this.#ofClass(school_id, test_id, setId).change(student_id, null, total);
      }
    }
  }

  #standing({ key, items }: Sheet): Standing {
    const sheet = this.#rows.markbook.get(key);
    if (!sheet) return NOTHING;
    const paper = this.#rows.papers.get(key);
    const hasSat = (sheet.attendance ?? 'sat') === 'sat';
    const isComplete = sheet.marks_count > 0 && sheet.marks_count === paper?.question_ids.length;
    const own = sheet.submitted ? confirmedBy(this.#rows.submissions.get(key)) : {};
    const onPaper = new Set(paper?.question_ids);
    const marks = new Map<string, number>();
    for (const item_id of items) {
      if (!onPaper.has(item_id)) continue;
      const mark = effectiveOf(this.#rows.results.get({ ...key, kind: 'm', item_id })?.mark ?? null, own[item_id]);
      if (mark !== null) marks.set(item_id, mark);
    }
    return {
      total: hasSat ? (sheet.total ?? (isComplete ? sheet.marks_sum : null)) : null,
      sat: hasSat && sheet.effective_count > 0,
      onPaper,
      marks,
    };
  }

  #ofClass(school_id: string, test_id: string, set_id: string): WaitingStudents {
    const text = `${test_id} ${set_id}`;
    const key = { school_id, test_id, set_id };
    const one = this.#totals.get(text) ?? { key, waiting: new WaitingStudents(this.#rows.shownTotals.get(key)?.waiting ?? {}) };
    this.#totals.set(text, one);
    return one.waiting;
  }

  #ofQuestion(school_id: string, test_id: string, question_id: string): WaitingStudents {
    const key = { school_id, test_id, question_id };
    const one = this.#questions.get(question_id) ?? {
      key,
      waiting: new WaitingStudents(this.#rows.shownQuestions.get(key)?.waiting ?? {}),
    };
    this.#questions.set(question_id, one);
    return one.waiting;
  }

  #put(): void {
    const nobody: ReadonlySet<string> = new Set();
    for (const { key, waiting } of this.#totals.values()) {
      const totals = changedTotals(this.#rows.shownTotals.get(key)?.totals ?? [], waiting.settle(nobody));
      this.#rows.shownTotals.put({ ...key, totals, waiting: waiting.left });
    }
    const unfinished = this.#unfinished();
    // The last mark of a student settles what waited in the other questions too.
    if (this.#isTyping)
      for (const { key } of this.#sheets)
        for (const question_id of this.#rows.papers.get(key)?.question_ids ?? []) this.#ofQuestion(key.school_id, key.test_id, question_id);
    for (const { key, waiting } of this.#questions.values()) {
      const sums = changedSums(this.#rows.shownQuestions.get(key) ?? NO_SUMS, waiting.settle(unfinished));
      this.#rows.shownQuestions.put({ ...key, ...sums, waiting: waiting.left });
    }
  }

  get #isTyping(): boolean {
    return this.#event.type === 'MarksEntered' && this.#sheets.length < FEWEST_CHANGES;
  }

  /** Whose marks are being typed, with questions left: these are not left out, they come next. Of many at once a question is complete. */
  #unfinished(): ReadonlySet<string> {
    if (!this.#isTyping) return new Set();
    return new Set(
      this.#sheets.flatMap(({ key }) => {
        const count = this.#rows.markbook.get(key)?.effective_count ?? 0;
        return count < (this.#rows.papers.get(key)?.question_ids.length ?? 0) ? [key.student_id] : [];
      }),
    );
  }
}

const NOTHING: Standing = { total: null, sat: false, onPaper: new Set(), marks: new Map() };
const dayOf = ({ data, metadata: { at } }: Recorded): string =>
  ('about' in data && 'satOn' in data ? data.satOn : undefined) ?? at.slice(0, 10);
const NO_SUMS = { n: 0, marked: 0, sum: 0, squares: 0 };

/** Of a student who sat the test, every question on the paper: what the event did not touch and is asked about has no mark. */
const partOf = ({ sat, onPaper, marks }: Standing, item: string): Part => (sat && onPaper.has(item) ? (marks.get(item) ?? LEFT_OUT) : null);

/** The sheets that an event may change, each with the questions whose marks it may change: all of them where attendance does. */
const sheetsOf = (event: Recorded, rows: Known): readonly Sheet[] => {
  const sheets = new Map<string, Sheet>();
  const sheetAt = ({ school_id, test_id, student_id }: SheetKey, subject_id: string | null): Sheet => {
    const text = `${test_id} ${student_id}`;
    const sheet = sheets.get(text) ?? { key: { school_id, test_id, student_id }, subject_id, items: new Set<string>() };
    sheets.set(text, sheet);
    return sheet;
  };
  const touch = (cell: Key<typeof results>, subject_id: string) => {
    const { items, key } = sheetAt(cell, subject_id);
    if (cell.kind === 'm') items.add(cell.item_id);
    if (cell.kind === 'a') for (const item of rows.papers.get(key)?.question_ids ?? []) items.add(item);
  };
  if (isUndo(event)) {
    const save = savesBefore([], rows)(event);
    if (save) for (const cell of cellsOfSave(save, event)) touch(cell, save.subject_id);
  } else if (isSubmission(event)) {
    if (event.type !== 'SubmissionConfirmed') return [];
    const { items, key } = sheetAt(submitter(event), null);
    for (const item of rows.papers.get(key)?.question_ids ?? []) items.add(item);
  } else if (isRepaper(event)) {
    const { schoolId: school_id } = event.metadata;
    const paper = rows.papers.get({ school_id, test_id: idIn(event.stream) });
    if (!paper) return [];
    const items = new Set([...paper.question_ids, ...event.data.questions.map(({ questionId }) => questionId)]);
    return rows.markbook.where('test_id', paper.test_id).map((key) => ({ key, subject_id: paper.subject_id, items }));
  } else if (isEntry(event)) {
    eachCell(event, (cell) => touch(cell, event.data.subjectId));
  }
  return [...sheets.values()];
};
