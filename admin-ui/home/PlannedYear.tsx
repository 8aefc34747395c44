import { dateText } from '#api/contract/dates';
import type { KeptSchoolYear } from '#api/school/school-year/school-year.contract';
import { schoolYearName } from '#api/school/school-year/school-year.formula';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../ui/api/ApiProvider.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { AppLink } from '../../ui/frame/navigation.tsx';
import { counted } from '../format.ts';
import { usePreview } from '../school/school-year/usePreview.ts';

/** That the next school year is planned, or that it did not begin on its day. */
export const PlannedYear = ({ subjectId }: { readonly subjectId: string }) => {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['school-year', subjectId],
    queryFn: ({ signal }) => api.get<KeptSchoolYear>(`/api/school-years?subjectId=${subjectId}`, { signal }),
  });
  return data?.kept ? <Planned subjectId={subjectId} kept={data.kept} /> : null;
};

const Planned = ({ subjectId, kept }: { readonly subjectId: string; readonly kept: NonNullable<KeptSchoolYear['kept']> }) => {
  const { data } = usePreview(subjectId, kept.plan);
  const open = data?.problems ?? [];
  const year = schoolYearName(kept.plan.day);
  const day = dateText(kept.plan.day);
  const link = <AppLink to="/admin/school_year">Look at the plan</AppLink>;
  if (kept.trouble !== null)
    return (
      <Notice tone="warn" title={`The school year ${year} did not begin on ${day}.`}>
        <p>
          {kept.trouble} {link}
        </p>
      </Notice>
    );
  if (open.length > 0)
    return (
      <Notice tone="warn" title={`The plan of the school year ${year} waits: ${counted(open.length, 'thing')} to settle before ${day}.`}>
        <p>
          {open[0]?.message} {link}
        </p>
      </Notice>
    );
  return (
    <Notice title={data ? `The school year ${year} begins by itself on ${day}.` : `The school year ${year} is planned for ${day}.`}>
      <p>
        {kept.by} planned it. {link}
      </p>
    </Notice>
  );
};
