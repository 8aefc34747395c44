import { submissionIn } from '../../events/marks/submission.ts';
import type { Rows } from '../engine/projection.ts';
import type { Key, Row } from '../engine/tables/table.ts';
import type { SubmissionEvent } from './events.ts';
import { confirmedBy, EMPTY } from './sheets.ts';
import { effectiveOf, TallyChanges } from './tallies.ts';
import type { markbook, papers, results, submissions, tallies } from './tables.ts';

type Known = Rows<{
  results: typeof results;
  markbook: typeof markbook;
  papers: typeof papers;
  submissions: typeof submissions;
  tallies: typeof tallies;
}>;

/** The key of the student's row in the markbook, and in submissions. */
export const submitter = ({ stream, metadata }: SubmissionEvent): Key<typeof submissions> => {
  const { testId, studentId } = submissionIn(stream);
  return { school_id: metadata.schoolId, test_id: testId, student_id: studentId };
};

/** Stores what the student did, and what of it counts. */
export const changeSubmission = (event: SubmissionEvent, rows: Known): void => {
  const key = submitter(event);
  const before = rows.submissions.get(key);
  const after = changed(before ?? { ...key, state: 'saved', marks: {}, confirmations: [], at: event.metadata.at }, event);
  rows.submissions.put(after);
  const sheet = rows.markbook.get(key) ?? { ...key, ...EMPTY };
  if (event.type !== 'SubmissionConfirmed') {
    if (!sheet.submitted) rows.markbook.put({ ...sheet, submitted: true });
    return;
  }
  const { school_id, test_id } = key;
  const ownMarks = confirmedBy(after);
  const staffMark = (item_id: string): number | null => rows.results.get({ ...key, kind: 'm', item_id })?.mark ?? null;
  const changes = new TallyChanges(rows);
  changes.confirmed({ school_id, test_id }, confirmedBy(before), ownMarks, staffMark);
  changes.put();
  let [effective_sum, effective_count] = [0, 0];
  for (const item_id of rows.papers.get({ school_id, test_id })?.question_ids ?? []) {
    const mark = effectiveOf(staffMark(item_id), ownMarks[item_id]);
    effective_sum += mark ?? 0;
    effective_count += Number(mark !== null);
  }
  rows.markbook.put({ ...sheet, submitted: true, effective_sum, effective_count });
};

const changed = (row: Row<typeof submissions>, event: SubmissionEvent): Row<typeof submissions> => {
  const { at } = event.metadata;
  if (event.type === 'SubmissionReopened') return { ...row, state: 'reopened', at };
  const marks = Object.fromEntries(event.data.ownMarks.map(({ questionId, mark }) => [questionId, mark]));
  return event.type === 'SubmissionSaved'
    ? { ...row, marks, at }
    : // What was saved for a question that was off the paper by then may be asked for again.
      { ...row, state: 'confirmed', marks: { ...row.marks, ...marks }, confirmations: [...row.confirmations, { at, marks }], at };
};
