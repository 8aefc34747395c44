import { ListBase } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useAddDialog } from '../dialog/useAddDialog.tsx';
import { ChoiceFilter } from '../list/filters/ChoiceFilter.tsx';
import { ListExport } from '../list/ListExport.tsx';
import { SavedFilters } from '../list/filters/SavedFilters.tsx';
import { SearchBox } from '../list/filters/SearchBox.tsx';
import { StaffDialog } from './StaffDialog.tsx';
import { StaffTable } from './StaffTable.tsx';
import type { StaffUser } from './user.ts';
import { roleName, staffRoles, staffStates, stateName } from './user.ts';
import styles from '../list/ListTools.module.css';
import { Changes } from '../../ui/frame/ReadOnly.tsx';

/** The accounts of staff and their rights. */
export const StaffPage = () => {
  const add = useAddDialog('Add account', (close) => <StaffDialog onClose={close} />);
  return (
    <ListBase<StaffUser> resource="staffUsers" perPage={15} sort={{ field: 'teacher', order: 'ASC' }}>
      <Page
        title="Staff users"
        sub="Admins, leaders and teachers log in with these accounts."
        actions={
          <>
            <ListExport file="staff_users" columns={columns} personal={{ what: 'staff users' }} />
            {add.button}
          </>
        }
      >
        <div className={styles.tools}>
          <SearchBox label="Search staff" />
          <ChoiceFilter source="role" label="Role" choices={staffRoles} />
          <ChoiceFilter source="state" label="State" choices={staffStates} />
        </div>
        <SavedFilters />
        <StaffTable
          empty={
            <EmptyState title="Nobody has an account yet" action={add.button}>
              <Changes>Everybody you add gets a mail with a link to choose a password.</Changes>
            </EmptyState>
          }
        />
        {add.dialog}
      </Page>
    </ListBase>
  );
};

const columns = [
  { label: 'Name', value: ({ name }: StaffUser) => name },
  { label: 'Teacher', value: ({ teacher }: StaffUser) => teacher },
  { label: 'Subject', value: ({ subject }: StaffUser) => subject },
  { label: 'Role', value: ({ role }: StaffUser) => roleName(role) },
  { label: 'Email', value: ({ email }: StaffUser) => email },
  { label: 'State', value: stateName },
];
