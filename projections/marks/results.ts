import { idIn } from '../../events/aggregate.ts';
import { submissionIn } from '../../events/marks/submission.ts';
import { type Loading, projection } from '../engine/projection.ts';
import type { Key } from '../engine/tables/table.ts';
import { cellsOfSave, chunksOf, eachCell, studentsOf, extentOf, madeBy, savesBefore, undoneBy } from './cells.ts';
import {
  handled,
  isEntry,
  isForgetting,
  isPaper,
  isRepaper,
  isRoster,
  isSubmission,
  isUndo,
  type Recorded,
  type ResultsEvent,
} from './events.ts';
import { loadShown, ShownChanges } from './shown.ts';
import { classSizes, classStudents, shownClasses } from './shown-tables.ts';
import { submitter } from './submissions.ts';
import { markbook, papers, results, saves, submissions, tallies } from './tables.ts';
import { change } from './writing.ts';

const marks = { results, markbook, papers, saves, submissions, tallies };
const tables = { ...marks, classStudents, classSizes, shownClasses };

/** From this number of a student's cells in a test on, loading all of them is faster than loading them one by one. */
const MANY = 8;

const chunksWith = async (events: readonly Recorded[], rows: Loading<typeof marks>): Promise<Recorded[][]> => {
  await rows.saves.load(events.filter(isUndo).map(undoneBy));
  return chunksOf(events, savesBefore(events, rows));
};

/** @returns the sheets of entries, undos and confirmed submissions, with their subject */
const loadMarks = async (events: readonly Recorded[], rows: Loading<typeof marks>): Promise<readonly Entered[]> => {
  await rows.saves.load([...events.filter(isUndo).map(undoneBy), ...events.filter(isEntry).map(madeBy)]);
  const saveBefore = savesBefore(events, rows);
  const cells: Key<typeof results>[] = [];
  const ofStudents: Pick<Key<typeof results>, 'school_id' | 'test_id' | 'student_id'>[] = [];
  const sheets: Key<typeof markbook>[] = [];
  const submitted: Key<typeof submissions>[] = [];
  const tallied: Key<typeof tallies>[] = [];
  const ofTests: Omit<Key<typeof tallies>, 'item_id'>[] = [];
  const entered: Entered[] = [];
  for (const event of events) {
    if (isPaper(event) || isForgetting(event) || isRoster(event)) continue;
    if (isSubmission(event)) {
      const key = submitter(event);
      sheets.push(key);
      submitted.push(key);
      if (event.type === 'SubmissionConfirmed') {
        ofStudents.push(key);
        ofTests.push({ school_id: key.school_id, test_id: key.test_id });
        entered.push({ ...key, subject_id: event.data.subjectId });
      }
      continue;
    }
    const undone = isUndo(event) ? saveBefore(event) : undefined;
    const save = isUndo(event)
      ? undone && { ...undone, hasAttendance: undone.columns.some(([, , kind]) => kind === 'a') }
      : extentOf(event);
    if (!save) continue;
    const subject_id = isUndo(event) ? (undone?.subject_id ?? '') : event.data.subjectId;
    for (const [test_id, item_id, kind] of save.columns)
      if (kind === 'm') tallied.push({ school_id: event.metadata.schoolId, test_id, item_id });
    // Attendance decides of all marks whether they count before students.
    const isMany = save.columns.length >= MANY * save.test_ids.length || save.hasAttendance;
    for (const test_id of save.test_ids)
      for (const student_id of studentsOf(event, save.student_ids)) {
        const sheet = { school_id: event.metadata.schoolId, test_id, student_id };
        sheets.push(sheet);
        entered.push({ ...sheet, subject_id });
        if (isMany) ofStudents.push(sheet);
      }
    if (isMany) continue;
    if (!isUndo(event)) eachCell(event, (key) => cells.push(key));
    else if (undone) cells.push(...cellsOfSave(undone, event));
  }
  await rows.saves.loadWhere(
    'account_id',
    events.filter(isForgetting).map(({ data }) => data.accountId),
  );
  await rows.results.loadUnder(ofStudents);
  await rows.results.load(cells);
  await rows.tallies.loadUnder(ofTests);
  await rows.tallies.load(tallied);
  await rows.markbook.load(sheets);
  // Most students have entered nothing themselves: a save of staff then costs no further look-up.
  await rows.submissions.load([...submitted, ...sheets.filter((key) => rows.markbook.get(key)?.submitted)]);

  const repapered = events.filter(isRepaper).map(({ stream }) => idIn(stream));
  await rows.results.loadWhere('test_id', repapered);
  await rows.markbook.loadWhere('test_id', repapered);
  await rows.submissions.loadWhere('test_id', repapered);
  await rows.papers.load([
    ...sheets.map(({ school_id, test_id }) => ({ school_id, test_id })),
    ...events.filter(isPaper).map((event) => ({ school_id: event.metadata.schoolId, test_id: idIn(event.stream) })),
  ]);
  return entered;
};
type Entered = Key<typeof markbook> & { readonly subject_id: string };

/**
 * Every cell of marks with its history, the sums of a student's cells in a test, and the tallies of a question's. One projection maintains them, because the sums depend
 * on the cells: with two projections they would briefly disagree. So do the snapshots that students are shown of others, which change only
 * with five students (snapshots.ts): what they were at each moment is no sum of what is stored.
 */
export const resultsProjection = projection<ResultsEvent>()({
  name: 'results',
  version: 15,
  tables,
  on: handled,

  chunks: (events, rows) => chunksWith(events, rows),
  load: async (events, rows) => loadShown(events, await loadMarks(events, rows), rows),

  apply(event, rows) {
    const shown = new ShownChanges(event, rows);
    // Who is in which class changes no mark.
    if (!isRoster(event)) change(event, rows);
    shown.applied();
  },

  /** Which year groups and assessments a save's marks belong to is looked up where somebody listens (api/live/channels.ts). */
  channels: (event, rows) => {
    const school_id = event.metadata.schoolId;
    // Only where single questions are shown: the markbook goes by the totals of staff.
    if (isSubmission(event)) return [`marks:${event.data.subjectId}/${submissionIn(event.stream).testId}`];
    if (isRepaper(event)) {
      const paper = rows.papers.get({ school_id, test_id: idIn(event.stream) });
      return paper ? [`marks:${paper.subject_id}`, `marks:${paper.subject_id}/*`] : [];
    }
    if (isUndo(event)) {
      const save = rows.saves.get({ school_id, command_id: event.data.commandId });
      return save ? [`marks:${save.subject_id}`, `save:${save.command_id}`] : [];
    }
    return isEntry(event) ? [`marks:${event.data.subjectId}`, `save:${event.metadata.commandId}`] : [];
  },
});

/**
 * The same for an earlier moment, without what only students are shown, which they see as of now only: most of the work of putting a year
 * together.
 */
export const resultsOfAnyMoment = projection<ResultsEvent>()({
  name: resultsProjection.name,
  version: resultsProjection.version,
  tables: marks,
  on: handled,
  chunks: (events, rows) => chunksWith(events, rows),
  load: async (events, rows) => void (await loadMarks(events, rows)),
  apply: (event, rows) => (isRoster(event) ? undefined : change(event, rows)),
});
