import { useState } from 'react';
import { useGetList } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { useRemove } from '../dialog/useRemove.tsx';
import { SaveBar } from '../drafts/SaveBar.tsx';
import { useDrafts } from '../drafts/useDrafts.ts';
import { byName } from '../format.ts';
import { NeedsSubject } from '../frame/NeedsSubject.tsx';
import { RecordsExport } from '../list/ListExport.tsx';
import { AddTeacher } from './AddTeacher.tsx';
import type { Named, Teacher } from './teacher.ts';
import { TeacherRow } from './TeacherRow.tsx';
import styles from './Teachers.module.css';

/** The teachers of the subject in use, and the classes of each. */
export const TeachersPage = () => {
  const { subject } = useSession();
  return subject ? (
    <Teachers key={subject.subjectId} subjectId={subject.subjectId} subject={subject.name} />
  ) : (
    <NeedsSubject title="Assign teachers to classes" />
  );
};

const columns = [
  { label: 'Teacher', value: ({ name }: Teacher) => name },
  { label: 'Classes', value: ({ classes }: Teacher) => classes },
];

const ALL = { page: 1, perPage: 500 };

const Teachers = ({ subjectId, subject }: { readonly subjectId: string; readonly subject: string }) => {
  const query = { filter: { subjectId }, pagination: ALL, sort: { field: 'name', order: 'ASC' } } as const;
  const teachers = useGetList<Teacher>('teachers', query);
  const sets = useGetList<Named>('sets', query);
  const drafts = useDrafts<Teacher>('teachers', teachers.data);
  const [done, setDone] = useState(false);
  const removal = useRemove<Teacher>({
    resource: 'teachers',
    act: 'Remove',
    title: ({ name }) => `Remove ${name ?? 'this teacher'}?`,
    content: () => 'The classes stay; an account that is linked to this teacher loses its classes here.',
    done: ({ name }) => `${name ?? 'The teacher'} removed.`,
  });
  const failed = teachers.error ?? sets.error;
  return (
    <Page
      title="Assign teachers to classes"
      sub={`Who teaches ${subject}, and which classes.`}
      actions={<RecordsExport resource="teachers" filter={query.filter} sort={query.sort} file="teachers" columns={columns} />}
    >
      {failed && !teachers.data && <Failure error={failed} retry={() => void teachers.refetch()} />}
      {teachers.isPending && <Skeleton rows={6} />}
      {teachers.data && drafts.rows.length === 0 && (
        <EmptyState title={`${subject} has no teachers yet`}>Add the first one below, then choose the classes.</EmptyState>
      )}
      <ul className={styles.list}>
        {drafts.rows.map((row) => (
          <TeacherRow
            key={row.id}
            teacher={drafts.shown(row)}
            sets={(sets.data ?? []).toSorted(byName)}
            errors={drafts.errorsOf(row.id)}
            onChange={(setIds) => {
              setDone(false);
              drafts.change(row, { setIds });
            }}
            onReload={() => drafts.discard(row.id)}
            onRemove={() => removal.ask(row)}
          />
        ))}
      </ul>
      <SaveBar
        label="Submit"
        disabled={drafts.changed === 0}
        saving={drafts.saving}
        done={done}
        onSave={() => void drafts.save().then(setDone)}
      />
      {teachers.data && <AddTeacher subjectId={subjectId} taken={teachers.data} />}
      {removal.dialog}
    </Page>
  );
};
