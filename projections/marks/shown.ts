import { idIn } from '../../events/aggregate.ts';
import { type Place, placesIn } from '../../events/students/roster.ts';
import type { Loading, Rows } from '../engine/projection.ts';
import type { Key, Row } from '../engine/tables/table.ts';
import { cellsOfSave, eachCell, savesBefore } from './cells.ts';
import type { Recorded } from './events.ts';
import { isEntry, isRepaper, isRoster, isSubmission, isUndo } from './events.ts';
import { confirmedBy, hasSat, staffTotalOf } from './sheets.ts';
import { effectiveOf } from './tallies.ts';
import type { classSizes, classStudents, shownClasses } from './shown-tables.ts';
import { NO_CLASS } from './shown-tables.ts';
import type { Mark } from './snapshots.ts';
import { FEWEST, LEFT_OUT, Snapshot } from './snapshots.ts';
import { submitter } from './submissions.ts';
import type { markbook, papers, results, saves, submissions } from './tables.ts';

type Tables = {
  readonly results: typeof results;
  readonly markbook: typeof markbook;
  readonly papers: typeof papers;
  readonly saves: typeof saves;
  readonly submissions: typeof submissions;
  readonly classStudents: typeof classStudents;
  readonly classSizes: typeof classSizes;
  readonly shownClasses: typeof shownClasses;
};
type Known = Rows<Tables>;
type SheetKey = Key<typeof markbook>;
type StudentKey = Key<typeof classStudents>;

/**
 * Loads what the snapshots need, after the sheets of the chunk, its papers, and all sheets of papers that change.
 *
 * @param sheets of entries, undos and confirmed submissions, with their subject
 */
export const loadShown = async (
  events: readonly Recorded[],
  sheets: readonly (SheetKey & { readonly subject_id: string })[],
  rows: Loading<Tables>,
): Promise<void> => {
  const touched = new Map<string, { key: StudentKey; tests: Set<string>; sets: Set<string> }>();
  const touch = (key: StudentKey) => {
    const text = `${key.subject_id} ${key.student_id}`;
    const one = touched.get(text) ?? { key, tests: new Set<string>(), sets: new Set<string>() };
    touched.set(text, one);
    return one;
  };
  for (const { school_id, subject_id, student_id, test_id } of sheets) touch({ school_id, subject_id, student_id }).tests.add(test_id);
  for (const event of events) {
    const { schoolId: school_id } = event.metadata;
    if (isRoster(event))
      for (const { subjectId, studentId, setId } of placesIn(event))
        if (setId === null) touch({ school_id, subject_id: subjectId, student_id: studentId });
        else touch({ school_id, subject_id: subjectId, student_id: studentId }).sets.add(setId);
    else if (isRepaper(event)) {
      const test_id = idIn(event.stream);
      const subject_id = rows.papers.get({ school_id, test_id })?.subject_id;
      if (subject_id !== undefined)
        for (const { student_id } of rows.markbook.where('test_id', test_id))
          touch({ school_id, subject_id, student_id }).tests.add(test_id);
    }
  }
  await rows.classStudents.load([...touched.values()].map(({ key }) => key));
  const [classes, sizes]: [Key<typeof shownClasses>[], Key<typeof classSizes>[]] = [[], []];
  for (const { key, tests, sets } of touched.values()) {
    const { school_id } = key;
    const student = rows.classStudents.get(key);
    if (student?.set_id) sets.add(student.set_id);
    for (const set_id of sets) sizes.push({ school_id, set_id });
    for (const test_id of tests) {
      const shownIn = student?.shown_in[test_id];
      for (const set_id of shownIn === undefined ? [...sets, NO_CLASS] : [shownIn]) classes.push({ school_id, test_id, set_id });
    }
  }
  await rows.classSizes.load(sizes);
  await rows.shownClasses.load(classes);
};

/** Of a student on a test, as far as an event may change it. */
type Sheet = {
  readonly key: SheetKey;
  readonly subject_id: string;
  readonly items: Set<string>;
};
type Contribution = {
  readonly total: Mark;
  readonly sat: boolean;
  readonly onPaper: ReadonlySet<string>;
  /** the marks that count, of the questions that the event may touch */
  readonly marks: ReadonlyMap<string, number>;
};

/** Keeps the snapshots that students are shown in step with an event: made before it is applied, and told when it was. */
export class ShownChanges {
  readonly #rows: Known;
  readonly #event: Recorded;
  readonly #sheets: readonly Sheet[];
  readonly #before: readonly Contribution[];
  readonly #classes = new Map<string, { key: Key<typeof shownClasses>; snapshot: Snapshot }>();

  constructor(event: Recorded, rows: Known) {
    this.#event = event;
    this.#rows = rows;
    this.#sheets = sheetsOf(event, rows);
    this.#before = this.#sheets.map((sheet) => this.#contributionOf(sheet));
  }

  applied(): void {
    if (isRoster(this.#event)) for (const place of placesIn(this.#event)) this.#move(place);
    this.#sheets.forEach((sheet, index) => {
      const before = this.#before[index];
      if (before) this.#compare(sheet, before, this.#contributionOf(sheet));
    });
    const unfinished = this.#unfinished();
    for (const { key, snapshot } of this.#classes.values()) {
      const isNew = snapshot.settle(unfinished);
      const before = this.#rows.shownClasses.get(key);
      const figures = isNew || !before ? snapshot.figures : before;
      this.#rows.shownClasses.put({ ...figures, ...key, snapshot: snapshot.stored });
    }
  }

