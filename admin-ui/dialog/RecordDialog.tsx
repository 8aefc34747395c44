import { Button, DialogActions, DialogContent } from '@mui/material';
import type { ReactNode } from 'react';
import type { RaRecord } from 'react-admin';
import { Form } from 'react-admin';
import { FormDialog, FormTyped } from './FormDialog.tsx';
import { Trouble } from './Trouble.tsx';
import { useSaveRecord } from './useSaveRecord.ts';

type RecordDialogProps<Row extends RaRecord> = {
  readonly title: string;
  readonly resource: string;
  /** The one to change; left out: a new one is made. */
  readonly record?: Row | undefined;
  /** What a new one has beside the fields of the form, such as its subject. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** What stands in the fields of a new one at first. */
  readonly defaults?: Partial<Row>;
  readonly submit: string;
  readonly onClose: () => void;
  readonly onSaved: (saved: Row) => void;
  /** The fields. */
  readonly children: ReactNode;
};

/**
 * A form for one record. What the server refuses stands next to its field. Where somebody else has changed or removed the record meanwhile it
 * says so, and what was typed stays.
 */
export const RecordDialog = <Row extends RaRecord>(props: RecordDialogProps<Row>) => {
  const { title, resource, record, given, defaults, submit, onClose, onSaved, children } = props;
  const { save, trouble, saving } = useSaveRecord<Row>({ resource, record, given, onSaved });
  const initial = record ?? defaults;
  return (
    <FormDialog title={title} onClose={onClose}>
      <Form<Row> {...(initial && { record: initial })} onSubmit={save} noValidate disableInvalidFormNotification>
        <DialogContent>
          <Trouble trouble={trouble} />
          {children}
          <FormTyped />
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="contained" type="submit" disabled={saving || trouble?.kind === 'gone'}>
            {saving ? 'Saving…' : submit}
          </Button>
        </DialogActions>
      </Form>
    </FormDialog>
  );
};
