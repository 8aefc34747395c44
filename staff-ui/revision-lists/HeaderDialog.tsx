import { MAX_LABEL } from '#api/contract/limits';
import { HEADER_REQUIRED, isDouble } from '#api/revision-lists/revision-list.contract';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { sentence } from '../../ui/api/failure.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Dialog, DialogFoot } from '../../ui/controls/Dialog.tsx';
import { Field } from '../../ui/controls/Field.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { useSend } from '../../ui/sending/useSend.ts';
import { leaving, useUnsaved } from '../../ui/session/unsaved.ts';
import type { Header } from './edits.ts';
import { undoOf } from './edits.ts';

type HeaderDialogProps = {
  readonly subjectId: string;
  readonly header: Header | undefined;
  readonly others: readonly Header[];
  readonly onClose: () => void;
};

/** The name of a header; undefined: of a new one. A name that another header has is allowed, with a hint. */
export const HeaderDialog = ({ subjectId, header, others, onClose }: HeaderDialogProps) => {
  const [name, setName] = useState(header?.name ?? '');
  const [was] = useState(header?.name);
  const [wasSent, setSent] = useState(false);
  const isEmpty = name.trim() === '';
  useUnsaved(name.trim() !== (was ?? ''), 'part');
  const { send, pending, error } = useSend({
    act: async (_: void, command) =>
      header === undefined
        ? (await command('AddRevisionHeader', { subjectId, name })).commandId
        : (await command('RenameRevisionHeader', { subjectId, headerId: header.headerId, name, was: was ?? header.name })).commandId,
    invalidates: ['structure'],
    notice: () => (header === undefined ? `${name.trim()} was added.` : `${was} is ${name.trim()} now.`),
    undo: (commandId) => (name.trim() === was ? undefined : undoOf(subjectId, commandId)),
    onDone: onClose,
    showsError: true,
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (!isEmpty) void send();
  };
  return (
    <Dialog
      title={header === undefined ? 'New Header' : 'Edit Header'}
      open
      beforeClose={(close) => leaving('part', close)}
      onClose={onClose}
    >
      <form noValidate onSubmit={save}>
        <div className="stack gap-3 pad">
          <Field
            label="Header"
            value={name}
            maxLength={MAX_LABEL}
            autoComplete="off"
            error={wasSent && isEmpty ? HEADER_REQUIRED : undefined}
            hint={!isEmpty && isDouble(name, others) ? 'There is another header with this name.' : undefined}
            onChange={({ target }) => setName(target.value)}
          />
          {error !== undefined && <Notice tone="bad" title={sentence(error)} />}
        </div>
        <DialogFoot>
          <Button onClick={() => leaving('part', onClose)}>Cancel</Button>
          <Button type="submit" look="primary" disabled={pending}>
            Save
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
};
