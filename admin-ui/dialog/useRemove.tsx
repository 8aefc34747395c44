import type { ReactNode } from 'react';
import { useState } from 'react';
import type { RaRecord } from 'react-admin';
import { Confirm, useDelete, useRefresh } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { useUndo } from './useUndo.ts';

type Removal<Row extends RaRecord> = {
  readonly resource: string;
  /** The label of the button: 'Delete'. */
  readonly act: string;
  readonly title: (record: Row) => string;
  /** What would be removed with it. */
  readonly content: (record: Row) => ReactNode;
  readonly done: (record: Row) => string;
  /** Restores it; omitted: it cannot be restored. */
  readonly undo?: (record: Row) => Promise<unknown>;
  /** Called once it is removed. */
  readonly after?: (record: Row) => void;
};

/** Confirms, removes, and offers Undo; a refusal is shown. Render `dialog` on the page and call `ask` from a button. */
export const useRemove = <Row extends RaRecord>({ resource, act, title, content, done, undo, after }: Removal<Row>) => {
  const [record, setRecord] = useState<Row>();
  const [remove, { isPending }] = useDelete<Row>();
  const refresh = useRefresh();
  const toast = useToast();
  const undoOf = useUndo();

  const goOn = async (row: Row) => {
    try {
      await remove(resource, { id: row.id, previousData: row }, { returnPromise: true, mutationMode: 'pessimistic' });
      refresh();
      after?.(row);
      toast({ tone: 'good', text: done(row), ...(undo && undoOf(() => undo(row))) });
    } catch (error) {
      refresh();
      toast({ tone: 'bad', text: sentence(error) });
    }
    setRecord(undefined);
  };

  const dialog = record && (
    <Confirm
      isOpen
      loading={isPending}
      title={title(record)}
      content={content(record)}
      confirm={act}
      confirmColor="warning"
      onConfirm={() => void goOn(record)}
      onClose={() => setRecord(undefined)}
    />
  );
  return { ask: setRecord, dialog };
};
