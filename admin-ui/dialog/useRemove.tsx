import type { ReactNode } from 'react';
import { useState } from 'react';
import type { RaRecord } from 'react-admin';
import { Confirm, useDelete, useRefresh } from 'react-admin';
import { sentence } from '../../ui/api/failure.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';

type Removal<Row extends RaRecord> = {
  readonly resource: string;
  /** What it is called here, as the button that asked says it: 'Delete'. */
  readonly act: string;
  readonly title: (record: Row) => string;
  /** What would go with it. */
  readonly content: (record: Row) => ReactNode;
  readonly done: (record: Row) => string;
  /** Brings it back; left out: it cannot be brought back. */
  readonly undo?: (record: Row) => Promise<unknown>;
};

/** Asks, removes, and offers Undo. A refusal says why. Put `dialog` on the page and call `ask` from a button. */
export const useRemove = <Row extends RaRecord>({ resource, act, title, content, done, undo }: Removal<Row>) => {
  const [record, setRecord] = useState<Row>();
  const [remove, { isPending }] = useDelete<Row>();
  const refresh = useRefresh();
  const toast = useToast();

  const goOn = async (row: Row) => {
    try {
      await remove(resource, { id: row.id, previousData: row }, { returnPromise: true, mutationMode: 'pessimistic' });
      refresh();
      toast({
        tone: 'good',
        text: done(row),
        ...(undo && {
          action: { label: 'Undo', run: () => void undo(row).catch((error: unknown) => toast({ tone: 'bad', text: sentence(error) })) },
        }),
      });
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
