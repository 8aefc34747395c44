import type { TaskCard } from '#api/tasks/task.contract';
import { useState } from 'react';
import { useCommand } from '../../ui/sending/useSend.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../ui/controls/Dialog.tsx';
import styles from './Tasks.module.css';

/** Deletes a feedback task after a question that says what would go. Undo brings it back. */
export const DeleteTask = ({ task: { taskId, name, status } }: { readonly task: Pick<TaskCard, 'taskId' | 'name' | 'status'> }) => {
  const [isAsked, setAsked] = useState(false);
  const title = name ?? 'the task';
  const { send, pending } = useCommand('DeleteFeedbackTask', {
    input: () => ({ taskId }),
    notice: () => `${title} was deleted.`,
    undo: () => async (command) => {
      await command('RestoreFeedbackTask', { taskId });
      return `${title} is there again, as it was.`;
    },
    onDone: () => setAsked(false),
  });
  return (
    <>
      <Button look="remove" aria-label={`Delete ${title}`} onClick={() => setAsked(true)}>
        Delete
      </Button>
      <Dialog title={`Delete ${title}?`} open={isAsked} onClose={() => setAsked(false)}>
        <p className={styles.ask}>{whatGoes(status)} Totals, marks and prior data stay as they are.</p>
        <DialogFoot>
          <Button onClick={() => setAsked(false)}>Keep it</Button>
          <Button look="danger" disabled={pending} onClick={() => void send()}>
            Delete
          </Button>
        </DialogFoot>
      </Dialog>
    </>
  );
};

const whatGoes = (status: TaskCard['status']): string => {
  if (status < 2) return 'Its classes and assessments go with it.';
  if (status < 4) return 'The ranking and what teachers have said about it go with it.';
  return 'The ranking, the grades and what teachers have said about them go with it.';
};
