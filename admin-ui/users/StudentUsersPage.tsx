import { ListBase } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import { JoinCodeCard } from './JoinCodeCard.tsx';
import { StudentUsersTable } from './StudentUsersTable.tsx';
import type { StudentUser } from './user.ts';

/** How students join, and who has. */
export const StudentUsersPage = () => {
  const { subject } = useSession();
  return (
    <ListBase<StudentUser> resource="studentUsers" perPage={15} sort={{ field: 'name', order: 'ASC' }}>
      <Page title="Student users" sub="Students make their accounts themselves, by the joining code.">
        {subject && <JoinCodeCard key={subject.subjectId} subject={subject} />}
        <SearchBox label="Search students" />
        <ListStates
          empty={
            <EmptyState title="Nobody has joined yet">Hand out the joining code, or print stickers: whoever joins stands here.</EmptyState>
          }
        >
          <StudentUsersTable />
          <ListPager of="students" />
        </ListStates>
      </Page>
    </ListBase>
  );
};
