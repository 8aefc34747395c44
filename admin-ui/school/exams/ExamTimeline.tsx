import { Changes } from '../../../ui/frame/ReadOnly.tsx';
import { Button } from '@mui/material';
import { useState } from 'react';
import { useListContext, NumberInput, required, TextInput } from 'react-admin';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { restore } from '../../dialog/useRemove.tsx';
import { ListStates } from '../../list/ListStates.tsx';
import type { TerminalExam } from './ExamForm.tsx';
import styles from './TerminalExams.module.css';
import { useToast } from '../../../ui/feedback/Toasts.tsx';
import { RecordDialog } from '../../dialog/RecordDialog.tsx';
import { wholeYear } from './ExamForm.tsx';

/** The terminal exams in the order in which students take them. */
export const ExamTimeline = () => {
  const { data = [] } = useListContext<TerminalExam>();
  const remove = useRemoval();
  const [edited, setEdited] = useState<TerminalExam>();
  const years = Map.groupBy(data, ({ yearSat }) => yearSat);
  return (
    <ListStates empty={<NoExam />}>
      <ol className={`stack gap-4 ${styles.timeline}`} aria-label="Terminal exams by school year">
        {[...years].map(([year, exams]) => (
          <li key={year}>
            <h2>Year {year}</h2>
            <ul>
              {exams.map((exam) => (
                <li key={exam.id} className="line gap-3">
                  <span className="grow breaks">{exam.name}</span>
                  <Changes>
                    <Button size="small" aria-label={`Edit ${exam.name}, year ${year}`} onClick={() => setEdited(exam)}>
                      Edit
                    </Button>
                    <Button size="small" color="error" aria-label={`Remove ${exam.name}, year ${year}`} onClick={() => void remove(exam)}>
                      Remove
                    </Button>
                  </Changes>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {edited && <ExamDialog exam={edited} onClose={() => setEdited(undefined)} />}
    </ListStates>
  );
};

/** Deletes without confirmation, because Undo restores the exam with its scores. */
const useRemoval = () =>
  useCommand('RemoveTerminalExam', {
    input: ({ id, subjectId }: TerminalExam) => ({ subjectId, terminalExamId: id }),
    notice: (_answer, { name }) => `${name} removed.`,
    undo: (_answer, exam) => (command) => restore('terminalExam', exam, command),
  }).send;

const NoExam = () => (
  <EmptyState title="No terminal exam yet">
    <Changes>
      <p>Add the one that your students finish with, and the one that they arrived with.</p>
    </Changes>
  </EmptyState>
);

/** Renames a terminal exam, or corrects its school year. Its scores stay with it. */
const ExamDialog = ({ exam, onClose }: { readonly exam: TerminalExam; readonly onClose: () => void }) => {
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
