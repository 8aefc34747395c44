import { schoolYearName } from '#api/school/school-year/school-year.formula';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { question, useApi } from '../../ui/api/ApiProvider.tsx';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { placeQuery } from '../shell/place.ts';
import type { YearGroup } from '../shell/place.ts';

type LastYearProps = { readonly subjectId: string; readonly yearGroup: YearGroup };

/** Opens the markbook as it was when the school year before this one ended. */
export const LastYear = ({ subjectId, yearGroup }: LastYearProps) => {
  const { data } = useLastYear(subjectId);
  if (!data) return null;
  const place = placeQuery(yearGroup, undefined);
  return (
    <Link className={buttonClass()} to={`/leader/markbook${place}${place === '' ? '?' : '&'}asOf=${encodeURIComponent(data.asOf)}`}>
      {data.name}
    </Link>
  );
};

/** The last school year of the subject; null: none has ended here. */
const useLastYear = (subjectId: string) => {
  const api = useApi();
  const client = useQueryClient();
  return useQuery({
    queryKey: ['last-year', subjectId],
    async queryFn({ signal }) {
      const { events } = await api.ask('history', { type: 'SchoolYearBegun', subjectId, limit: 1 }, { signal });
      const [begun] = events;
      if (!begun) return null;
      const { together, caused } = await client.fetchQuery(question(api, 'history-entry', { eventId: begun.eventId }));
      if (caused.length > 0) return null;
      // Those who left had left a little before.
      const first = Math.min(...[begun, ...together].map(({ at }) => Date.parse(at)));
      const asOf = new Date(first - 1).toISOString();
      return { name: schoolYearName(new Date(first - A_YEAR).toISOString()), asOf };
    },
  });
};

const A_YEAR = 365 * 86_400_000;
