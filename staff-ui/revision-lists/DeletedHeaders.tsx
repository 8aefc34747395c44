import { sentence } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Confirm } from '../../ui/controls/Confirm.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useCommand } from '../../ui/sending/useSend.ts';
import { counted } from '../format.ts';
import type { Header, Page } from './edits.ts';
import { undoOf } from './edits.ts';
import styles from './RevisionLists.module.css';

type DeleteHeaderProps = { readonly subjectId: string; readonly header: Header; readonly onClose: () => void };

/** Says what would go, and deletes the header. */
export const DeleteHeader = ({ subjectId, header: { headerId, name, questions }, onClose }: DeleteHeaderProps) => {
  const { send, pending, error } = useCommand('DeleteRevisionHeader', {
    input: () => ({ subjectId, headerId, was: questions }),
    notice: () => `${name} was deleted.`,
    undo: ({ commandId }) => undoOf(subjectId, commandId),
    onDone: onClose,
    showsError: true,
  });
  return (
    <Confirm title={`Delete ${name}`} go="OK" removes pending={pending} onGo={() => void send()} onClose={onClose}>
      <p>Are you sure you want to delete this item?</p>
      {questions > 0 && (
        <p>
          {counted(questions, 'question')} of the subject’s assessments {questions === 1 ? 'stands' : 'stand'} under it, and will stand
          under no header.
        </p>
      )}
      {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
    </Confirm>
  );
};

type DeletedHeadersProps = { readonly subjectId: string; readonly deleted: Page['deleted'] };

/** Headers that were deleted, for restoring them a year later too. */
export const DeletedHeaders = ({ subjectId, deleted }: DeletedHeadersProps) => {
  const restore = useCommand('RestoreRevisionHeader', {
    input: (headerId: string) => ({ subjectId, headerId }),
    notice: () => 'The topic header is there again, with its questions.',
  });
  if (deleted.length === 0) return null;
  return (
    <details className={styles.deleted}>
      <summary>Deleted headers ({deleted.length})</summary>
      <ul>
        {deleted.map(({ headerId, name, questions }) => (
          <li key={headerId} className="line apart breaks">
            <span>
              {name}
              {questions > 0 && `, with ${counted(questions, 'question')}`}
            </span>
            <Button look="plain" aria-label={`Restore ${name}`} disabled={restore.pending} onClick={() => void restore.send(headerId)}>
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
};
