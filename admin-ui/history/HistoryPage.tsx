import { useSearchParams } from 'react-router';
import { buttonClass } from '../../ui/controls/Button.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { fileOf, filtersIn, timeZone, withFilters } from '../../ui/record/filters.ts';
import { Record } from '../../ui/record/Record.tsx';
import { RecordFilterBar } from '../../ui/record/RecordFilterBar.tsx';
import type { RecordFilters } from '../../ui/record/filters.ts';

/** History: the record of the whole school. */
export const HistoryPage = () => {
  const [search, setSearch] = useSearchParams();
  const filters = filtersIn(search);
  const narrow = (to: RecordFilters) => setSearch((before) => withFilters(before, to));
  return (
    <Page
      actions={
        <>
          <a className={buttonClass()} href={fileOf('csv', filters)} download>
            Download CSV
          </a>
          <a className={buttonClass()} href={fileOf('ndjson', filters)} download>
            Download NDJSON
          </a>
        </>
      }
      title="History"
      sub={`Everything that happened in the school. Times are those of ${timeZone()}.`}
    >
      <RecordFilterBar key={filters.text ?? ''} filters={filters} narrow={narrow} />
      <Record filters={filters} narrow={narrow} />
    </Page>
  );
};
