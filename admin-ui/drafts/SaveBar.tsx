import { Changes } from '../../ui/frame/ReadOnly.tsx';
import { Button } from '@mui/material';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { counted } from '../format.ts';
import styles from './SaveBar.module.css';

type SaveBarProps = {
  readonly label: string;
  readonly disabled: boolean;
  readonly saving: boolean;
  /** Everything has just been saved. */
  readonly done: boolean;
  /** The number of changed records that are not on this page. */
  readonly elsewhere: number;
  readonly onSave: () => void;
};

/** The Save button of a list edited in place, with its message. */
export const SaveBar = ({ label, disabled, saving, done, elsewhere, onSave }: SaveBarProps) => (
  <Changes>
    <div className={styles.bar}>
      <Button variant="contained" disabled={disabled || saving} onClick={onSave}>
        {saving ? 'Saving…' : label}
      </Button>
      {elsewhere > 0 && <span className={styles.elsewhere}>{counted(elsewhere, 'change')} not on this page</span>}
      {done && <Notice tone="good" title="Submitted successfully!" />}
    </div>
  </Changes>
);
