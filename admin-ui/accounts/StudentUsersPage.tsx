import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { dateText } from '#api/contract/dates';
import { TextField } from '@mui/material';
import { useState } from 'react';
import { ListBase } from 'react-admin';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { NoSubject } from '../frame/NeedsSubject.tsx';
import { ListExport } from '../list/ListExport.tsx';
import { SearchBox } from '../list/filters/SearchBox.tsx';
import { JoinCodeCard } from './JoinCodeCard.tsx';
import { StudentUsersTable } from './StudentUsersTable.tsx';
import type { StudentUser } from './user.ts';
import styles from '../list/ListTools.module.css';

/** How students join, and the accounts of those who have: of the subject in use, or of all. */
export const StudentUsersPage = () => {
  const { subject } = useSession();
  const [all, setAll] = useState(false);
  const only = all ? undefined : subject;
  return (
    <ListBase<StudentUser>
      resource="studentUsers"
      perPage={15}
      sort={{ field: 'name', order: 'ASC' }}
      filter={only ? { subjectIds: only.subjectId } : {}}
    >
      <Page
        title="Student users"
        sub="Students make their own accounts with the joining code."
        actions={<ListExport file="student_users" columns={columns} personal={{ what: 'student users', subjectId: only?.subjectId }} />}
      >
        {subject && (
          <Changes>
            <JoinCodeCard key={subject.subjectId} subject={subject} />
          </Changes>
        )}
        <div className={styles.tools}>
          <SearchBox label="Search students" />
          {subject && (
            <TextField
              select
              label="Students of"
              value={all ? 'all' : 'subject'}
              onChange={({ target }) => setAll(target.value === 'all')}
              slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
              sx={{ flex: '0 1 260px' }}
            >
              <option value="subject">{subject.name}</option>
              <option value="all">All subjects</option>
            </TextField>
          )}
        </div>
        <StudentUsersTable
          empty={
            !subject ? (
              <NoSubject action={<Link to="/subjects">Add a subject</Link>}>
                Students join a subject with its code. Add the first subject.
              </NoSubject>
            ) : (
              <EmptyState title={only ? `Nobody in ${only.name} has joined yet` : 'Nobody has joined yet'}>
                <Changes>Hand out the joining code or print stickers: students who have joined are listed here.</Changes>
              </EmptyState>
            )
          }
        />
      </Page>
    </ListBase>
  );
};

const columns = [
  { label: 'Name', value: ({ name }: StudentUser) => name },
  { label: 'Email', value: ({ email }: StudentUser) => email },
  { label: 'StudentID', value: ({ admissionNo }: StudentUser) => admissionNo },
  { label: 'Student', value: ({ student }: StudentUser) => student },
  { label: 'Subject', value: ({ subject }: StudentUser) => subject },
  { label: 'Joined', value: ({ joined }: StudentUser) => dateText(joined.slice(0, 10)) },
];
