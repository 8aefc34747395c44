import { authMessages } from '#api/contract/auth-messages';
import { email, required, SelectArrayInput, SelectInput, TextInput, useGetList } from 'react-admin';
import { useFormState, useWatch } from 'react-hook-form';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useSession } from '../../ui/session/Session.tsx';
import { RecordDialog } from '../dialog/RecordDialog.tsx';
import type { Teacher } from '../school/teachers/teacher.ts';
import type { StaffUser, TeacherLink } from './user.ts';
import { linkIn, linkText, nameOf, staffRoles } from './user.ts';

/** A new account; an account for a teacher without one (`state` none); or role, address and teacher records of an existing account. */
export const StaffDialog = ({ user, onClose }: { readonly user?: StaffUser; readonly onClose: () => void }) => {
  const toast = useToast();
  const account = user?.state === 'none' ? undefined : user;
  const saved = (now: StaffUser) => {
    toast({
      tone: 'good',
      ...(account
        ? { text: updated(account, now) }
        : {
            text: authMessages.accountActivated,
            more: `A mail with a link is on its way to ${now.email}: the account works once it has been used.`,
          }),
    });
    onClose();
  };
  return (
    <RecordDialog<StaffUser>
      title={account ? `Update ${nameOf(account)}` : user ? `Activate ${nameOf(user)}` : 'Add account'}
      resource="staffUsers"
      record={account}
      {...(user && !account && { defaults: { name: nameOf(user), role: 'teacher', teachers: user.teachers } })}
      submit={account ? 'Update' : 'Activate'}
      onClose={onClose}
      onSaved={saved}
    >
      {!account && <TextInput source="name" label="Name" validate={required('Required.')} inputProps={{ maxLength: 50 }} autoFocus />}
      <TextInput
        source="email"
        label="E-mail"
        type="email"
        autoFocus={account !== undefined}
        validate={[required('Invalid e-mail.'), email('Invalid e-mail.')]}
        helperText={account ? undefined : 'An activation mail goes there.'}
      />
      <SelectInput source="role" label="Role" choices={[...staffRoles]} validate={required('Select a role')} />
      <TeacherRecords />
    </RecordDialog>
  );
};

const updated = (before: StaffUser, now: StaffUser): string =>
  before.email === now.email ? `${nameOf(now)} updated.` : `${nameOf(now)} updated. A mail is on its way to ${now.email}.`;

type Fields = { readonly teachers?: readonly TeacherLink[] };

/** The user's own teacher records, and those without an account. */
const TeacherRecords = () => {
  const { subjects } = useSession().me;
  const ownRecords = useWatch<Fields, 'teachers'>({ name: 'teachers' }) ?? [];
  const wrong = useFormState<Fields>().errors.teachers;
  const free = useGetList<StaffUser>('staffUsers', { filter: { state: 'none' }, ...ALL }).data ?? [];
  const teachers = useGetList<Teacher>('teachers', { ...ALL, sort: { field: 'name', order: 'ASC' } }).data ?? [];
  const choosable = new Set([...ownRecords, ...free.flatMap((user) => user.teachers)].map(linkText));
  const choices = teachers
    .map(({ id, subjectId, name }) => ({
      id: linkText({ subjectId, teacherId: id }),
      name: `${name} (${subjects.find((subject) => subject.subjectId === subjectId)?.name})`,
    }))
    .filter(({ id }) => choosable.has(id));
  return (
    <SelectArrayInput
      source="teachers"
      label="Teacher records"
      choices={choices}
      disabled={choices.length === 0}
      format={(links?: readonly TeacherLink[]) => (links ?? []).map(linkText)}
      parse={(texts: readonly string[]) => texts.map(linkIn)}
      helperText={messageIn(wrong) ?? (teachers.length > 0 && choices.length === 0 ? ALL_TAKEN : CHOOSE)}
    />
  );
};

const CHOOSE = 'Classes are assigned to teacher records. Choose one for each subject that they teach.';
const ALL_TAKEN = 'Every teacher record has an account. Add another under Assign teachers to classes.';

const ALL = { pagination: { page: 1, perPage: 2_000 } } as const;

/** The server names a refused record by its place in the list. */
const messageIn = (wrong: unknown): string | undefined =>
  Array.isArray(wrong) ? (wrong as readonly ({ readonly message?: string } | undefined)[]).find((one) => one?.message)?.message : undefined;
