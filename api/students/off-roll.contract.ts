/** Students off roll are shown as if they were in a set of this name, so that lists and files need one column for both. */
export const OFF_ROLL_NAME = 'Off-Roll';

/** In any spelling: no set may have this name, and in the column Set of a file it takes a student off roll. */
export const isOffRoll = (set: string): boolean => /^off[\s-]*roll$/i.test(set.trim());
