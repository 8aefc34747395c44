import type { Me } from '#api/accounts/accounts.contract';
import type { Section } from '../roles.ts';
import { withFilters } from '../record/filters.ts';
import type { FoundStudent } from './StudentFinder.tsx';

export type StudentPlace = FoundStudent['places'][number];

/**
 * The address that shows a student where they are: for admins in Student Details, for teachers and leaders, and admins in their areas, in the
 * markbook of the class. Of who is Off-Roll, leaders have only the record.
 */
export const addressOf = (
  { role }: Pick<Me, 'role'>,
  section: Section | undefined,
  { studentId, name }: Pick<FoundStudent, 'studentId' | 'name'>,
  { subjectId, setId, set, year }: StudentPlace,
): string => {
  if (role === 'admin' && ((section !== 'leader' && section !== 'teacher') || setId === null)) return detailsOf(name, subjectId, setId);
  const area = role === 'teacher' ? '/teacher' : '/leader';
  if (set === null) return `${area}/history?${withFilters(new URLSearchParams(), { about: studentId, aboutName: name }).toString()}`;
  const query = new URLSearchParams({ ...(year !== null && { year: String(year) }), set, find: name });
  return `${area}/markbook?${query.toString()}`;
};

/** A student in Student Details. `setId`: null: in Off-Roll. */
const detailsOf = (find: string, subject: string, setId: string | null): string =>
  `/admin/add_students?${new URLSearchParams({ subject, group: setId ?? OFF_ROLL, find }).toString()}`;

/** What stands for Off-Roll where a set's id does for a set. */
export const OFF_ROLL = 'off-roll';
