import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material';
import { useId } from 'react';
import { email, Form, required, SelectArrayInput, SelectInput, TextInput, useGetList } from 'react-admin';
import { WaitStrip } from '../../ui/feedback/WaitStrip.tsx';
import { Trouble } from '../dialog/Trouble.tsx';
import type { StaffUser } from './user.ts';
import { linkText, nameOf, staffRoles } from './user.ts';
import { useSaveStaff, valuesOf } from './useSaveStaff.ts';

/** A new account; one for a teacher who has none (`state` none); or role, address and teacher records of one that there is. */
export const StaffDialog = ({ user, onClose }: { readonly user?: StaffUser; readonly onClose: () => void }) => {
  const { save, seen, trouble, busy } = useSaveStaff(user, onClose);
  const titleId = useId();
  const isNew = user === undefined || user.state === 'none';
  const title = isNew ? (user ? `Activate ${nameOf(user)}` : 'Add account') : `Update ${nameOf(user)}`;
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <Form
        defaultValues={valuesOf(user)}
        onSubmit={(typed: object) => save(typed as Parameters<typeof save>[0])}
        noValidate
        disableInvalidFormNotification
      >
        <DialogTitle id={titleId}>{title}</DialogTitle>
        <WaitStrip />
        <DialogContent>
          <Trouble trouble={trouble} />
          {isNew && <TextInput source="name" label="Name" validate={required('Required.')} inputProps={{ maxLength: 50 }} autoFocus />}
          <TextInput
            source="email"
            label="E-mail"
            type="email"
            validate={[required('Invalid e-mail.'), email('Invalid e-mail.')]}
            helperText={isNew ? 'An activation mail goes there.' : false}
          />
          <SelectInput source="role" label="Role" choices={[...staffRoles]} validate={required('Select a role')} helperText={false} />
          <TeacherLinks user={seen} />
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="contained" type="submit" disabled={busy || trouble?.kind === 'gone'}>
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
