import { dateOf } from '#contract/dates';
import type { Structure } from '#contract/structure';
import { Button, DialogActions, DialogContent, TextField, useMediaQuery } from '@mui/material';
import { useState } from 'react';
import { isRefused, isUnexpected, sentence } from '../../ui/api/failure.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useOops } from '../../ui/feedback/Oops.tsx';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useCommand } from '../data/useCommand.ts';
import { FormDialog, Typed } from '../dialog/FormDialog.tsx';
import { wrongDate } from './student.ts';
import styles from './StudentsPage.module.css';

type AddStudentDialogProps = {
  readonly subjectId: string;
  readonly structure: Structure;
  /** The set on screen. */
  readonly setId: string | undefined;
  readonly onClose: () => void;
};

const blank = { admissionNo: '', name: '', dateOfBirth: '' };
const longest = { admissionNo: 20, name: 50 };

export const AddStudentDialog = ({ subjectId, structure, setId: chosen, onClose }: AddStudentDialogProps) => {
  const sets = structure.yearGroups.flatMap(({ sets: ofYear }) => ofYear);
  const [setId, setSetId] = useState(chosen ?? sets[0]?.setId ?? '');
  const [fields, setFields] = useState(blank);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const [saving, setSaving] = useState(false);
  const command = useCommand();
  const toast = useToast();
  const oops = useOops();
  const isFull = Object.values(fields).every((value) => value.trim() !== '') && setId !== '';

  const messageOf = (field: keyof typeof blank): string | undefined => {
    if (wrong[field]) return wrong[field];
    if (left.has(field) && fields[field].trim() === '') return 'Required';
    return field === 'dateOfBirth' && left.has(field) && !dateOf(fields[field].trim()) ? wrongDate : undefined;
  };

  const add = async () => {
    const dateOfBirth = dateOf(fields.dateOfBirth.trim());
    if (!dateOfBirth) {
      setWrong({ dateOfBirth: wrongDate });
      return;
    }
    setSaving(true);
    setRefusal(undefined);
    try {
      const { commandId } = await command('AddStudent', { subjectId, setId, ...fields, dateOfBirth });
      const undo = () =>
        command('UndoRosterChange', { subjectId, commandId }).catch((error: unknown) => toast({ tone: 'bad', text: sentence(error) }));
      toast({ tone: 'good', text: `${fields.name.trim()} added.`, action: { label: 'Undo', run: () => void undo() } });
      onClose();
    } catch (error) {
      if (isUnexpected(error)) oops(error);
      const errors = isRefused(error) ? error.errors : [];
      setWrong(Object.fromEntries(errors.map(({ path, message }) => [path, message])));
      if (errors.length === 0) setRefusal(sentence(error));
    } finally {
      setSaving(false);
    }
  };

  const field = (name: keyof typeof blank, label: string, most?: number) => {
    const message = messageOf(name);
    return (
      <TextField
        fullWidth
        required
        label={label}
        value={fields[name]}
        error={message !== undefined}
        helperText={[message, most === undefined ? undefined : `${fields[name].length}/${most}`].filter(Boolean).join(' · ') || ' '}
        autoFocus={name === 'admissionNo'}
        placeholder={name === 'dateOfBirth' ? 'DD/MM/YYYY' : ''}
        onBlur={() => setLeft(new Set([...left, name]))}
        onChange={({ target }) => {
          setFields({ ...fields, [name]: target.value });
          setWrong({});
        }}
        slotProps={{ htmlInput: { maxLength: most ?? 10, autoComplete: 'off' } }}
      />
    );
  };

  return (
    <FormDialog title="Add Student" onClose={onClose} fullScreen={useMediaQuery('(max-width: 599px)')}>
      <Typed when={Object.values(fields).some((value) => value.trim() !== '')} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isFull && !saving) void add();
        }}
      >
        <DialogContent className={styles.add}>
          {refusal && <Notice tone="bad" title={refusal} />}
          {field('admissionNo', 'Student ID', longest.admissionNo)}
          {field('name', 'Name', longest.name)}
          {field('dateOfBirth', 'Date of birth')}
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
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="contained" type="submit" disabled={!isFull || saving}>
            {saving ? 'Adding…' : 'Add Student'}
          </Button>
        </DialogActions>
      </form>
    </FormDialog>
  );
};
