import { ListBase } from 'react-admin';
import { Page } from '../../../ui/frame/Page.tsx';
import { Changes } from '../../../ui/frame/ReadOnly.tsx';
import { RecentChanges } from '../../../ui/record/RecentChanges.tsx';
import { subjectPage } from '../../frame/NeedsSubject.tsx';
import { Deleted } from '../../list/Deleted.tsx';
import { ListExport } from '../../list/ListExport.tsx';
import type { Teacher } from './teacher.ts';
import { TeacherList } from './TeacherList.tsx';
import { WithoutTeacher } from './WithoutTeacher.tsx';

/** The teachers of the subject in use, with their classes. */
export const TeachersPage = subjectPage('Assign teachers to classes', ({ subjectId, name }) => {
  return (
    <ListBase<Teacher> resource="teachers" filter={{ subjectId }} perPage={25} sort={{ field: 'name', order: 'ASC' }}>
      <Page
        title="Assign teachers to classes"
        sub={`Who teaches ${name}, and which classes.`}
        actions={<ListExport file="teachers" columns={columns} personal={{ what: 'teachers', subjectId }} />}
      >
        <WithoutTeacher subjectId={subjectId} />
        <TeacherList subjectId={subjectId} subject={name} />
        <Deleted kinds={['teacher']} subjectId={subjectId} />
        <Changes>
          <RecentChanges subjectId={subjectId} kind="structure" />
        </Changes>
      </Page>
    </ListBase>
  );
});

const columns = [
  { label: 'Teacher', value: ({ name }: Teacher) => name },
  { label: 'Classes', value: ({ classes }: Teacher) => classes },
];
