import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { toldApart } from '#api/contract/names';
import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useDataProvider } from 'react-admin';
import { Button as KitButton } from '../../ui/controls/Button.tsx';
import { Confirm } from '../../ui/controls/Confirm.tsx';
import { Dialog, DialogFoot } from '../../ui/controls/Dialog.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { Link } from 'react-router';
import { useSession } from '../../ui/session/Session.tsx';
import { atSameMoment } from '../moment.ts';
import { useRemove } from '../dialog/useRemove.tsx';
import { counted } from '../format.ts';
import { BulkAct, BulkBar } from '../list/BulkBar.tsx';
import { ListPager } from '../list/ListPager.tsx';
import { ListStates } from '../list/ListStates.tsx';
import { SessionsDialog } from './SessionsDialog.tsx';
import type { StudentUser } from './user.ts';
import { NO_ADDRESS } from './user.ts';
import { Address, UserTable } from './UserTable.tsx';
import { HistoryLink } from '../../ui/record/HistoryLink.tsx';

/** The accounts of students and their actions; `empty` replaces an empty table. */
export const StudentUsersTable = ({ empty }: { readonly empty: ReactNode }) => {
  const provider = useDataProvider();
  const reset = useReset();
  const [watched, setWatched] = useState<StudentUser>();
  const removal = useRemove<StudentUser>({
    resource: 'studentUsers',
    act: 'Delete',
    title: ({ name }) => `Delete the account of ${name}?`,
    content: () => DELETED,
    done: ({ name }) => `The account of ${name} is deleted.`,
  });
  return (
    <>
      <ListStates empty={empty} elsewhere={notJoined}>
        <BulkBar>
          <BulkAct<StudentUser>
            label="Delete"
            title={(users) => `Delete ${counted(users.length, 'account')}?`}
            go={(users) => `Delete ${counted(users.length, 'account')}`}
            removes
            content="The log-ins stop working at once, and this cannot be undone. The students and all marks stay, and they can join again with the code."
            act={(user) => provider.delete('studentUsers', { id: user.id, previousData: user })}
            done={(count) => `${counted(count, 'account is', 'accounts are')} deleted.`}
          />
        </BulkBar>
        <UserTable<StudentUser>
          label="Student users"
          read={toldApart}
          nameOf={({ name }) => name ?? 'a student'}
          columns={columns}
          renderActions={(user) => (
            <>
              <Changes>
                {user.email !== null && (
                  <Button size="small" variant="outlined" aria-label={`Reset ${user.name}`} onClick={() => reset.ask(user)}>
                    Reset
                  </Button>
                )}
                <Button size="small" aria-label={`Sessions of ${user.name}`} onClick={() => setWatched(user)}>
                  Sessions
                </Button>
                <Button size="small" color="error" aria-label={`Delete ${user.name}`} onClick={() => removal.ask(user)}>
                  Delete
                </Button>
              </Changes>
              <HistoryLink of={{ id: user.id, name: user.name ?? 'a student' }} />
            </>
          )}
        />
        <ListPager of="students" />
      </ListStates>
      {reset.dialog}
      {watched && <SessionsDialog accountId={watched.id} name={watched.name ?? 'this student'} onClose={() => setWatched(undefined)} />}
      {removal.dialog}
    </>
  );
};

const columns = [
  { source: 'name', label: 'Name', cell: ({ name }: StudentUser) => name },
  {
    source: 'email',
    label: 'Email',
    cell: ({ email }: StudentUser) => (email === null ? <small>{NO_ADDRESS}</small> : <Address of={email} />),
  },
  { source: 'student', label: 'Student', cell: (user: StudentUser) => <ToStudent {...user} /> },
  { source: 'subject', label: 'Subject', cell: ({ subject }: StudentUser) => subject },
  { source: 'joined', label: 'Joined', cell: ({ joined }: StudentUser) => new Date(joined).toLocaleDateString('en-GB') },
] as const;

const notJoined = (find: string): ReactNode => (
  <>
    Who has not joined yet is not listed here: <Link to={detailsAt({ find })}>look in Student Details</Link>.
  </>
);

/** To the student in Student Details: of the subject in use, if they are in it. */
const ToStudent = ({ student, subjectIds }: StudentUser) => {
  const { subject: chosen } = useSession();
  const subject = subjectIds.find((subjectId) => subjectId === chosen?.subjectId) ?? subjectIds[0];
  if (student === null || subject === undefined) return student;
  return <Link to={detailsAt({ subject, find: student })}>{student}</Link>;
};

const detailsAt = (place: Readonly<Record<string, string>>): string =>
  atSameMoment(`/add_students?${new URLSearchParams(place).toString()}`);

const DELETED =
  'The log-in stops working at once, and this cannot be undone. The student and all marks stay, and the student can join again with the code.';

/** Confirms, because an earlier link stops working; then shows the new link once. */
const useReset = () => {
  const [user, setUser] = useState<StudentUser>();
  const {
    send: reset,
    pending,
    answer,
    forget,
  } = useCommand('ResetStudentAccount', {
    input: ({ id }: StudentUser) => ({ accountId: id }),
    onFailed: () => close(),
  });
  const close = () => {
    setUser(undefined);
    forget();
  };
  const dialog =
    user &&
    (answer === undefined ? (
      <Confirm title={`Reset the account of ${user.name}?`} go="Reset" pending={pending} onGo={() => void reset(user)} onClose={close}>
        <p>A link for a new password is mailed to {user.email}, and shown to you once. It works once, for a day.</p>
      </Confirm>
    ) : (
      <ResetDialog user={user} link={answer.link} onClose={close} />
    ));
  return { ask: setUser, dialog };
};

/** Shown once: the server cannot show it again. */
const ResetDialog = ({ user, link, onClose }: { readonly user: StudentUser; readonly link: string; readonly onClose: () => void }) => {
  const [copied, setCopied] = useState<string>();
  const copy = () => {
    navigator.clipboard.writeText(link).then(
      () => setCopied('Copied.'),
      () => setCopied('It could not be copied: select it.'),
    );
  };
  return (
    <Dialog title={`A new password for ${user.name}`} open onClose={onClose}>
      <div className="stack gap-3 pad">
        <p>
          This link is on its way to {user.email}. You can also hand it to {user.name} yourself: it is shown only now, and works once, for a
          day.
        </p>
        <p className="breaks">
          <code>{link}</code>
        </p>
        <p role="status">{copied}</p>
      </div>
      <DialogFoot>
        <KitButton look="primary" onClick={copy}>
          Copy
        </KitButton>
      </DialogFoot>
    </Dialog>
  );
};
