import type { Attendance } from '../../contract/attendance.ts';
import type { Submission } from '../../../events/marks/submission.ts';
import type { ClosedBy } from './submissions.contract.ts';

type Marked = { readonly questions: number; readonly staffMarks: number };
type Sat = Marked & { readonly attendance: Attendance };

/** Whether staff have marked every question, of a test that has any; whether the student sat or not. In SQL: `EVERY_QUESTION_MARKED`. */
export const isMarkedByStaff = ({ questions, staffMarks }: Marked): boolean => questions > 0 && staffMarks === questions;

/** Why the student may not enter marks; null: they may. */
export const closedFor = (sat: Sat, status: Submission['status']): ClosedBy | null => {
  if (sat.attendance !== 'sat') return sat.attendance;
  if (isMarkedByStaff(sat)) return 'staff';
  return status === 'confirmed' ? 'submitted' : null;
};

/** Whether a student who has confirmed may open their marks again without staff: what they confirmed is not all, or not what staff say. */
export const mayReopen = (totals: { confirmedTotal: number | null; staffTotal: number | null; addedSince: number }): boolean =>
  mismatched(totals) || totals.addedSince > 0;

/** Whether what the student confirmed last has another total than that of staff. */
export const mismatched = ({ confirmedTotal, staffTotal }: { confirmedTotal: number | null; staffTotal: number | null }): boolean =>
  confirmedTotal !== null && staffTotal !== null && confirmedTotal !== staffTotal;
