import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { dateTime } from '../../format.ts';
import styles from './UploadList.module.css';

/** Uploads, newest first: a list of `UploadRow`. */
export const UploadList = ({ children }: { readonly children: ReactNode }) => <ol className="ruled">{children}</ol>;

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
    <li className={styles.upload}>
      <div>
        <p className="row breaks">
          <strong className={undone ? 'strong struck' : 'strong'}>{name}</strong>
          {undone && <span className={`tiny muted ${styles.undone}`}>Undone</span>}
        </p>
        <p className={undone ? 'small struck' : 'small muted'}>{children}</p>
        {whyNot !== null && <p className="small">{whyNot}</p>}
      </div>
      <p className={`small ${styles.who}`}>
        {by ?? 'Somebody who was forgotten'}
        <time className="muted" dateTime={at}>
          {dateTime(at)}
        </time>
      </p>
      {mayTurn && (
        <Button disabled={busy} aria-label={`${act} ${name} of ${dateTime(at)}`} onClick={onTurn}>
          {act}
        </Button>
      )}
    </li>
  );
};
