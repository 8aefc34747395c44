import { NumberInput, required, TextInput } from 'react-admin';
import { useToast } from '../../../ui/feedback/Toasts.tsx';
import { RecordDialog } from '../../dialog/RecordDialog.tsx';
import { wholeYear } from './ExamForm.tsx';
import type { TerminalExam } from './terminal-exam.ts';

/** Renames a terminal exam, or corrects its school year. Its scores stay with it. */
export const ExamDialog = ({ exam, onClose }: { readonly exam: TerminalExam; readonly onClose: () => void }) => {
  const toast = useToast();
  return (
    <RecordDialog<TerminalExam>
      title="Edit terminal exam"
      resource="terminalExams"
      record={exam}
      submit="Save"
      onClose={onClose}
      onSaved={({ name }) => {
        toast({ tone: 'good', text: `${name} saved.` });
        onClose();
      }}
    >
      <TextInput source="name" label="Exam name" validate={required('Required.')} autoFocus inputProps={{ maxLength: 200 }} />
      <NumberInput source="yearSat" label="School year exam sat" validate={[required('Required.'), wholeYear]} min={1} step={1} />
    </RecordDialog>
  );
};
