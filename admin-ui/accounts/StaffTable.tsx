import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useDataProvider } from 'react-admin';
import { Link } from 'react-router';
import { useCommand } from '../../ui/sending/useSend.ts';
import { useRemove } from '../dialog/useRemove.tsx';
import { counted } from '../format.ts';
import { BulkAct, BulkBar } from '../list/BulkBar.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import { SessionsDialog } from './SessionsDialog.tsx';
import { StaffDialog } from './StaffDialog.tsx';
import { Address, UserTable } from './UserTable.tsx';
import type { StaffUser } from './user.ts';
import { NO_ADDRESS, nameOf, roleName, stateName } from './user.ts';
import { HistoryLink } from '../../ui/record/HistoryLink.tsx';

/** The accounts of staff and their actions; `empty` replaces an empty table. */
export const StaffTable = ({ empty }: { readonly empty: ReactNode }) => {
  const [edited, setEdited] = useState<StaffUser>();
  const [watched, setWatched] = useState<StaffUser>();
  const resend = useResend();
  const removal = useRemove<StaffUser>({
    resource: 'staffUsers',
    act: 'Deactivate',
    title: (user) => `Deactivate the account of ${nameOf(user)}?`,
    content: whatCloses,
    done: (user) => `The account of ${nameOf(user)} is closed.`,
  });
  return (
    <>
      <ListStates empty={empty}>
        <StaffBulk />
        <UserTable<StaffUser>
          label="Staff users"
          nameOf={nameOf}
          columns={columns}
          renderActions={(user) => (
            <>
              <Changes>
                <Button size="small" variant="outlined" aria-label={`${actOn(user)} ${nameOf(user)}`} onClick={() => setEdited(user)}>
                  {actOn(user)}
                </Button>
                {user.state === 'invited' && (
                  <Button size="small" aria-label={`Re-send Activation to ${nameOf(user)}`} onClick={() => void resend(user)}>
                    Re-send Activation
                  </Button>
                )}
                {user.state === 'active' && (
                  <Button size="small" aria-label={`Sessions of ${nameOf(user)}`} onClick={() => setWatched(user)}>
                    Sessions
                  </Button>
                )}
                {user.accountId !== null && (
                  <Button size="small" aria-label={`Deactivate ${nameOf(user)}`} onClick={() => removal.ask(user)}>
                    Deactivate
                  </Button>
                )}
              </Changes>
              {user.accountId !== null && <HistoryLink of={{ id: user.accountId, name: nameOf(user) }} />}
            </>
          )}
        />
        <ListPager of="staff" />
      </ListStates>
      {edited && <StaffDialog user={edited} onClose={() => setEdited(undefined)} />}
      {watched?.accountId && <SessionsDialog accountId={watched.accountId} name={nameOf(watched)} onClose={() => setWatched(undefined)} />}
      {removal.dialog}
    </>
  );
};

const CLOSED = 'It is closed at once, and for good: this cannot be undone. What was done with it stays. The address can be invited again.';

/** Of a teacher, also where log-in and classes go as one act. */
const whatCloses = ({ teachers }: StaffUser): ReactNode =>
  teachers.length === 0 ? (
    CLOSED
  ) : (
    <>
      <p>{CLOSED}</p>
      <p>
        The classes stay with the teacher record. If others take them over, delete the teacher under{' '}
        <Link to="/teachers">Assign teachers to classes</Link> instead: the log-in is deactivated there, too.
      </p>
    </>
  );

const actOn = ({ state }: StaffUser): string => (state === 'none' ? 'Activate' : 'Update');

const Who = ({ user }: { readonly user: StaffUser }) => (
  <>
    {nameOf(user)}
    {user.teacher !== null && user.teacher !== nameOf(user) && <small>{user.teacher}</small>}
  </>
);

const Reached = ({ user }: { readonly user: StaffUser }) => (
  <>
    {user.email !== null && <Address of={user.email} />}
    {user.state === 'active' && user.email === null && <small>{NO_ADDRESS}</small>}
    {user.state !== 'active' && <small>{stateName(user)}</small>}
  </>
);

const columns = [
  { source: 'teacher', label: 'Teacher', cell: (user: StaffUser) => <Who user={user} /> },
  { source: 'subject', label: 'Subject', cell: ({ subject }: StaffUser) => subject },
  { source: 'role', label: 'Role', cell: ({ role }: StaffUser) => roleName(role) },
  { source: 'email', label: 'Email', cell: (user: StaffUser) => <Reached user={user} /> },
] as const;

const StaffBulk = () => {
  const provider = useDataProvider();
  return (
    <BulkBar>
      <BulkAct<StaffUser>
        label="Re-send Activation"
        fits={({ state }) => state === 'invited'}
        none="None of those chosen is waiting for activation."
        title={(users) => `Re-send the activation to ${counted(users.length, 'person', 'people')}?`}
        go={(users) => `Re-send ${counted(users.length, 'activation')}`}
        content="Each gets another mail. Earlier links stop working."
        act={({ id }, command) => command('InviteStaffAgain', { accountId: id })}
        done={(count) => `${counted(count, 'activation mail is', 'activation mails are')} on the way.`}
      />
      <BulkAct<StaffUser>
        label="Deactivate"
        fits={({ accountId }) => accountId !== null}
        none="None of those chosen has an account."
        title={(users) => `Deactivate ${counted(users.length, 'account')}?`}
        go={(users) => `Deactivate ${counted(users.length, 'account')}`}
        removes
        content="They are closed at once, and for good: this cannot be undone. Everything done with them stays. The addresses can be invited again."
        act={(user) => provider.delete('staffUsers', { id: user.id, previousData: user })}
        done={(count) => `${counted(count, 'account is', 'accounts are')} closed.`}
      />
    </BulkBar>
  );
};

const useResend = () =>
  useCommand('InviteStaffAgain', {
    input: ({ accountId }: StaffUser) => ({ accountId: accountId ?? '' }),
    notice: (_answer, { email }) => `Another activation mail is on its way to ${email}. The earlier link no longer works.`,
  }).send;
