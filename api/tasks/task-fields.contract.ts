/** The values that the fields of a feedback task may have, and the messages of its refusals. Without schemas, so that pages which only ask stay small. */
import { dateText } from '../contract/dates.ts';
import type { TotalFlag } from '../contract/total-flag.ts';
import { priorShort } from '../prior/prior-score.contract.ts';

export const TASK_REQUIRED = 'This field is required';
export const NO_TEST = 'Select at least one test.';
/** A task expires so many days from today at the latest, */
export const LAST_EXPIRY = 30;
/** and by default. */
export const DEFAULT_EXPIRY = 14;
export const MAX_COMMENT = 1_000;
export const MAX_SCORE = 1_000;
export const SCORE_NOT_NUMBER = 'The score must be a number, such as 71.2.';
export const SCORE_ABOVE_ZERO = 'The score must be greater than zero.';
export const SCORE_TOO_HIGH = `The score must not be greater than ${MAX_SCORE}.`;

/** NaN: what was typed, or sent, is no number. */
export const wrongScore = (score: number): string | undefined => {
  if (Number.isNaN(score)) return SCORE_NOT_NUMBER;
  if (score > MAX_SCORE) return SCORE_TOO_HIGH;
  return score > 0 ? undefined : SCORE_ABOVE_ZERO;
};

/** Between today and 30 days from now. Somewhere on Earth it is tomorrow already, or still yesterday. */
export const wrongExpiry = (day: string, now: Date = new Date()): string | undefined => {
  const [first, last] = [dayAt(now, -12), dayAt(now, 14 + LAST_EXPIRY * 24)];
  return day >= first && day <= last ? undefined : wrongExpiryText(dayAt(now, LAST_EXPIRY * 24));
};

/** The same for somebody whose date is known: no allowance for elsewhere on Earth. */
export const wrongExpiryFrom = (day: string, today: string): string | undefined => {
  const last = dayAt(new Date(`${today}T00:00:00Z`), LAST_EXPIRY * 24);
  return day >= today && day <= last ? undefined : wrongExpiryText(last);
};

const wrongExpiryText = (last: string): string => `The expiry date must be between today and ${dateText(last)}, ${LAST_EXPIRY} days ahead.`;

const dayAt = (now: Date, hours: number): string => new Date(now.getTime() + hours * 3_600_000).toISOString().slice(0, 10);

/** How many of how many students have a score of a terminal exam. */
export type Coverage = { readonly scores: number; readonly students: number };

export const taskMessages = {
  noPrior: 'You need to upload prior data to initiate a feedback task',
  priorShort: ({ scores, students }: Coverage) => priorShort(scores, students),
  mixedPrior: 'The prior data of this exam holds letters and numbers. Students can be ranked by one of them only.',
  noTotals: (names: readonly string[]) => `No totals yet: ${names.join(', ')}. Upload them, or take the class out of the task.`,
  noMaps: 'This feedback task has no classes yet. Assign assessments to classes first.',
  notRecorded: 'No rows of a ranking were sent yet.',
  noGradesRecorded: 'No grades were sent yet.',
  onlyLeadersRank: 'Only a leader of the subject can change rankings, scores and grades.',
  twice: 'A class can have each assessment once.',
  studentTwice: 'A student can be listed once.',
  changedMeanwhile: 'Somebody else has changed this feedback task meanwhile. Reload to see it, then save yours again.',
  rankedMeanwhile: 'Somebody else has ranked the students, or removed the ranking, meanwhile. Look at it, then decide again.',
  otherThanSeen: 'Totals or prior data have changed since you looked. Nothing was ranked: look at the ranking again.',
  checkedAnother: 'The students were ranked again meanwhile. Nothing was stored: look at the new ranking, then check it.',
  otherGrades: 'Grades were allocated again meanwhile. Nothing was stored: look at the new grades, then check them.',
  checkedMeanwhile: 'Somebody else has checked this class meanwhile. Nothing was stored: look at what they said, then save yours again.',
  decidedMeanwhile: 'Somebody else has decided about students meanwhile. Nothing was stored: look at them, then save yours again.',
  mapsFixed: 'The students are ranked already. Remove the ranking first, then change the classes and assessments.',
  notRanked: 'The students are not ranked yet.',
  noGrades: 'No grades are allocated yet.',
  reopenFirst: 'Grades are allocated already. Reopen them first.',
  ended: 'This feedback task has ended.',
  notChecked: (names: readonly string[]) =>
    `Not checked yet by the teacher: ${names.join(', ')}. Wait for it, or go on without it and say why.`,
  noTeacherInput: 'Teachers do not check this task.',
  pastCheck: 'The subject leader has gone on meanwhile: this can no longer be checked.',
  notYet: 'There is nothing to check yet.',
  noSet: 'This class is not in the task.',
  noStudent: 'This student is not in the ranking.',
  commentNeedsFlag: 'Flag the student to comment.',
  nothingToRemind: 'No class waits for a check.',
  noAccount: (names: readonly string[]) => `No teacher of ${names.join(', ')} has an active account.`,
  flagged: (flags: readonly TotalFlag[]) =>
    `${flagsText(flags)}. Nothing was ranked: look at them, then decide which count, or rank by them as they are.`,
  contested: (totals: number) => `${contestedText(totals)} in this ranking. Decide which value counts, or go on without that and say why.`,
  incomplete: (students: number) => `${students === 1 ? '1 student has' : `${students} students have`} no ranking, score or grade yet.`,
} as const;

