import { Button } from '@mui/material';
import { Form, required, TextInput } from 'react-admin';
import { FormTyped } from '../dialog/FormDialog.tsx';
import { Trouble } from '../dialog/Trouble.tsx';
import { useSaveRecord } from '../dialog/useSaveRecord.ts';
import type { Assessment } from './assessment.ts';
import styles from './Assessments.module.css';

/** Replaces the Rename button until it is saved or cancelled. */
export const RenameForm = ({ assessment, onClose }: { readonly assessment: Assessment; readonly onClose: () => void }) => {
  const { save, trouble, saving } = useSaveRecord<Assessment>({
    resource: 'assessments',
    record: assessment,
    given: undefined,
    onSaved: onClose,
  });
  return (
    <Form<Assessment> record={assessment} onSubmit={save} noValidate>
      <FormTyped />
      <Trouble trouble={trouble} />
      <div className={styles.rename}>
        <TextInput source="name" label="Assessment name" validate={required('Required.')} autoFocus inputProps={{ maxLength: 200 }} />
        <Button variant="outlined" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="contained" type="submit" disabled={saving || trouble?.kind === 'gone'}>
          Save
        </Button>
      </div>
    </Form>
  );
};
