import { useQuery } from '@tanstack/react-query';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import { useSession } from '../../ui/session/Session.tsx';

/** ms. Students' pages hear of no change: who comes back to one, or opens another assessment, is shown what is new. */
const FRESH = 10_000;

export const useHome = (subjectId: string) => {
  const { isConfirmed } = useSession();
  return useQuery({ ...question(useApi(), 'student-home', isConfirmed ? { subjectId } : undefined), staleTime: FRESH });
};

export const useCard = (testId: string) => useQuery({ ...question(useApi(), 'student-card', { testId }), staleTime: FRESH });

export const useTopics = (subjectId: string) => useQuery({ ...question(useApi(), 'student-topics', { subjectId }), staleTime: FRESH });

export const useGraph = (testId: string, terminalExamId: string) =>
  useQuery({ ...question(useApi(), 'grade-graph', { testId, terminalExamId }), staleTime: FRESH });
