import { Button, Dialog, DialogActions, DialogContent, DialogTitle, TextField } from '@mui/material';
import { useId, useState } from 'react';
import { counted } from '../../format.ts';
import { TYPED_FROM } from './import-input.ts';
import styles from './ImportPage.module.css';

type RemovalDialogProps = {
  /** How many on roll would be removed. */
  readonly students: number;
  /** How many who are in Off-Roll. */
  readonly offRoll: number;
  readonly onRemove: () => void;
  readonly onClose: () => void;
};

/** Asks before an import removes students; of many, their number is typed. */
export const RemovalDialog = ({ students, offRoll, onRemove, onClose }: RemovalDialogProps) => {
  const titleId = useId();
  const [typed, setTyped] = useState('');
  const removed = counted(students > 0 ? students : offRoll, 'student');
  const mayRemove = students < TYPED_FROM || typed.trim() === String(students);
  const remove = () => {
    onClose();
    onRemove();
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Remove {removed}?</DialogTitle>
      <DialogContent>
        <form
          id={`${titleId} form`}
          className={styles.part}
          onSubmit={(event) => {
            event.preventDefault();
            if (mayRemove) remove();
          }}
        >
          {students > 0 ? (
            <p>
              {students === 1 ? 'One who is on roll is' : `${counted(students, 'student')} who are on roll are`} not in the file: they leave
              this subject with their results.
              {offRoll > 0 && ` So ${offRoll === 1 ? 'does one' : `do ${offRoll.toLocaleString('en-GB')}`} in Off-Roll.`} Undo brings them
              back.
            </p>
          ) : (
            <p>
              {offRoll === 1 ? 'One in Off-Roll is' : `${counted(offRoll, 'student')} in Off-Roll are`} not in the file: they leave this
              subject with their results. Undo brings them back.
            </p>
          )}
          {students >= TYPED_FROM && (
            <TextField
              label={`Type ${students} to remove them`}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoFocus
              autoComplete="off"
              slotProps={{ htmlInput: { inputMode: 'numeric' } }}
            />
          )}
        </form>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Keep them
        </Button>
        <Button variant="contained" color="error" type="submit" form={`${titleId} form`} disabled={!mayRemove}>
          Remove {removed}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

type MoveOffDialogProps = { readonly students: number; readonly onMove: () => void; readonly onClose: () => void };

/** Asks before an import moves students off roll because they are not in the file. */
export const MoveOffDialog = ({ students, onMove, onClose }: MoveOffDialogProps) => {
  const titleId = useId();
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>Move {counted(students, 'student')} to Off-Roll?</DialogTitle>
      <DialogContent>
        <p>
          {students === 1 ? 'One who is on roll is' : `${counted(students, 'student')} who are on roll are`} not in the file: they leave
          their classes, and their results stay. Undo brings them back.
        </p>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Keep them in their classes
        </Button>
        <Button
          variant="contained"
          color="error"
          onClick={() => {
            onClose();
            onMove();
          }}
        >
          Move {counted(students, 'student')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
