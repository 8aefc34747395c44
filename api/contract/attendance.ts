/** Whether a student sat an assessment, or what they were instead. Without schemas, as pages load it. */

/** What a student may be instead of having sat it: they have no total then, and their marks do not count. */
export const AWAYS = ['absent', 'exempt'] as const;
export type Away = (typeof AWAYS)[number];
export const ATTENDANCES = ['sat', ...AWAYS] as const;
export type Attendance = (typeof ATTENDANCES)[number];

/** Of the value of a cell, or of what is typed into one. */
export const isAttendance = (value: unknown): value is Attendance => ATTENDANCES.some((one) => one === value);
export const isAway = (value: unknown): value is Away => AWAYS.some((one) => one === value);

/** `sign`: in a table in place of a mark, and the key that enters it. */
export const AWAY_WORDS = { absent: { sign: 'A', label: 'Absent' }, exempt: { sign: 'E', label: 'Exempt' } } as const;

/** How many of some results are of students who were away, and as what. */
export const awayCounts = (results: readonly { readonly attendance: Attendance }[]): Readonly<Record<Away, number>> => {
  const counts = { absent: 0, exempt: 0 };
  for (const { attendance } of results) if (attendance !== 'sat') counts[attendance] += 1;
  return counts;
};
