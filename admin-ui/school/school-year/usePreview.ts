import type { SchoolYearPlan } from '#api/school/school-year/school-year.contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from '../../../ui/api/ApiProvider.tsx';

/** What a plan would do, and what is open in it. The answer about the plan before stays until there is one about this. */
export const usePreview = (subjectId: string, plan: SchoolYearPlan) => {
  const api = useApi();
  return useQuery({
    queryKey: ['preview-school-year', subjectId, plan],
    queryFn: ({ signal }) => api.ask('preview-school-year', { subjectId, plan }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
};
