import { Changes } from '../../ui/frame/ReadOnly.tsx';
import type { Structure } from '#api/school/school.contract';
import { Button, IconButton } from '@mui/material';
import DeleteIcon from '@mui/icons-material/DeleteOutline';
import UndoIcon from '@mui/icons-material/Undo';
import { useId } from 'react';
import { Choice } from '../list/filters/Choice.tsx';
import { dateText } from '#api/contract/dates';
import { Holder, isTaken } from './Holder.tsx';
import { SetOptions } from './SetOptions.tsx';
import type { Student } from './student.ts';
import { isOld } from './student.ts';
import row from '../drafts/Row.module.css';
import styles from './StudentsPage.module.css';
import type { Edits } from './useEdits.ts';
import { HistoryLink } from '../../ui/record/HistoryLink.tsx';

type StudentRowProps = {
  readonly student: Student;
  readonly structure: Structure;
  readonly edits: Edits;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

/** One student; input is kept until it is submitted or discarded. */
export const StudentRow = ({ student, structure, edits, isChosen, onChoose }: StudentRowProps) => {
  const edit = edits.draftOf(student);
  const { removed, place } = edit.value;
  const wrong = edits.wrongOf(student);
  const changed = wrong['was'] ?? (isOld(edit, student) ? 'Somebody else changed this student meanwhile.' : undefined);
  if (student.name === null) return <Forgotten />;
  const who = student.name;
  const input = (field: 'admissionNo' | 'name' | 'dateOfBirth', label: string, most: number) => (
    <Cell
      label={`${label} of ${who}`}
      value={edit.value[field]}
      most={most}
      wrong={wrong[field]}
      disabled={removed}
      onChange={(value) => edits.change(student, { [field]: value })}
    />
  );
  return (
    <>
      <tr className={`${styles.student} ${removed ? row.removed : edits.isChanged(student.id) ? row.changed : ''}`}>
        <Changes>
          <td className={styles.choose}>
            <Choice checked={isChosen} label={`Choose ${who}`} onChange={onChoose} />
          </td>
        </Changes>
        <td className={styles.id}>{input('admissionNo', 'Student ID', 20)}</td>
        <td className={styles.name}>{input('name', 'Name', 50)}</td>
        <td className={styles.day}>{input('dateOfBirth', 'Date of birth', 10)}</td>
        <td className={styles.set}>
          <select
            className={styles.field}
            aria-label={`Set of ${who}`}
            value={place}
            disabled={removed}
            onChange={({ target }) => edits.change(student, { place: target.value })}
          >
            <SetOptions structure={structure} />
          </select>
          {wrong['setId'] && <span className={`tiny failed ${styles.wrong}`}>{wrong['setId']}</span>}
        </td>
        <td>
          <div className="line end">
            <HistoryLink of={{ id: student.studentId, name: who }} />
            <Changes>
              <IconButton
                size="small"
                aria-label={removed ? `Keep ${who}` : `Delete ${who}`}
                title={removed ? 'Keep' : 'Delete'}
                onClick={() => edits.change(student, { removed: !removed })}
              >
                {removed ? <UndoIcon fontSize="small" /> : <DeleteIcon fontSize="small" />}
              </IconButton>
            </Changes>
          </div>
        </td>
      </tr>
      {changed !== undefined && (
        <tr className={row.changed}>
          <td colSpan={6} className="breaks">
            <span role="alert">
              {changed} It says now: {student.admissionNo}, {student.name}, {dateText(student.dateOfBirth) || 'no date of birth'}.
            </span>{' '}
            <Button size="small" onClick={() => edits.discard(student.id)}>
              Take theirs
            </Button>
            <Button size="small" onClick={() => edits.keepMine(student)}>
              Keep mine
            </Button>
          </td>
        </tr>
      )}
    </>
  );
};

type CellProps = {
  readonly label: string;
  readonly value: string;
  readonly most: number;
  readonly wrong: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (value: string) => void;
};

const Cell = ({ label, value, most, wrong, disabled, onChange }: CellProps) => {
  const id = useId();
  return (
    <>
      <input
        className={styles.field}
        aria-label={label}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong === undefined ? undefined : id}
        value={value}
        maxLength={most}
        disabled={disabled}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
      {wrong !== undefined && (
        <span id={id} className={`tiny failed ${styles.wrong}`}>
          {wrong}
          {isTaken(wrong) && (
            <span className={styles.wrong}>
              <Holder admissionNo={value.trim()} />
            </span>
          )}
        </span>
      )}
    </>
  );
};

const Forgotten = () => (
  <tr>
    <td colSpan={6} className="breaks muted">
      A forgotten student: nobody knows any more who it is. The marks stay.
    </td>
  </tr>
);
