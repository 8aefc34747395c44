import { dateOf } from '#api/contract/dates';
import { useState } from 'react';
import { messagesIn, sentence } from '../../ui/api/failure.ts';
import { useCommand } from '../../ui/sending/useSend.ts';
import { wrongDate } from './student.ts';
import { undoAll, undoneNotice } from './undone.ts';

/** As typed. */
export type NewStudent = { readonly admissionNo: string; readonly name: string; readonly dateOfBirth: string };
type Adding = { readonly setId: string; readonly student: NewStudent };

/** Adds a student to a set and offers Undo. `errors`: by field; `refusal`: about the student as a whole. */
export const useAddStudent = (subjectId: string, onAdded: () => void) => {
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
