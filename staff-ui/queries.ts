import type { CellHistory } from '#api/marks/marks.contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi, useQuestion } from '../ui/api/ApiProvider.tsx';
import { useMoment } from './as-of/useMoment.ts';
import { useSession } from '../ui/session/Session.tsx';

/**
 * This app's queries about the chosen subject, each with the live topics that refetch it. On a page that shows an earlier moment, as of
 * then.
 */
const NO_SUBJECT = { subjectId: '' };

export const useStructure = () => {
  const { subject } = useSession();
  const { subjectId } = subject ?? NO_SUBJECT;
  return useQuestion('structure', subject && { subjectId }, [`structure:${subjectId}`, 'roster'], useMoment().asOf);
};

/** Uploads of one class or of all, newest first, page by page. */
export const useUploads = (setId: string | undefined) => {
  const api = useApi();
  const { subject } = useSession();
  const { subjectId } = subject ?? NO_SUBJECT;
  const ask = { subjectId, ...(setId === undefined ? {} : { setId }) };
  return useInfiniteQuery({
    queryKey: ['uploads', ask],
    queryFn: ({ pageParam, signal }) => api.query('uploads', { ...ask, ...(pageParam === null ? {} : { before: pageParam }) }, { signal }),
    initialPageParam: NEWEST,
    getNextPageParam: ({ next }) => next,
    meta: { topics: [`marks:${subjectId}`, 'roster'] },
    enabled: subject !== undefined,
  });
};

const NEWEST: string | null = null;

export const useMarkbook = (yearGroupId: string | undefined) => {
  const { subjectId } = useSession().subject ?? NO_SUBJECT;
  return useQuestion(
    'markbook',
    yearGroupId === undefined ? undefined : { yearGroupId },
    [`marks:${subjectId}`, `structure:${subjectId}`, 'roster'],
    useMoment().asOf,
  );
};

export type CellOf = { readonly testId: string; readonly studentId: string; readonly questionId?: string; readonly attendance?: 'true' };

export const useCell = (cell: CellOf | undefined): UseQueryResult<CellHistory> => {
  const { subjectId } = useSession().subject ?? NO_SUBJECT;
  return useQuestion('cell', cell, [`marks:${subjectId}`], useMoment().asOf);
};
