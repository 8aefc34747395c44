import { dateOf } from '#api/contract/dates';
import { useState } from 'react';
import { isRefused, isUnexpected, sentence } from '../../ui/api/failure.ts';
import { useOops } from '../../ui/feedback/Oops.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useCommand } from '../data/useCommand.ts';
import { useUndo } from '../dialog/useUndo.ts';
import { wrongDate } from './student.ts';

/** As typed. */
export type NewStudent = { readonly admissionNo: string; readonly name: string; readonly dateOfBirth: string };

/** Adds a student to a set and offers Undo. `errors`: by field; `refusal`: about the student as a whole. */
export const useAddStudent = (subjectId: string, onAdded: () => void) => {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const [saving, setSaving] = useState(false);
  const command = useCommand();
  const toast = useToast();
  const undoOf = useUndo();
  const oops = useOops();

  const add = async (setId: string, student: NewStudent) => {
    const dateOfBirth = dateOf(student.dateOfBirth.trim());
    if (!dateOfBirth) return setErrors({ dateOfBirth: wrongDate });
    setSaving(true);
    setRefusal(undefined);
    try {
      const { commandId } = await command('AddStudent', { subjectId, setId, ...student, dateOfBirth });
      const undo = undoOf(() => command('UndoRosterChange', { subjectId, commandId }));
      toast({ tone: 'good', text: `${student.name.trim()} added.`, ...undo });
      onAdded();
    } catch (error) {
      if (isUnexpected(error)) oops(error);
      const byField = isRefused(error) ? error.errors : [];
      setErrors(Object.fromEntries(byField.map(({ path, message }) => [path, message])));
      if (byField.length === 0) setRefusal(sentence(error));
    } finally {
      setSaving(false);
    }
  };
  return { add, saving, errors, refusal, forgetErrors: () => setErrors({}) };
};