  #move({ subjectId: subject_id, studentId: student_id, setId: set_id }: Place): void {
    const { schoolId: school_id } = this.#event.metadata;
    const student = this.#student({ school_id, subject_id, student_id });
    this.#rows.classStudents.put({ ...student, set_id });
    const count = (set: string | null, more: 1 | -1) => {
      if (set !== null) this.#rows.classSizes.put({ school_id, set_id: set, students: this.#sizeOf(school_id, set) + more });
    };
    count(student.set_id, -1);
    count(set_id, 1);
  }

  #sizeOf(school_id: string, set_id: string): number {
    return this.#rows.classSizes.get({ school_id, set_id })?.students ?? 0;
  }

  /** For good, from the first mark on: moves change no snapshot. Classes that are too small to be shown are one. */
  #classFor({ school_id, set_id, shown_in }: Row<typeof classStudents>, test_id: string): string {
    return shown_in[test_id] ?? (set_id !== null && this.#sizeOf(school_id, set_id) >= FEWEST ? set_id : NO_CLASS);
  }

  #compare({ key, subject_id, items }: Sheet, before: Contribution, after: Contribution): void {
    const { school_id, test_id, student_id } = key;
    // Who sat before and after changes only where a mark was touched. Else all questions count them now, or no longer: those that were not
    // touched have no mark.
    const hasMarks = before.sat || after.sat;
    const all = before.sat === after.sat ? items : new Set([...items, ...(this.#rows.papers.get(key)?.question_ids ?? [])]);
    const marks = new Map(hasMarks ? [...all].map((item) => [item, markOf(after, item)]) : []);
    if (before.total === after.total && !hasMarks) return;
    const student = this.#student({ school_id, subject_id, student_id });
    const set_id = this.#classFor(student, test_id);
    if (before.total !== after.total || student.shown_in[test_id] === undefined) {
      const { [test_id]: dated, ...others } = student.totals;
      const { first = after.total, day = dayOf(this.#event) } = dated ?? {};
      const totals = after.total === null || first === null ? others : { ...others, [test_id]: { total: after.total, first, day } };
      this.#rows.classStudents.put({ ...student, totals, shown_in: { ...student.shown_in, [test_id]: set_id } });
    }
    // Nobody reads totals of those who are in no class.
    const total = set_id === NO_CLASS ? null : after.total;
    this.#ofClass({ school_id, test_id, set_id }).change(student_id, total, marks);
  }

  #student(key: StudentKey): Row<typeof classStudents> {
    return this.#rows.classStudents.get(key) ?? { ...key, set_id: null, totals: {}, shown_in: {} };
  }

  #contributionOf({ key, items }: Sheet): Contribution {
    const sheet = this.#rows.markbook.get(key);
    if (!sheet) return NOTHING;
    const paper = this.#rows.papers.get(key);
    const ownMarks = sheet.submitted ? confirmedBy(this.#rows.submissions.get(key)) : {};
    const onPaper = new Set(paper?.question_ids);
    const marks = new Map<string, number>();
    for (const item_id of items) {
      if (!onPaper.has(item_id)) continue;
      const mark = effectiveOf(this.#rows.results.get({ ...key, kind: 'm', item_id })?.mark ?? null, ownMarks[item_id]);
      if (mark !== null) marks.set(item_id, mark);
    }
    return {
      total: staffTotalOf(sheet, paper),
      sat: hasSat(sheet) && sheet.effective_count > 0,
      onPaper,
      marks,
    };
  }

  #ofClass(key: Key<typeof shownClasses>): Snapshot {
    const text = `${key.test_id} ${key.set_id}`;
    const one = this.#classes.get(text) ?? { key, snapshot: new Snapshot(this.#rows.shownClasses.get(key)?.snapshot) };
    this.#classes.set(text, one);
    return one.snapshot;
  }

  /** Whose marks are being typed, with questions left: these are not left out, they come next. Of many at once a question is complete. */
  #unfinished(): ReadonlySet<string> {
    if (this.#event.type !== 'MarksEntered' || this.#sheets.length >= FEWEST) return new Set();
    return new Set(
      this.#sheets.flatMap(({ key }) => {
        const count = this.#rows.markbook.get(key)?.effective_count ?? 0;
        return count > 0 && count < (this.#rows.papers.get(key)?.question_ids.length ?? 0) ? [key.student_id] : [];
      }),
    );
  }
}

const NOTHING: Contribution = { total: null, sat: false, onPaper: new Set(), marks: new Map() };
const dayOf = ({ data, metadata: { at } }: Recorded): string =>
  ('about' in data && 'satOn' in data ? data.satOn : undefined) ?? at.slice(0, 10);

/** Of a student who sat the test, every question on the paper: of those that the event did not touch there is no mark. */
const markOf = ({ sat, onPaper, marks }: Contribution, item: string): Mark =>
  sat && onPaper.has(item) ? (marks.get(item) ?? LEFT_OUT) : null;

/** The sheets that an event may change, each with the questions whose marks it may change: all of them where attendance does. */
const sheetsOf = (event: Recorded, rows: Known): readonly Sheet[] => {
  const sheets = new Map<string, Sheet>();
  const sheetAt = ({ school_id, test_id, student_id }: SheetKey, subject_id: string): Sheet => {
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
    const { items, key } = sheetAt(submitter(event), event.data.subjectId);
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
