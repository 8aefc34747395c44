import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId, useState } from 'react';
import { email, Form, required, SelectArrayInput, SelectInput, TextInput, useGetList } from 'react-admin';
import { isRefused, sentence } from '../../ui/api/failure.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { WaitStrip } from '../../ui/feedback/WaitStrip.tsx';
import { useCommand } from '../data/useCommand.ts';
import type { StaffRole, StaffUser } from './user.ts';
import { linkIn, linkText, nameOf, staffRoles } from './user.ts';

type Values = { readonly name: string; readonly email: string; readonly role: StaffRole; readonly links: readonly string[] };

/** A new account; one for a teacher who has none (`state` none); or role, address and teacher records of one that there is. */
export const StaffDialog = ({ user, onClose }: { readonly user?: StaffUser; readonly onClose: () => void }) => {
  const { save, failure, busy } = useSave(user, onClose);
  const titleId = useId();
  const isNew = user === undefined || user.state === 'none';
  const title = isNew ? (user ? `Activate ${nameOf(user)}` : 'Add account') : `Update ${nameOf(user)}`;
  const values = {
    name: user ? nameOf(user) : '',
    email: user?.email ?? '',
    role: user?.role ?? (user ? 'teacher' : undefined),
    links: (user?.teachers ?? []).map(linkText),
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <Form defaultValues={values} onSubmit={(typed: object) => save(typed as Values)} noValidate disableInvalidFormNotification>
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <WaitStrip />
        <DialogContent>
          {failure && <Notice tone="bad" title={failure} />}
          {isNew && <TextInput source="name" label="Name" validate={required('Required.')} inputProps={{ maxLength: 50 }} autoFocus />}
          <TextInput
            source="email"
            label="E-mail"
            type="email"
            validate={[required('Invalid e-mail.'), email('Invalid e-mail.')]}
            helperText={isNew ? 'An activation mail goes there.' : false}
          />
          <SelectInput source="role" label="Role" choices={[...staffRoles]} validate={required('Select a role')} helperText={false} />
          <TeacherLinks user={user} />
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="contained" type="submit" disabled={busy}>
            {busy ? 'Saving…' : isNew ? 'Activate' : 'Update'}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
};

/** His own teacher records, and those that are nobody's yet. */
const TeacherLinks = ({ user }: { readonly user: StaffUser | undefined }) => {
  const { data = [] } = useGetList<StaffUser>('staffUsers', {
    filter: { state: 'none' },
    pagination: { page: 1, perPage: 1_000 },
    sort: { field: 'teacher', order: 'ASC' },
  });
  const free = data.map(({ teachers: [link], teacher, subject }) => ({
    id: link ? linkText(link) : '',
    name: `${teacher} (${subject})`,
  }));
  const own = (user?.state === 'none' ? [] : (user?.teachers ?? [])).map((link) => ({
    id: linkText(link),
    name: user?.teachers.length === 1 ? `${user.teacher} (${user.subject})` : `${user?.teacher} – as now`,
  }));
  return (
    <SelectArrayInput
      source="links"
      label="Teacher records"
      choices={[...own, ...free]}
      helperText="What he teaches: classes are assigned to teacher records. One for each subject."
    />
  );
};

const useSave = (user: StaffUser | undefined, onClose: () => void) => {
  const command = useCommand();
  const toast = useToast();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);

  const send = async ({ name, email: address, role, links }: Values): Promise<string> => {
    const teachers = links.map(linkIn);
    const accountId = user?.accountId ?? undefined;
    if (user === undefined || accountId === undefined) {
      await command('InviteStaff', { name, email: address, role, teachers });
      return `Account activated. A mail with a link is on its way to ${address}.`;
    }
    if (links.toSorted().join() !== user.teachers.map(linkText).toSorted().join()) await command('LinkTeacher', { accountId, teachers });
    if (role !== user.role) await command('ChangeStaffRole', { accountId, role });
    if (address !== user.email) await command('CorrectStaffEmail', { accountId, email: address });
    return address === user.email ? `${nameOf(user)} updated.` : `${nameOf(user)} updated. A mail is on its way to ${address}.`;
  };

  const save = async (values: Values): Promise<Record<string, string> | undefined> => {
    setBusy(true);
    setFailure(undefined);
    try {
      toast({ tone: 'good', text: await send(values) });
      onClose();
      return undefined;
    } catch (error) {
      const wrong = isRefused(error) ? error.errors : [];
      // Which of the records it is about is in the sentence.
      if (wrong.length > 0)
        return Object.fromEntries(
          wrong.map(({ path, message }): [string, string] => [path.startsWith('teachers') ? 'links' : path, message]),
        );
      setFailure(sentence(error));
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { save, failure, busy };
};
