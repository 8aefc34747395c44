import { Button } from '@mui/material';
import { Notice } from '../../ui/feedback/Notice.tsx';
import styles from './SaveBar.module.css';

type SaveBarProps = {
  readonly label: string;
  readonly disabled: boolean;
  readonly saving: boolean;
  /** Everything was stored just now. */
  readonly done: boolean;
  readonly onSave: () => void;
};

/** The button that stores a list that was edited in place, and its message. */
export const SaveBar = ({ label, disabled, saving, done, onSave }: SaveBarProps) => (
  <div className={styles.bar}>
    <Button variant="contained" disabled={disabled || saving} onClick={onSave}>
      {saving ? 'Saving…' : label}
    </Button>
    {done && <Notice tone="good" title="Submitted successfully!" />}
  </div>
);
