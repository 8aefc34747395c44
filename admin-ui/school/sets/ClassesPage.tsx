import { useState } from 'react';
import { Link } from 'react-router';
import { buttonClass } from '../../../ui/controls/Button.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { useDataProvider, useGetList } from 'react-admin';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { RecentChanges } from '../../../ui/record/RecentChanges.tsx';
import { Page } from '../../../ui/frame/Page.tsx';
import { leaving } from '../../../ui/session/unsaved.ts';
import { subjectPage } from '../../frame/NeedsSubject.tsx';
import { Deleted } from '../../list/Deleted.tsx';
import { RecordsExport } from '../../list/ListExport.tsx';
import { useHeld } from '../../list/useHeld.ts';
import type { TeachingSet, YearGroup } from './set.ts';
import { YearGroupPanel } from './YearGroupPanel.tsx';
import { AddBox } from '../../drafts/AddBox.tsx';
import { isYearMeant, yearTrouble } from './set.ts';
import { Changes } from '../../../ui/frame/ReadOnly.tsx';

/** Year groups and sets of the subject in use. */
export const ClassesPage = subjectPage('Classes', ({ subjectId, name: subject }) => {
  const { data, isPending, error, refetch } = useGetList<YearGroup>('yearGroups', {
    filter: { subjectId },
    pagination: { page: 1, perPage: 100 },
    sort: { field: 'year', order: 'ASC' },
  });
  const [open, setOpen] = useState<string>();
  const { me } = useSession();
  const shown = useHeld(data ?? [], open);
  return (
    <Page
      title="Classes"
      sub={`Year groups and sets of ${subject}.`}
      actions={
        <>
          {me.role === 'admin' && (
            <Link className={buttonClass()} to="/school_year">
              New school year
            </Link>
          )}
          <RecordsExport resource="sets" filter={{ subjectId }} sort={{ field: 'year', order: 'ASC' }} file="classes" columns={columns} />
        </>
      }
    >
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {isPending && <Skeleton rows={4} />}
      {data && <AddYearGroup subjectId={subjectId} taken={data.map(({ year }) => year)} onAdded={({ id }) => setOpen(id)} />}
      {data?.length === 0 && (
        <EmptyState title={`${subject} has no year group yet`}>
          <Changes>Add the first one above. A file of students (Student Details, Bulk Upload) can make the sets for you.</Changes>
        </EmptyState>
      )}
      {shown.map((yearGroup) => (
        <YearGroupPanel
          key={yearGroup.id}
          yearGroup={yearGroup}
          years={shown.filter(({ id }) => id !== yearGroup.id).map(({ year }) => year)}
          isGone={data?.every(({ id }) => id !== yearGroup.id) === true}
          open={open === yearGroup.id}
          // Closing the open year group discards its input.
          onOpen={(opens) => {
            const turn = () => setOpen(opens ? yearGroup.id : undefined);
            if (open === undefined) turn();
            else leaving('app', turn);
          }}
          onDeleted={() => setOpen(undefined)}
        />
      ))}
      <Deleted kinds={['yearGroup', 'set']} subjectId={subjectId} />
      <Changes>
        <RecentChanges subjectId={subjectId} kind="structure" />
      </Changes>
    </Page>
  );
});

const columns = [
  { label: 'Year group', value: ({ year }: TeachingSet) => year },
  { label: 'Set', value: ({ name }: TeachingSet) => name },
  { label: 'Scheme of work', value: ({ scheme }: TeachingSet) => scheme },
  { label: 'Assessments', value: ({ assessments }: TeachingSet) => assessments },
  { label: 'Red', value: ({ thresholds }: TeachingSet) => thresholds.red },
  { label: 'Amber', value: ({ thresholds }: TeachingSet) => thresholds.amber },
  { label: 'Green', value: ({ thresholds }: TeachingSet) => thresholds.green },
  { label: 'Students', value: ({ students }: TeachingSet) => students },
];

type AddYearGroupProps = { readonly subjectId: string; readonly taken: readonly number[]; readonly onAdded: (added: YearGroup) => void };

const AddYearGroup = ({ subjectId, taken, onAdded }: AddYearGroupProps) => {
  const provider = useDataProvider();
  return (
    <AddBox
      label="New year group, such as 11"
      button="Add year group"
      main
      wrong={(text) => yearTrouble(text, taken)}
      isMeant={isYearMeant}
      onAdd={(text) => provider.create<YearGroup>('yearGroups', { data: { subjectId, year: Number(text) } })}
      notice={(text) => `Year ${Number(text)} added.`}
      onAdded={({ data }) => onAdded(data)}
      input={{ inputMode: 'numeric' }}
    />
  );
};
