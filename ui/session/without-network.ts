import type { Me } from '#api/accounts/accounts.contract';
import { useEffect, useState } from 'react';
import { useRetrying } from '../api/ApiProvider.tsx';
import { rememberedStudent, rememberStudent } from '../drafts/offline.ts';
import { sectionOf } from './guard.ts';
import { useOverdue } from './useOverdue.ts';

/**
 * The student who was signed in in this browser last, for a page of students that opens while the server does not say who it is. What is
 * entered waits under this account; once the server answers, it sends and shows only what belongs to who is really signed in. `answered`:
 * what it has answered.
 */
export const useUnconfirmed = (path: string, answered: Me | undefined): Me | undefined => {
  const why = useRetrying()?.why;
  const [accountId, setAccountId] = useState<string>();
  const isAsked = !answered && sectionOf(path) === 'student';
  // The pages that open without a network (student-ui/marks) open with one that says nothing, too.
  const isOverdue = useOverdue(isAsked && path !== '/student/select');
  const isWanted = isAsked && (isOverdue || why === 'unreachable' || why === 'starting');
  useEffect(() => {
    if (answered) void rememberStudent(answered.role === 'student' ? answered.accountId : undefined);
  }, [answered]);
  useEffect(() => {
    if (isWanted) void rememberedStudent().then(setAccountId);
  }, [isWanted]);
  return accountId === undefined ? undefined : { ...NOBODY, accountId };
};

/** Names are not kept on the device. */
const NOBODY: Omit<Me, 'accountId'> = {
  name: 'You',
  email: '',
  role: 'student',
  school: { schoolId: '', name: 'Marktrail', structureOpen: false, resultsShown: false },
  subjects: [],
};
