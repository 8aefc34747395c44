import type { CellHistory, Markbook } from '#api/marks/marks.contract';
import type { UseQueryResult } from '@tanstack/react-query';
import { hashKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { question, useApi, useCovered, useQuestion } from '../ui/api/ApiProvider.tsx';
import type { Questions } from '../ui/api/questions.ts';
import { useMemo } from 'react';
import { useMoment } from './moment.ts';
import { useSession } from '../ui/session/Session.tsx';

/** This app's queries about the chosen subject. On a page that shows an earlier moment, as of then. */

export const useStructure = () => {
  const { subject } = useSession();
  return useQuestion('structure', subject && { subjectId: subject.subjectId }, useMoment().asOf);
};

/** The questions of the subject's assessments, by assessment. Undefined: not known yet. */
export const useQuestions = (isWanted = true) => {
  const { subject } = useSession();
  const { data } = useQuestion('questions', isWanted && subject ? { subjectId: subject.subjectId } : undefined, useMoment().asOf);
  return useMemo(() => data && new Map(data.tests.map(({ testId, questions }) => [testId, questions])), [data]);
};

/** Uploads of one class or of all, newest first, page by page. */
export const useUploads = (setId: string | undefined) => {
  const api = useApi();
  const { subject } = useSession();
  const { asOf } = useMoment();
  const ask = { subjectId: subject?.subjectId ?? '', ...(setId === undefined ? {} : { setId }) };
  const queryKey = ['uploads', ask, ...(asOf === undefined ? [] : [asOf])];
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.query(
        'uploads',
        { ...ask, ...(pageParam === null ? {} : { before: pageParam }) },
        { signal, asOf, ...(asOf === undefined ? { as: hashKey(queryKey) } : {}) },
      ),
    initialPageParam: NEWEST,
    getNextPageParam: ({ next }) => next,
    enabled: subject !== undefined,
    ...(asOf === undefined ? {} : { staleTime: Infinity }),
  });
};

const NEWEST: string | null = null;

/**
 * The markbook of a year group, or of one of its classes. Until it comes: what the page holds of the year group, or has last shown of it; ask
 * `showsClass`. `taskId`: of which feedback task the ranking is to be, if not of the last one. `rows`: only these of the year group.
 */
export const useMarkbook = (yearGroupId: string | undefined, setId?: string, taskId?: string, rows?: AskRows): UseQueryResult<Markbook> => {
  const api = useApi();
  const client = useQueryClient();
  const { asOf } = useMoment();
  const ofTask = taskId === undefined ? {} : { taskId };
  const ofYear = question(api, 'markbook', yearGroupId === undefined ? undefined : { yearGroupId, ...ofTask }, asOf);
  return useQuery({
    ...(yearGroupId === undefined || (setId === undefined && !rows)
      ? ofYear
      : question(api, 'markbook', { yearGroupId, ...(setId === undefined ? rows : { setId }), ...ofTask }, asOf)),
    ...useCovered(),
    placeholderData: (before, query) =>
      client.getQueryData(ofYear.queryKey) ?? (before?.yearGroupId === yearGroupId && query?.queryKey[2] === asOf ? before : undefined),
  });
};

type AskRows = Omit<Questions['markbook']['ask'], 'yearGroupId' | 'setId' | 'taskId'>;

/** Whether a markbook has the students of a class; undefined: of all classes. */
export const showsClass = (markbook: Markbook, setId: string | undefined): boolean =>
  (markbook.setId === undefined && !markbook.rows) || markbook.setId === setId;

/** An assessment of a class, student by question. */
export const useSheetQuery = (of: { readonly setId: string; readonly testId: string }) => useQuestion('sheet', of, useMoment().asOf);

export type CellOf = { readonly testId: string; readonly studentId: string; readonly questionId?: string; readonly attendance?: 'true' };

export const useCell = (cell: CellOf | undefined): UseQueryResult<CellHistory> => useQuestion('cell', cell, useMoment().asOf);