/** '2 totals are contested, 1 total is above the maximum'; a total of which both are said is in both. */
export const flagsText = (flags: readonly TotalFlag[]): string => {
  const above = flags.filter((flag) => flag === 'above-maximum').length;
  const contested = flags.length - above;
  const parts = [
    ...(contested > 0 ? [contestedText(contested)] : []),
    ...(above > 0 ? [above === 1 ? '1 total is above the maximum' : `${above} totals are above the maximum`] : []),
  ];
  return parts.join(', ');
};
const contestedText = (totals: number): string => (totals === 1 ? '1 total is contested' : `${totals} totals are contested`);

/** 'overridden by Grace Bell, computed 87.75': of a rank, score or grade that the leader has decided otherwise. */
export const overriddenText = (by: string | null, computed: string | number | null): string =>
  `overridden by ${by ?? 'somebody who was forgotten'}, ${computed === null ? 'none was computed' : `computed ${computed}`}`;

/** Why a teacher, or a class, is not notified of a feedback task by mail. */
export const reasonsNotNotified = ['no-teacher', 'no-account', 'not-proved', 'enough', 'too-many'] as const;
export type ReasonNotNotified = (typeof reasonsNotNotified)[number];
/** `name`: of the teacher, or of the class that has none; null: forgotten. */
export type NotNotified = { readonly name: string | null; readonly why: ReasonNotNotified };

const reasonTexts: Readonly<Record<ReasonNotNotified, string>> = {
  'no-teacher': 'no teacher yet',
  'no-account': 'no active account',
  'not-proved': 'e-mail address not confirmed',
  enough: 'as many mails as one person gets for now',
  'too-many': 'as many mails as you and your school can send for now',
};

/** 'No mail to Tom Hughes, Ada Nwosu (e-mail address not confirmed); 10X2 (no teacher yet).'; undefined: everybody is notified. */
export const notNotifiedText = (notNotified: readonly NotNotified[]): string | undefined => {
  const parts = reasonsNotNotified.flatMap((why) => {
    const names = notNotified.filter((one) => one.why === why).map(({ name }) => name ?? 'somebody who was forgotten');
    return names.length === 0 ? [] : [`${names.join(', ')} (${reasonTexts[why]})`];
  });
  return parts.length === 0 ? undefined : `No mail to ${parts.join('; ')}.`;
};

const withNotNotified = (text: string, notNotified: readonly NotNotified[]): string =>
  [text, notNotifiedText(notNotified) ?? []].flat().join(' ');
const teachersText = (teachers: number): string => (teachers === 1 ? '1 teacher' : `${teachers} teachers`);

/** The answer to a reminder. */
export const remindedText = (teachers: number, names: readonly string[], notNotified: readonly NotNotified[] = []): string =>
  withNotNotified(
    teachers === 0 ? 'Nobody was reminded.' : `A reminder goes to ${teachersText(teachers)} of ${names.join(', ')}.`,
    notNotified,
  );

/** The notice of a new task, or of classes that were added to one. */
export const notifiedText = (teachers: number, notNotified: readonly NotNotified[]): string =>
  withNotNotified(teachers === 0 ? 'Nobody gets a mail.' : `A mail goes to ${teachersText(teachers)}.`, notNotified);
