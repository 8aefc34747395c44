import type { Submission } from '../../../events/marks/submission.ts';
import type { ClosedBy } from './submissions.contract.ts';

type Sat = {
  readonly attendance: 'sat' | 'absent' | 'exempt';
  readonly questions: number;
  readonly staffMarks: number;
};

/** Why the student may not enter marks; null: they may. */
export const closedFor = ({ attendance, questions, staffMarks }: Sat, status: Submission['status']): ClosedBy | null => {
  if (attendance !== 'sat') return attendance;
  if (questions > 0 && staffMarks === questions) return 'staff';
  return status === 'confirmed' ? 'submitted' : null;
};

/** Whether what the student confirmed last has another total than that of staff. */
export const mismatched = ({ confirmedTotal, staffTotal }: { confirmedTotal: number | null; staffTotal: number | null }): boolean =>
  confirmedTotal !== null && staffTotal !== null && confirmedTotal !== staffTotal;
