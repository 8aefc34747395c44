import { Button } from '@mui/material';
import { useState } from 'react';
import { Confirm, useListContext } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useCommand } from '../data/useCommand.ts';
import { useRemove } from '../dialog/useRemove.tsx';
import { ResetDialog } from './ResetDialog.tsx';
import type { StudentUser } from './user.ts';
import { UserTable } from './UserTable.tsx';
import table from '../list/Table.module.css';

export const StudentUsersTable = () => {
  const { data = [] } = useListContext<StudentUser>();
  const { ask, dialog } = useReset();
  const removal = useRemove<StudentUser>({
    resource: 'studentUsers',
    act: 'Delete',
    title: ({ name }) => `Delete the account of ${name}?`,
    content: () => 'The log-in ends at once. The student and all marks stay, and the student can join again by the code.',
    done: ({ name }) => `The account of ${name} is deleted.`,
  });
  return (
    <>
      <UserTable
        label="Student users"
        columns={[
          { source: 'name', label: 'Name' },
          { source: 'email', label: 'Email' },
          { source: 'student', label: 'Student' },
          { source: 'subject', label: 'Subject' },
          { source: 'joined', label: 'Joined' },
        ]}
      >
        {data.map((user) => (
          <tr key={user.id}>
            <th scope="row">{user.name}</th>
            <td>{user.email}</td>
            <td>{user.student}</td>
            <td>{user.subject}</td>
            <td>{new Date(user.joined).toLocaleDateString('en-GB')}</td>
            <td>
              <div className={table.buttons}>
                <Button size="small" variant="outlined" aria-label={`Reset ${user.name}`} onClick={() => ask(user)}>
                  Reset
                </Button>
                <Button size="small" aria-label={`Delete ${user.name}`} onClick={() => removal.ask(user)}>
                  Delete
                </Button>
              </div>
            </td>
          </tr>
        ))}
      </UserTable>
      {dialog}
      {removal.dialog}
    </>
  );
};

/** Asks first: the link before it dies. Then shows the link, once. */
const useReset = () => {
  const command = useCommand();
  const toast = useToast();
  const [user, setUser] = useState<StudentUser>();
  const [link, setLink] = useState<string>();
  const close = () => {
    setUser(undefined);
    setLink(undefined);
  };
  const reset = async ({ id }: StudentUser) => {
    try {
      const { link: made } = await command('ResetStudentAccount', { accountId: id });
      setLink(made);
    } catch (error) {
      toast({ tone: 'bad', text: sentence(error) });
      close();
    }
  };
  const dialog =
    user &&
    (link === undefined ? (
      <Confirm
        isOpen
        title={`Reset the account of ${user.name}?`}
        content={`A link for a new password is mailed to ${user.email}, and shown to you once. It works once, for a day.`}
        confirm="Reset"
        onConfirm={() => void reset(user)}
        onClose={close}
      />
    ) : (
      <ResetDialog user={user} link={link} onClose={close} />
    ));
  return { ask: setUser, dialog };
};
