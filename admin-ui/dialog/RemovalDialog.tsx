import { Button, Dialog, DialogActions, DialogContent, DialogTitle, TextField } from '@mui/material';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { counted } from '../format.ts';
import styles from './RemovalDialog.module.css';

/** Of so many students on, their number is typed. */
const TYPED_FROM = 20;

type RemovalDialogProps = {
  readonly title: string;
  /** What goes along, and what stays. */
  readonly children: ReactNode;
  /** The label of the red button: 'Remove 15 students'. */
  readonly go: string;
  readonly stay: string;
  /** How many students go; omitted: whatever their number, it is not typed. */
  readonly students?: number;
  readonly cannot?: boolean;
  readonly onGo: () => void;
  /** Offered beside it: the students are moved to Off-Roll. */
  readonly onOffRoll?: (() => void) | undefined;
  readonly onClose: () => void;
};

/** Asks before students are removed, or leave their classes; of many, their number is typed. */
export const RemovalDialog = ({
  title,
  children,
  go,
  stay,
  students = 0,
  cannot = false,
  onGo,
  onOffRoll,
  onClose,
}: RemovalDialogProps) => {
  const titleId = useId();
  const [typed, setTyped] = useState('');
  const isTyped = students >= TYPED_FROM;
  const mayGo = !cannot && (!isTyped || typed.trim() === String(students));
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        <form
          id={`${titleId} form`}
          className={styles.parts}
          onSubmit={(event) => {
            event.preventDefault();
            if (mayGo) onGo();
          }}
        >
          {children}
          {isTyped && (
            <TextField
              label={`Type ${students} to confirm`}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoFocus
              autoComplete="off"
              slotProps={{ htmlInput: { inputMode: 'numeric' } }}
            />
          )}
        </form>
      </DialogContent>
      <DialogActions className={styles.acts}>
        <Button variant="outlined" onClick={onClose}>
          {stay}
        </Button>
        {onOffRoll && (
          <Button variant="outlined" onClick={onOffRoll}>
            Move {students === 1 ? 'this student' : 'them'} to Off-Roll instead
          </Button>
        )}
        <Button variant="contained" color="error" type="submit" form={`${titleId} form`} disabled={!mayGo}>
          {go}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

/** Who are removed from a subject. */
export type Removal = {
  readonly students: number;
  /** Those who are in Off-Roll already: they are not counted again. */
  readonly offRoll: number;
};

type RemoveStudentsProps = Removal & {
  /** What is said first. */
  readonly children?: ReactNode;
  readonly cannot?: boolean;
  readonly onRemove: () => void;
  readonly onOffRoll: () => void;
  readonly onClose: () => void;
};

/** Asks before students leave a subject with their results, and offers Off-Roll to those who are not there. */
export const RemoveStudents = ({ students, offRoll, children, cannot = false, onRemove, onOffRoll, onClose }: RemoveStudentsProps) => {
  const removed = counted(students > 0 ? students : offRoll, 'student');
  return (
    <RemovalDialog
      title={`Remove ${removed}?`}
      go={`Remove ${removed}`}
      stay="Keep them"
      students={students}
      cannot={cannot}
      onGo={onRemove}
      onOffRoll={students > 0 ? onOffRoll : undefined}
      onClose={onClose}
    >
      {children}
      {students > 0 ? (
        <>
          <p>
            {counted(students, 'student on roll leaves', 'students on roll leave')} this subject, with all results in it.
            {offRoll > 0 && ` So ${offRoll === 1 ? 'does one' : `do ${offRoll.toLocaleString('en-GB')}`} in Off-Roll.`}
          </p>
          <p>In Off-Roll they would be in no class, and their results would stay. Log-ins stay either way.</p>
        </>
      ) : (
        <p>{counted(offRoll, 'student in Off-Roll leaves', 'students in Off-Roll leave')} this subject, with all results in it.</p>
      )}
      <p>Undo brings them back, and so does Restore under Student Details.</p>
    </RemovalDialog>
  );
};
