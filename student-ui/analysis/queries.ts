import { useQuery } from '@tanstack/react-query';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import type { Questions } from '../../ui/api/questions.ts';
import { useSession } from '../../ui/session/Session.tsx';

/** ms. Students' pages are not live: they are refreshed when somebody comes back to one, or opens another assessment. */
const FRESH = 10_000;

export const useOwnQuestion = <Name extends keyof Questions>(name: Name, ask: Questions[Name]['ask'] | undefined) =>
  useQuery({ ...question(useApi(), name, ask), staleTime: FRESH });

export const useHome = (subjectId: string) => useOwnQuestion('student-home', useSession().isConfirmed ? { subjectId } : undefined);
