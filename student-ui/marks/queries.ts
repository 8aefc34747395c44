import type { SubmissionPage } from '#api/marks/submissions/submissions.contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import { isRefused } from '../../ui/api/failure.ts';
import { dropPaper, keepPaper, keptPaper } from '../../ui/drafts/offline.ts';
import { useSession } from '../../ui/session/Session.tsx';

/** ms. Students' pages have no live connection: whoever comes back to one is shown what teachers have entered meanwhile. */
const FRESH = 10_000;

export const useToSubmit = () => {
  const { isConfirmed } = useSession();
  return useQuery({ ...question(useApi(), 'to-submit', isConfirmed ? {} : undefined), staleTime: FRESH });
};

/** What waits for the student, and of which open tasks it is part. */
export const useTasks = () => {
  const { isConfirmed } = useSession();
  return useQuery({ ...question(useApi(), 'student-tasks', isConfirmed ? {} : undefined), staleTime: FRESH });
};

/** The test, and while it cannot be asked for what is kept of it on this device: without names. `kept`: null, if nothing is. */
export const useSubmission = (testId: string) => {
  const { me, isConfirmed } = useSession();
  const { data, error, refetch } = useQuery({
    ...question(useApi(), 'submission', isConfirmed ? { testId } : undefined),
    staleTime: FRESH,
  });
  const [kept, setKept] = useState<SubmissionPage | null>();
  const isMine = me.role === 'student';
  useEffect(() => {
    if (isMine) void keptPaper(me.accountId, testId).then((paper) => setKept(paper ?? null));
  }, [isMine, me.accountId, testId]);
  const isHidden = isRefused(error, 'not-found');
  useEffect(() => {
    if (!isMine || !(data || isHidden)) return;
    // Only while something can be entered.
    void (data?.open === true && !isHidden ? keepPaper(me.accountId, data) : dropPaper(me.accountId, testId));
  }, [isMine, me.accountId, testId, data, isHidden]);
  return { page: data, kept, error, retry: () => void refetch() };
};
