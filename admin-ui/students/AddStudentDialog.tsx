import { dateOf } from '#api/contract/dates';
import type { Structure } from '#api/school/school.contract';
import { TextField } from '@mui/material';
import { useState } from 'react';
import { Button } from '../../ui/controls/Button.tsx';
import { DialogFoot } from '../../ui/controls/Dialog.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { FormDialog, Typed } from '../dialog/FormDialog.tsx';
import { Holder, isTaken } from './Holder.tsx';
import { wrongDate } from './student.ts';
import { messagesIn, sentence } from '../../ui/api/failure.ts';
import { useCommand } from '../../ui/sending/useSend.ts';
import { undoAll, undoneNotice } from './undone.ts';

type AddStudentDialogProps = {
  readonly subjectId: string;
  readonly structure: Structure;
  /** The set on screen. */
  readonly setId: string | undefined;
  readonly onClose: () => void;
};

const blank: NewStudent = { admissionNo: '', name: '', dateOfBirth: '' };

export const AddStudentDialog = ({ subjectId, structure, setId: chosen, onClose }: AddStudentDialogProps) => {
  const sets = structure.yearGroups.flatMap(({ sets: ofYear }) => ofYear);
  const [setId, setSetId] = useState(chosen ?? sets[0]?.setId ?? '');
  const [student, setStudent] = useState(blank);
  const { add, saving, errors, refusal, forgetErrors } = useAddStudent(subjectId, onClose);
  const isFull = Object.values(student).every((value) => value.trim() !== '') && setId !== '';
  const of = (field: keyof NewStudent) => ({
    value: student[field],
    error: errors[field],
    onType: (text: string) => {
      setStudent({ ...student, [field]: text });
      forgetErrors();
    },
  });

  return (
    <FormDialog title="Add Student" onClose={onClose}>
      <Typed when={Object.values(student).some((value) => value.trim() !== '')} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isFull && !saving) add({ setId, student });
        }}
      >
        <div className="stack pad">
          {refusal && <Notice tone="bad" title={refusal} />}
          <StudentField label="Student ID" {...of('admissionNo')} longest={20} autoFocus />
          <StudentField label="Name" {...of('name')} longest={50} />
          <StudentField label="Date of birth" {...of('dateOfBirth')} placeholder="DD/MM/YYYY" wrong={dateError} />
          <TextField
            select
            fullWidth
            label="Set"
            value={setId}
            onChange={({ target }) => setSetId(target.value)}
            slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
          >
            {sets.map((set) => (
              <option key={set.setId} value={set.setId}>
                {set.name}
              </option>
            ))}
          </TextField>
        </div>
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" disabled={!isFull || saving}>
            {saving ? 'Adding…' : 'Add Student'}
          </Button>
        </DialogFoot>
      </form>
    </FormDialog>
  );
};

const dateError = (text: string): string | undefined => (dateOf(text) ? undefined : wrongDate);

type StudentFieldProps = {
  readonly label: string;
  readonly value: string;
  /** The server's. */
  readonly error: string | undefined;
  readonly onType: (text: string) => void;
  /** In letters; shown with a count. */
  readonly longest?: number;
  readonly wrong?: (text: string) => string | undefined;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
};

/** A required field. Its own mistakes are shown once it was left. */
const StudentField = ({ label, value, error, onType, longest, wrong, placeholder = '', autoFocus = false }: StudentFieldProps) => {
  const [left, setLeft] = useState(false);
  const text = value.trim();
  const message = error ?? (left ? (text === '' ? 'Required' : wrong?.(text)) : undefined);
  return (
    <TextField
      fullWidth
      required
      label={label}
      value={value}
      error={message !== undefined}
      helperText={
        <>
          {[message, longest === undefined ? undefined : `${value.length}/${longest}`].filter(Boolean).join(' · ') || ' '}
          {isTaken(message) && (
            <>
              <br />
              <Holder admissionNo={text} />
            </>
          )}
        </>
      }
      autoFocus={autoFocus}
      placeholder={placeholder}
      onBlur={() => setLeft(true)}
      onChange={({ target }) => onType(target.value)}
      slotProps={{ htmlInput: { maxLength: longest ?? 10, autoComplete: 'off' } }}
    />
  );
};

/** As typed. */
type NewStudent = { readonly admissionNo: string; readonly name: string; readonly dateOfBirth: string };
type Adding = { readonly setId: string; readonly student: NewStudent };

/** Adds a student to a set and offers Undo. `errors`: by field; `refusal`: about the student as a whole. */
const useAddStudent = (subjectId: string, onAdded: () => void) => {
  const [isDateWrong, setDateWrong] = useState(false);
  const { send, pending, error, forget } = useCommand('AddStudent', {
    input: ({ setId, student }: Adding) => ({ subjectId, setId, ...student, dateOfBirth: dateIn(student) ?? '' }),
    notice: (_answer, { student }) => `${student.name.trim()} added.`,
    undo:
      ({ commandId }, { student }) =>
      async (command) =>
        undoneNotice(`${student.name.trim()} added`, await undoAll(command, subjectId, [commandId])),
    onDone: onAdded,
    showsError: true,
  });
  const errors = messagesIn(error);
  return {
    add: (adding: Adding) => {
      const isRight = Boolean(dateIn(adding.student));
      setDateWrong(!isRight);
      if (isRight) void send(adding);
    },
    saving: pending,
    errors: isDateWrong ? { dateOfBirth: wrongDate } : errors,
    refusal: error !== undefined && Object.keys(errors).length === 0 ? sentence(error) : undefined,
    /** What was typed has changed: the errors were about something else. */
    forgetErrors: () => {
      setDateWrong(false);
      forget();
    },
  };
};

const dateIn = ({ dateOfBirth }: NewStudent) => dateOf(dateOfBirth.trim());
