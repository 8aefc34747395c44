import { dateText } from '#api/contract/dates';
import type { KeptSchoolYear } from '#api/school/school-year/school-year.contract';
import { schoolYearName } from '#api/school/school-year/school-year.formula';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';

/** That the next school year is planned, or that it did not begin on its day. */
export const PlannedYear = ({ subjectId }: { readonly subjectId: string }) => {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['school-year', subjectId],
    queryFn: ({ signal }) => api.get<KeptSchoolYear>(`/api/school-years?subjectId=${subjectId}`, { signal }),
  });
  const kept = data?.kept;
  if (!kept) return null;
  const year = schoolYearName(kept.plan.day);
  const day = dateText(kept.plan.day);
  return (
    <Notice
      tone={kept.trouble === null ? 'plain' : 'warn'}
      title={
        kept.trouble === null ? `The school year ${year} begins by itself on ${day}.` : `The school year ${year} did not begin on ${day}.`
      }
    >
      <p>
        {kept.trouble ?? `${kept.by} planned it.`} <AppLink to="/admin/school_year">Look at the plan</AppLink>
      </p>
    </Notice>
  );
};
