import { useSearchParams } from 'wouter';
import { Page } from '../../ui/frame/Page.tsx';
import type { RecordFilters } from '../../ui/record/filters.ts';
import { filtersIn, timeZone, withFilters } from '../../ui/record/filters.ts';
import { Record } from '../../ui/record/Record.tsx';
import { RecordFilterBar } from '../../ui/record/RecordFilterBar.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useStructure } from '../queries.ts';
import { ClassPicker } from '../shell/ClassPicker.tsx';
import { NoSubject } from '../shell/NoSubject.tsx';
import { usePlace } from '../shell/place.ts';
import { useOwnClasses } from '../shell/viewed/TeacherProvider.tsx';

/** History: the record of the subject, or of a class; of it teachers see what is about their classes. */
export const HistoryPage = () => {
  const { subject, me } = useSession();
  const own = useOwnClasses(useStructure().data);
  const { set } = usePlace(own);
  const [search, setSearch] = useSearchParams();
  if (!subject) return <NoSubject title="History" />;
  const filters = filtersIn(search);
  const narrow = (to: RecordFilters) => setSearch((before) => withFilters(before, to));
  const what = set?.name ?? (me.role === 'teacher' ? `your classes in ${subject.name}` : subject.name);
  return (
    <Page title="History" sub={`What happened in ${what}. Times are those of ${timeZone()}.`}>
      {own && <ClassPicker structure={own} all="All classes" />}
      <RecordFilterBar key={filters.text ?? ''} filters={filters} narrow={narrow} />
      <Record
        filters={filters}
        narrow={narrow}
        within={{ subjectId: subject.subjectId, ...(set === undefined ? {} : { setId: set.setId }) }}
      />
    </Page>
  );
};
