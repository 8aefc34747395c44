import { Button } from '../controls/Button.tsx';
import { Notice } from '../feedback/Notice.tsx';
import styles from './Allocation.module.css';
import type { AllocationDrafts } from './useAllocation.ts';

/** Shows Save once something has changed, then the success message with Undo. */
export const AllocationFoot = ({ drafts }: { readonly drafts: AllocationDrafts }) => {
  const { changes, saved, trouble, pending } = drafts;
  return (
    <div className={styles.foot}>
      {trouble && !pending && (
        <Notice
          tone="bad"
          title={trouble.reason}
          actions={trouble.kind === 'conflict' && <Button onClick={drafts.reload}>Reload, keep my changes</Button>}
        />
      )}
      {saved && (
        <Notice
          tone="good"
          title="Submitted successfully!"
          actions={
            !saved.isUndo && (
              <Button look="plain" disabled={pending} onClick={drafts.undo}>
                Undo
              </Button>
            )
          }
        />
      )}
      {changes.length > 0 && (
        <div className={styles.save}>
          <span>{changes.length === 1 ? '1 change is not saved yet.' : `${changes.length} changes are not saved yet.`}</span>
          <Button look="primary" disabled={pending} onClick={drafts.store}>
            {pending ? 'Saving ...' : 'Save'}
          </Button>
        </div>
      )}
    </div>
  );
};
