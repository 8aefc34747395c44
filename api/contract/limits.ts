/** Limits of an upload and their messages. Without schemas, so that pages which only show them stay small. */

export const MAX_TESTS = 6;
export const MAX_QUESTIONS = 50;
/** of one question */
export const MAX_MARK = 1_000;
export const MAX_TOPIC = 500;
/** of a scheme of work */
export const MAX_SCHEME_TOPICS = 1_000;
export const MAX_LABEL = 200;
export const MAX_UPLOAD_ROWS = 5_000;
/** of a topic tree */
export const MAX_LEVELS = 3;
export const MAX_TREE_TOPICS = 2_000;

export const messages = {
  tooManyTests: 'You can only select a maximum of 6 tests',
  nonNumeric: 'The upload file contains non numeric data. Please check before uploading again.',
  unmatched: (n: number) => `${n} student(s) from the upload file cannot be found in the database`,
  unmatchedInGroup: (n: number) => `${n} student(s) from the upload file cannot be found in the selected group, check the classes match`,
  /** columns: 'Test 1', 'Test 3' */
  exceedsMaximum: (columns: readonly string[]) => `The submitted total exceeds the maximum on ${columns.join(',')}`,
  markAbove: (name: string, mark: number, question: string, max: number) =>
    `${name}: ${mark} for ${question} is above the maximum of ${max}`,
  moreAbove: (n: number) => `and ${n} more marks above their maximum`,
  manualNotInteger: 'Value must be an integer',
  manualAbove: (max: number) => `Max mark available is ${max}`,
} as const;
