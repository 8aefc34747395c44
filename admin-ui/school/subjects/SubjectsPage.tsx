import { ListBase } from 'react-admin';
import { Page } from '../../../ui/frame/Page.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { NoSubject } from '../../frame/NeedsSubject.tsx';
import { useAddDialog } from '../../dialog/useAddDialog.tsx';
import { Deleted } from '../../list/Deleted.tsx';
import { ListExport } from '../../list/ListExport.tsx';
import { SearchBox } from '../../list/filters/SearchBox.tsx';
import type { Subject } from './subject.ts';
import { SubjectCards } from './SubjectCards.tsx';
import { SubjectDialog } from './SubjectDialog.tsx';

/** The school's subjects: search, add, rename, remove. Leaders see their own, and may rename them. */
export const SubjectsPage = () => {
  const isAdmin = useSession().me.role === 'admin';
  const add = useAddDialog('Add subject', (close) => <SubjectDialog onClose={close} />);
  return (
    <ListBase<Subject> resource="subjects" perPage={24} sort={{ field: 'name', order: 'ASC' }}>
      <Page
        title="Subjects"
        sub={
          isAdmin
            ? 'Everything else of the school belongs to a subject.'
            : 'Your subjects. Admins add and delete subjects, and look after students and accounts.'
        }
        actions={
          <>
            <ListExport file="subjects" columns={columns} />
            {isAdmin && add.button}
          </>
        }
      >
        <SearchBox label="Search subjects" />
        <SubjectCards
          empty={
            <NoSubject action={add.button}>
              Add the first one, such as Mathematics: schemes of work, assessments and classes come next.
            </NoSubject>
          }
        />
        {isAdmin && <Deleted kinds={['subject']} />}
        {add.dialog}
      </Page>
    </ListBase>
  );
};

const columns = [
  { label: 'Subject', value: ({ name }: Subject) => name },
  { label: 'Year groups', value: ({ yearGroups }: Subject) => yearGroups },
  { label: 'Sets', value: ({ sets }: Subject) => sets },
  { label: 'Students', value: ({ students }: Subject) => students },
  { label: 'Teachers', value: ({ teachers }: Subject) => teachers },
];
