import { wrongCount } from '#api/contract/rules';
import { Button } from '@mui/material';
import { useState } from 'react';
import { Form, NumberInput, required, TextInput, useListContext } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { useToast } from '../../../ui/feedback/Toasts.tsx';
import { FormTyped } from '../../dialog/FormDialog.tsx';
import { Trouble } from '../../dialog/Trouble.tsx';
import { useSaveRecord } from '../../dialog/useSaveRecord.ts';
import type { RecordOf } from '../../data/record.ts';
import styles from './TerminalExams.module.css';

/** A record of /api/rest/terminalExams. */
export type TerminalExam = RecordOf<'terminalExams'>;

/**
 * Adds a terminal exam. A second exam in the same year is allowed, with a warning. The fields are read-only while it is added and emptied
 * afterwards.
 */
export const ExamForm = ({ subjectId }: { readonly subjectId: string }) => {
  const toast = useToast();
  const [added, setAdded] = useState(0);
  const { save, trouble, saving } = useSaveRecord<TerminalExam>({
    resource: 'terminalExams',
    record: undefined,
    given: { subjectId },
    onSaved: ({ name, yearSat }) => {
      toast({ tone: 'good', text: `${name} added to school year ${yearSat}.` });
      setAdded((before) => before + 1);
    },
  });
  return (
    <Form key={added} onSubmit={save} noValidate disableInvalidFormNotification>
      <FormTyped />
      <Trouble trouble={trouble} />
      <div className={styles.form}>
        <NumberInput
          source="yearSat"
          label="School year exam sat"
          validate={[required('Required.'), wholeYear]}
          min={1}
          step={1}
          helperText={false}
          readOnly={saving}
        />
        <TextInput
          source="name"
          label="Exam name"
          validate={required('Required.')}
          inputProps={{ maxLength: 200 }}
          helperText={false}
          readOnly={saving}
        />
        <Button variant="contained" type="submit" disabled={saving}>
          {saving ? 'Adding…' : 'Add exam'}
        </Button>
      </div>
      <YearWarning />
    </Form>
  );
};

export const wholeYear = (value: unknown): string | undefined => (typeof value === 'number' ? wrongCount(value) : undefined);

const YearWarning = () => {
  const { data = [] } = useListContext<TerminalExam>();
  const year: unknown = useWatch({ name: 'yearSat' });
  if (!data.some(({ yearSat }) => yearSat === year)) return null;
  return (
    <div className={styles.warning}>
      <Notice tone="warn" title="Warning: There is already a terminal exam allocated to this school year" />
    </div>
  );
};
