/**
 * The staff total of a student in a test, by which markbook, sheet, ranking, tasks and submissions go: the total entered by staff, else the
 * sum of the staff's question marks if every question has one; never the student's own marks. A contested total is the value that counts
 * until somebody decides. A question that was taken off the paper neither needs a mark nor adds one; without any question nothing is
 * complete. Nobody who is absent or exempt has a staff total, whatever was entered.
 *
 * As SQL of a row `m` of the markbook and the `paper` of its test. Either may be missing, as after a left join: then there is no total.
 */

/**
 * Joins `paper`, the questions on the paper of a test now: `question_ids`, and how many `questions`. Those of the read model that counts the
 * marks: as of `questions`, which another one keeps, it could for a moment be complete by a paper of which its marks are not. (offset 0:
 * looked up by key, and counted once for all students of a test.)
 * @param testId SQL; $1 is the school
 */
export const paperOf = (testId: string): string => `
  left join lateral (
    select p.question_ids, cardinality(p.question_ids) as questions
      from papers p where p.school_id = $1 and p.test_id = ${testId} offset 0) paper on true`;

/** bool: staff have marked every question, whether the student sat or not. Null, which counts as false, if something is missing. */
export const EVERY_QUESTION_MARKED = `(m.marks_count > 0 and m.marks_count = paper.questions)`;

/** int4, in marks; null: none. */
export const STAFF_TOTAL = `
  case when coalesce(m.attendance, 'sat') = 'sat' then coalesce(m.total, case when ${EVERY_QUESTION_MARKED} then m.marks_sum end) end`;
