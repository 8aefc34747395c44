/** Who is off roll is shown as if he were in a set of this name, so that lists and files of students have one column for both. */
export const OFF_ROLL_NAME = 'Off-Roll';

/** However it is spelt: no set may be called so, and in the Set of a file it takes a student off roll. */
export const isOffRoll = (set: string): boolean => /^off[\s-]*roll$/i.test(set.trim());
