import { onDay, schoolYearOf } from '../averages.formula.ts';
import type { SatIn } from './days-of-students.facts.ts';
import type { Result } from './totals.facts.ts';

/** Of which year group each set of a subject was, and of which year each year group, by day. */
export type Places = {
  /** Every set of the subject, deleted or not: its year groups, since when. */
  readonly places: readonly {
    readonly setId: string;
    readonly name: string;
    readonly yearGroups: readonly { readonly yearGroupId: string; readonly from: string }[];
  }[];
  /** Of every year group, deleted or not: the years that it was, since when. */
  readonly years: readonly { readonly yearGroupId: string; readonly years: readonly { readonly year: number; readonly from: string }[] }[];
};

/** A total with the day and the set in which it was sat. null: none counts, as whether they sat it is contested. */
export type Dated = {
  readonly total: number | null;
  readonly day: string;
  readonly setId: string;
  readonly schoolYear: number;
  readonly result: Result;
};

/**
 * The totals of a test that count in the history of a year, by the day, and the set and its year group of that day, in which each student
 * sat it. Whoever was in another year then is in its history. `undated`: totals of students who were off roll then, or of no known day.
 */
export const datedTotals = (
  results: readonly Result[],
  days: ReadonlyMap<string, SatIn>,
  { year, places, years }: Places & { readonly year: number },
): { readonly dated: readonly Dated[]; readonly undated: number } => {
  const yearGroups = new Map(places.map((one) => [one.setId, one.yearGroups]));
  const yearsOf = new Map(years.map((one) => [one.yearGroupId, one.years]));
  const isAlike = (setId: string, day: string): boolean => {
    const yearGroup = onDay(yearGroups.get(setId) ?? [], day);
    return yearGroup !== undefined && onDay(yearsOf.get(yearGroup.yearGroupId) ?? [], day)?.year === year;
  };
  const dated: Dated[] = [];
  let undated = 0;
  for (const result of results) {
    const { studentId, total, flags } = result;
    if (total === null && !flags.includes('contested-attendance')) continue;
    const satIn = days.get(studentId);
    if (!satIn || satIn.setId === null) undated += Number(total !== null);
    else if (isAlike(satIn.setId, satIn.day))
      dated.push({ total, day: satIn.day, setId: satIn.setId, schoolYear: schoolYearOf(satIn.day), result });
  }
  return { dated, undated };
};

/** The fields of `Places`, of the subject `y.subject_id`. $1 school. */
export const PLACES = `
  (select coalesce(json_agg(json_build_object('setId', s.set_id, 'name', s.name, 'yearGroups', s.year_groups)), '[]')
     from sets s where s.school_id = $1 and s.subject_id = y.subject_id) as places,
  (select coalesce(json_agg(json_build_object('yearGroupId', g.year_group_id, 'years', g.years)), '[]')
     from (select year_group_id, years from year_groups where school_id = $1 and subject_id = y.subject_id
           union all
           select year_group_id, years from deleted_year_groups where school_id = $1 and subject_id = y.subject_id) g) as years`;
