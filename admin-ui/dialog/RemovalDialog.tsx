import type { ReactNode } from 'react';
import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { Confirm } from '../../ui/controls/Confirm.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { counted } from '../format.ts';

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
  const [typed, setTyped] = useState('');
  const isTyped = students >= TYPED_FROM;
  const mayGo = !cannot && (!isTyped || typed.trim() === String(students));
  return (
    <Confirm
      title={title}
      go={go}
      stay={stay}
      removes
      instead={onOffRoll && <Button onClick={onOffRoll}>Move {students === 1 ? 'this student' : 'them'} to Off-Roll instead</Button>}
      cannot={!mayGo}
      onGo={onGo}
      onClose={onClose}
    >
      {children}
      {isTyped && (
        <Field
          label={`Type ${students} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && mayGo) onGo();
          }}
          autoComplete="off"
          inputMode="numeric"
        />
      )}
    </Confirm>
  );
};

/** Who are removed from a subject. */
export type Removal = {
  readonly students: number;
  /** Those who are in Off-Roll already: they are not counted again. */
  readonly offRoll: number;
};

type RemoveStudentsProps = Removal & {
  /** As the button said that asks for it. */
  readonly act: 'Delete' | 'Remove';
  /** What is said first. */
  readonly children?: ReactNode;
  readonly cannot?: boolean;
  readonly onRemove: () => void;
  readonly onOffRoll: () => void;
  readonly onClose: () => void;
};

/** Asks before students leave a subject with their results, and offers Off-Roll to those who are not there. */
export const RemoveStudents = ({ students, offRoll, act, children, cannot = false, onRemove, onOffRoll, onClose }: RemoveStudentsProps) => {
  const removed = counted(students > 0 ? students : offRoll, 'student');
  return (
    <RemovalDialog
      title={`${act} ${removed}?`}
      go={`${act} ${removed}`}
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
