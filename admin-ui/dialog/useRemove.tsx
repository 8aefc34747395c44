import type { ReactNode } from 'react';
import { useState } from 'react';
import type { RaRecord } from 'react-admin';
import { Confirm, useDataProvider } from 'react-admin';
import type { SendCommand } from '../../ui/sending/useSend.ts';
import { useSend } from '../../ui/sending/useSend.ts';

type Removal<Row extends RaRecord> = {
  readonly resource: string;
  /** The label of the button: 'Delete'. */
  readonly act: string;
  readonly title: (record: Row) => string;
  /** What would be removed with it. */
  readonly content: (record: Row) => ReactNode;
  readonly done: (record: Row) => string;
  /** Restores it, which is said under this name; omitted: it cannot be restored. */
  readonly undo?: {
    readonly called: (record: Row) => string;
    readonly restore: (record: Row, command: SendCommand) => Promise<unknown>;
  };
  /** Called once it is removed. */
  readonly after?: (record: Row) => void;
};

/** The notice of what was restored. */
export const isBack = (name: string): string => `${name} is back.`;

/** Confirms, removes, and offers Undo; a refusal is shown. Render `dialog` on the page and call `ask` from a button. */
export const useRemove = <Row extends RaRecord>({ resource, act, title, content, done, undo, after }: Removal<Row>) => {
  const [record, setRecord] = useState<Row>();
  const provider = useDataProvider();
  const close = () => setRecord(undefined);
  const { send, pending } = useSend({
    act: (row: Row) => provider.delete<Row>(resource, { id: row.id, previousData: row }),
    invalidates: 'everything',
    notice: (_answer, row) => done(row),
    undo: (_answer, row) =>
      undo &&
      (async (command) => {
        await undo.restore(row, command);
        return isBack(undo.called(row));
      }),
    onDone: (_answer, row) => {
      close();
      after?.(row);
    },
    onFailed: close,
  });

  const dialog = record && (
    <Confirm
      isOpen
      loading={pending}
      title={title(record)}
      content={content(record)}
      confirm={act}
      confirmColor="warning"
      onConfirm={() => void send(record)}
      onClose={close}
    />
  );
  return { ask: setRecord, dialog };
};
