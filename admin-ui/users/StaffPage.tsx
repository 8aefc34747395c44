import { Button } from '@mui/material';
import { useState } from 'react';
import { ListBase } from 'react-admin';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import { SearchBox } from '../list/SearchBox.tsx';
import { StaffDialog } from './StaffDialog.tsx';
import { StaffTable } from './StaffTable.tsx';
import type { StaffUser } from './user.ts';

/** Who of the staff has an account, and what it may do. */
export const StaffPage = () => (
  <ListBase<StaffUser> resource="staffUsers" perPage={15} sort={{ field: 'teacher', order: 'ASC' }}>
    <Page title="Staff users" sub="Admins, leaders and teachers log in with these accounts." actions={<AddTeacher />}>
      <SearchBox label="Search staff" />
      <ListStates
        empty={
          <EmptyState title="Nobody has an account yet" action={<AddTeacher />}>
            Whoever you add gets a mail with a link to choose a password.
          </EmptyState>
        }
      >
        <StaffTable />
        <ListPager of="staff" />
      </ListStates>
    </Page>
  </ListBase>
);

const AddTeacher = () => {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="contained" onClick={() => setOpen(true)}>
        Add account
      </Button>
      {open && <StaffDialog onClose={() => setOpen(false)} />}
    </>
  );
};
