import { Changes, Fields, useReadOnly } from '../../ui/frame/ReadOnly.tsx';
import type { ReactNode } from 'react';
import type { RaRecord } from 'react-admin';
import { useEffect, useRef } from 'react';
import { Form } from 'react-admin';
import { useFormState } from 'react-hook-form';
import { Button } from '../../ui/controls/Button.tsx';
import { DialogFoot } from '../../ui/controls/Dialog.tsx';
import { FormDialog, FormTyped } from './FormDialog.tsx';
import { Trouble } from './Trouble.tsx';
import { useSaveRecord } from './useSaveRecord.ts';

type RecordDialogProps<Row extends RaRecord> = {
  readonly title: string;
  readonly resource: string;
  /** The record to edit; omitted: a new one. */
  readonly record?: Row | undefined;
  /** Values of a new record that the form has no fields for, such as its subject. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Initial values of a new record. */
  readonly defaults?: Partial<Row>;
  readonly submit: string;
  readonly onClose: () => void;
  readonly onSaved: (saved: Row) => void;
  readonly children: ReactNode;
};

/**
 * A form for one record. Errors by field are shown beside the field. If somebody else changes or removes the record meanwhile the dialog
 * says so, and the input stays.
 */
export const RecordDialog = <Row extends RaRecord>(props: RecordDialogProps<Row>) => {
  const { title, resource, record, given, defaults, submit, onClose, onSaved, children } = props;
  const { save, trouble, saving } = useSaveRecord<Row>({ resource, record, given, onSaved });
  const initial = record ?? defaults;
  const readOnly = useReadOnly();
  return (
    <FormDialog title={title} onClose={onClose}>
      <Form<Row> {...(initial && { record: initial })} onSubmit={save} noValidate disableInvalidFormNotification>
        <div className="pad">
          <Trouble trouble={trouble} />
          <Fields>{children}</Fields>
          <FormTyped />
          <ToRefused />
        </div>
        <DialogFoot>
          {!readOnly && <Button onClick={onClose}>Cancel</Button>}
          <Changes>
            <Button look="primary" type="submit" disabled={saving || trouble?.kind === 'gone'}>
              {saving ? 'Saving…' : submit}
            </Button>
          </Changes>
        </DialogFoot>
      </Form>
    </FormDialog>
  );
};

/** Takes the focus to the first field that the server refused: in a long form it may be out of sight. */
const ToRefused = () => {
  const { submitCount } = useFormState();
  const here = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (submitCount > 0) here.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount]);
  return <span ref={here} hidden />;
};
