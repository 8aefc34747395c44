import { isRefused, sentence } from '../api/failure.ts';
import { useSend } from '../api/useSend.ts';
import { Button } from '../controls/Button.tsx';
import { Notice } from '../feedback/Notice.tsx';
import { useUnsaved } from '../session/unsaved.ts';
import styles from './Allocation.module.css';
import type { Draft } from './drafts.ts';
import { rebased } from './drafts.ts';

type AllocationFootProps = {
  readonly drafts: readonly Draft[];
  /** The last saved changes; undefined once something changed or another item was chosen. */
  readonly saved: readonly Draft[] | undefined;
  readonly save: (changes: readonly Draft[]) => Promise<unknown>;
  readonly onSaved: (changes: readonly Draft[]) => void;
  /** Fetches what is stored now, per item. */
  readonly reload: () => Promise<(id: string) => readonly string[]>;
  readonly replace: (id: string, draft: Draft | undefined) => void;
};

/** Shows Save once something has changed, then the success message with Undo. */
export const AllocationFoot = ({ drafts, saved, save, onSaved, reload, replace }: AllocationFootProps) => {
  useUnsaved(drafts.length > 0);
  const { send, pending: busy, error } = useSend({ act: (act: () => Promise<void>) => act(), showsError: true });
  const store = (changes: readonly Draft[]) =>
    void send(async () => {
      await save(changes);
      onSaved(changes);
    });
  const isOld = isRefused(error, 'conflict', 'not-found');
  /** Applies the local changes to what somebody else has stored. */
  const again = () =>
    void send(async () => {
      const bound = await reload();
      for (const draft of drafts) replace(draft.id, rebased(draft, bound(draft.id)));
    });

  return (
    <div className={styles.foot}>
      {error !== undefined && (
        <Notice tone="bad" title={sentence(error)} actions={isOld && <Button onClick={again}>Reload, keep my changes</Button>} />
      )}
      {saved && (
        <Notice
          tone="good"
          title="Submitted successfully!"
          actions={
            !isUndo(saved) && (
              <Button look="plain" disabled={busy} onClick={() => store(inverse(saved))}>
                Undo
              </Button>
            )
          }
        />
      )}
      {drafts.length > 0 && (
        <div className={styles.save}>
          <span>{drafts.length === 1 ? '1 change is not saved yet.' : `${drafts.length} changes are not saved yet.`}</span>
          <Button look="primary" disabled={busy} onClick={() => store(drafts)}>
            {busy ? 'Saving ...' : 'Save'}
          </Button>
        </div>
      )}
    </div>
  );
};

type Undo = Draft & { readonly undo: true };
const inverse = (changes: readonly Draft[]): readonly Undo[] => changes.map(({ id, to, was }) => ({ id, to: was, was: to, undo: true }));
const isUndo = (changes: readonly (Draft | Undo)[]): boolean => changes.some((change) => 'undo' in change);
