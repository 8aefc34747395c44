import type { Staff } from '../../events/accounts/staff.ts';
import type { Actor } from '../actor.ts';
import { ProblemError } from '../common/problems.ts';

/**
 * Whether the author's account is open and has the role of the request, according to the log; and a leader's, a teacher record in the subject
 * of the request.
 */
export const stands = ({ accounts }: Staff, { accountId, role }: Actor, subjectId?: string): boolean => {
  if (role === 'system') return true;
  const account = accounts.get(accountId);
  if (!account || account.closed || account.role !== role) return false;
  return role !== 'leader' || subjectId === undefined || account.teachers.some((one) => one.subjectId === subjectId);
};

/** The same as for an ended session: what was typed is kept, and a new log-in has the rights of now. */
export const notStanding = (): ProblemError => new ProblemError('not-authenticated', 'Log in first.');
