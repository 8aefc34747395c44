import { required, TextInput } from 'react-admin';
import { useToast } from '../../../ui/feedback/Toasts.tsx';
import { RecordDialog } from '../../dialog/RecordDialog.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import type { Subject } from './subject.ts';

/** Adds or renames a subject. */
export const SubjectDialog = ({ subject, onClose }: { readonly subject?: Subject; readonly onClose: () => void }) => {
  const toast = useToast();
  const { chooseSubject } = useSession();
  const saved = ({ id, name }: Subject) => {
    if (!subject) chooseSubject(id);
    toast({ tone: 'good', text: subject ? `${name} saved.` : `${name} added. It is the subject in use now.` });
    onClose();
  };
  return (
    <RecordDialog<Subject>
      title={subject ? 'Edit subject' : 'Add subject'}
      resource="subjects"
      record={subject}
      submit={subject ? 'Save' : 'Add subject'}
      onClose={onClose}
      onSaved={saved}
    >
      <TextInput source="name" label="Subject name" validate={required('Required.')} autoFocus inputProps={{ maxLength: 200 }} />
    </RecordDialog>
  );
};
