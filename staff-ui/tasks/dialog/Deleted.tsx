import { useCommand } from '../../../ui/sending/useSend.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useMayLead } from '../may-lead.ts';
import styles from '../Steps.module.css';
import { TypedText } from './TypedText.tsx';

type DeletedProps = {
  readonly taskId: string;
  /** Who deleted it, as a sentence. */
  readonly text: string;
  readonly typed: readonly string[];
  readonly onClose: () => void;
};

/** Instead of a task that somebody deletes while it is open. What was typed is there again with the task. */
export const Deleted = ({ taskId, text, typed, onClose }: DeletedProps) => {
  const mayLead = useMayLead();
  const { send, pending } = useCommand('RestoreFeedbackTask', {
    input: () => ({ taskId }),
    notice: () => 'The feedback task is there again, as it was.',
  });
  return (
    <div className={styles.explained}>
      <Notice
        tone="warn"
        title={text}
        actions={
          <>
            {mayLead && (
              <Button disabled={pending} onClick={() => void send()}>
                Restore it
              </Button>
            )}
            <Button onClick={onClose}>Back to the feedback tasks</Button>
          </>
        }
      >
        {typed.length > 0 && (
          <>
            <p>What you typed is not stored:</p>
            <TypedText lines={typed} />
          </>
        )}
      </Notice>
    </div>
  );
};
