/** The school year that begins around a day, by the year of its September: 2026 for 2026/27. */
export const schoolYearOf = (day: string): number => Number(day.slice(0, 4)) - (day.slice(5, 7) < '03' ? 1 : 0);

/** '2026/27' */
export const schoolYearName = (day: string): string => `${schoolYearOf(day)}/${String(schoolYearOf(day) + 1).slice(2)}`;
