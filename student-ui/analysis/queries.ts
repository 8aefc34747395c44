import { useQuery } from '@tanstack/react-query';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import type { Questions } from '../../ui/api/questions.ts';
import { useSession } from '../../ui/session/Session.tsx';

/** ms. Students' pages hear of no change: who comes back to one, or opens another assessment, is shown what is new. */
const FRESH = 10_000;

export const useOwnQuestion = <Name extends keyof Questions>(name: Name, ask: Questions[Name]['ask'] | undefined) =>
  useQuery({ ...question(useApi(), name, ask), staleTime: FRESH });

export const useHome = (subjectId: string) => useOwnQuestion('student-home', useSession().isConfirmed ? { subjectId } : undefined);
