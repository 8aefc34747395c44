import { Button } from '@mui/material';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useCommand } from '../data/useCommand.ts';
import { useRemove } from '../dialog/useRemove.tsx';
import { StaffDialog } from './StaffDialog.tsx';
import { UserTable } from './UserTable.tsx';
import type { StaffUser } from './user.ts';
import { nameOf, roleName, stateName } from './user.ts';
import table from '../list/Table.module.css';

export const StaffTable = () => {
  const { data = [] } = useListContext<StaffUser>();
  const [edited, setEdited] = useState<StaffUser>();
  const resend = useResend();
  const removal = useRemove<StaffUser>({
    resource: 'staffUsers',
    act: 'Deactivate',
    title: (user) => `Deactivate the account of ${nameOf(user)}?`,
    content: () => 'It is closed at once, and for good. What was done with it stays. The address can be invited again.',
    done: (user) => `The account of ${nameOf(user)} is closed.`,
  });
  return (
    <>
      <UserTable
        label="Staff users"
        columns={[
          { source: 'teacher', label: 'Teacher' },
          { source: 'subject', label: 'Subject' },
          { source: 'role', label: 'Role' },
          { source: 'email', label: 'Email' },
        ]}
      >
        {data.map((user) => (
          <tr key={user.id}>
            <th scope="row">
              {nameOf(user)}
              {user.teacher !== null && user.teacher !== nameOf(user) && <small>{user.teacher}</small>}
            </th>
            <td>{user.subject}</td>
            <td>{roleName(user.role)}</td>
            <td>
              {user.email}
              {user.state !== 'active' && <small>{stateName(user)}</small>}
            </td>
            <td>
              <div className={table.buttons}>
                <Button size="small" variant="outlined" aria-label={`${actOn(user)} ${nameOf(user)}`} onClick={() => setEdited(user)}>
                  {actOn(user)}
                </Button>
                {user.state === 'invited' && (
                  <Button size="small" aria-label={`Re-send Activation to ${nameOf(user)}`} onClick={() => void resend(user)}>
                    Re-send Activation
                  </Button>
                )}
                {user.accountId !== null && (
                  <Button size="small" aria-label={`Deactivate ${nameOf(user)}`} onClick={() => removal.ask(user)}>
                    Deactivate
                  </Button>
                )}
              </div>
            </td>
          </tr>
        ))}
      </UserTable>
      {edited && <StaffDialog user={edited} onClose={() => setEdited(undefined)} />}
      {removal.dialog}
    </>
  );
};

const actOn = ({ state }: StaffUser): string => (state === 'none' ? 'Activate' : 'Update');

const useResend = () => {
  const command = useCommand();
  const toast = useToast();
  return ({ accountId, email }: StaffUser) =>
    command('InviteStaffAgain', { accountId: accountId ?? '' }).then(
      () => toast({ tone: 'good', text: `Another activation mail is on its way to ${email}. The link before it is dead.` }),
      (error: unknown) => toast({ tone: 'bad', text: sentence(error) }),
    );
};
