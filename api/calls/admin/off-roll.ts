import { uuidv5 } from '../../../events/codec/ids.ts';

/**
 * Off-Roll is a state of students, and no set. In these calls it is the set Off-Roll of year group 99: each subject has them without that
 * anybody made them, under ids of their own.
 */
export const OFF_ROLL_YEAR = 99;
export const offRollYearId = (subjectId: string): string => uuidv5('off-roll year group', subjectId);
export const offRollSetId = (subjectId: string): string => uuidv5('off-roll set', subjectId);
export const OFF_ROLL_SET = 'Off-Roll';

/** The subject whose Off-Roll this id is; undefined: it is none of theirs. */
export const offRollOf = (id: string, subjectIds: readonly string[], idOf: (subjectId: string) => string): string | undefined =>
  subjectIds.find((subjectId) => idOf(subjectId) === id);

export const UNKNOWN_BIRTHDAY = '2001-01-01';
