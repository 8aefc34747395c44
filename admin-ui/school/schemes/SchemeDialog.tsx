import { useReadOnly } from '../../../ui/frame/ReadOnly.tsx';
import { required, TextInput } from 'react-admin';
import { useToast } from '../../../ui/feedback/Toasts.tsx';
import { useSession } from '../../../ui/session/Session.tsx';
import { counted } from '../../format.ts';
import { RecordDialog } from '../../dialog/RecordDialog.tsx';
import type { Scheme } from './scheme.ts';
import { TopicsInput } from './TopicsInput.tsx';

/** A scheme of work with its topics, stored together by one Save. */
export const SchemeDialog = ({ scheme, onClose }: { readonly scheme?: Scheme; readonly onClose: () => void }) => {
  const toast = useToast();
  const readOnly = useReadOnly();
  const { subject } = useSession();
  return (
    <RecordDialog<Scheme>
      title={!scheme ? 'Add scheme of work' : readOnly ? 'Scheme of work' : 'Edit scheme of work'}
      resource="schemes"
      record={scheme}
      given={{ subjectId: subject?.subjectId }}
      submit={scheme ? 'Save' : 'Add scheme of work'}
      onClose={onClose}
      onSaved={({ name, topics }) => {
        toast({ tone: 'good', text: `${name} saved with ${counted(topics.length, 'topic')}.` });
        onClose();
      }}
    >
      <TextInput
        source="name"
        label="Name of the scheme of work"
        validate={required('Required.')}
        autoFocus
        inputProps={{ maxLength: 200 }}
      />
      <TopicsInput />
    </RecordDialog>
  );
};
