import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { dateTime } from '../../format.ts';
import styles from './UploadList.module.css';

/** Uploads, newest first: a list of `UploadRow`. */
export const UploadList = ({ children }: { readonly children: ReactNode }) => <ol className={styles.list}>{children}</ol>;

type UploadRowProps = {
  readonly name: string;
  readonly at: string;
  readonly by: string | null;
  readonly undone: boolean;
  readonly mayTurn: boolean;
  /** Why it can be neither undone nor redone. */
  readonly whyNot?: string | null;
  readonly busy: boolean;
  readonly onTurn: () => void;
  readonly children: ReactNode;
};

/** An upload, with its author and Undo or Redo. */
export const UploadRow = ({ name, at, by, undone, mayTurn, whyNot = null, busy, onTurn, children }: UploadRowProps) => {
  const act = undone ? 'Redo' : 'Undo';
  return (
    <li className={styles.upload} data-undone={undone || undefined}>
      <p className={styles.what}>
        <strong>{name}</strong>
        {undone && <span className={styles.undone}>Undone</span>}
      </p>
      <p className={styles.content}>{children}</p>
      {whyNot !== null && <p className={styles.why}>{whyNot}</p>}
      <p className={styles.who}>
        {by ?? 'Somebody who was forgotten'}
        <time dateTime={at}>{dateTime(at)}</time>
      </p>
      <div className={styles.act}>
        {mayTurn && (
          <Button disabled={busy} aria-label={`${act} ${name} of ${dateTime(at)}`} onClick={onTurn}>
            {act}
          </Button>
        )}
      </div>
    </li>
  );
};
