import { useReadOnly } from '../../ui/frame/ReadOnly.tsx';
import { Button } from '@mui/material';
import type { ReactNode } from 'react';
import type { RaRecord } from 'react-admin';
import { useDataProvider, useListContext } from 'react-admin';
import { useState } from 'react';
import { Confirm } from '../../ui/controls/Confirm.tsx';
import { sentence } from '../../ui/api/failure.ts';
import type { SendCommand } from '../../ui/sending/useSend.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import { useToast } from '../../ui/feedback/Toasts.tsx';
import { counted } from '../format.ts';
import styles from './BulkBar.module.css';

/** Shown while records of a list are chosen: their number, and actions on all of them. */
export const BulkBar = ({ children }: { readonly children: ReactNode }) => {
  const { selectedIds, onUnselectItems } = useListContext();
  if (useReadOnly() || selectedIds.length === 0) return null;
  return (
    <div className={`row gap-3 ${styles.bar}`} role="region" aria-label="Chosen">
      <strong role="status">{selectedIds.length} chosen</strong>
      {children}
      <Button size="small" onClick={() => onUnselectItems()}>
        Choose none
      </Button>
    </div>
  );
};

type BulkActProps<Row> = {
  readonly label: string;
  /** Which of the chosen records the action applies to. */
  readonly fits?: (row: Row) => boolean;
  /** Shown if it applies to none of them. */
  readonly none?: string;
  readonly title: (rows: readonly Row[]) => string;
  /** The label of the button that does it, with the number. */
  readonly go: (rows: readonly Row[]) => string;
  /** Something is removed or closed by it. */
  readonly removes?: boolean;
  readonly content: string;
  readonly act: (row: Row, command: SendCommand) => Promise<unknown>;
  readonly done: (count: number) => string;
};

/** Applies an action to each chosen record after a confirmation, then reports how many succeeded and why others failed. */
export const BulkAct = <Row extends RaRecord<string>>({
  label,
  fits = () => true,
  none = '',
  title,
  go,
  removes = false,
  content,
  act,
  done,
}: BulkActProps<Row>) => {
  const { resource, selectedIds, onSelect } = useListContext<Row>();
  const provider = useDataProvider();
  const toast = useToast();
  const [toConfirm, setToConfirm] = useState<readonly Row[]>();

  const { send: ask } = useSend({
    act: (_: void) => provider.getMany<Row>(resource, { ids: selectedIds }),
    onDone: ({ data }) => {
      const rows = data.filter(fits);
      if (rows.length === 0) toast({ tone: 'warn', text: none });
      else setToConfirm(rows);
    },
  });
  const { send, pending } = useSend({
    act: async (rows: readonly Row[], command) => {
      const failed = new Map<string, unknown>();
      for (const row of rows) {
        // In sequence, because they share a stream.
        // oxlint-disable-next-line no-await-in-loop
        await act(row, command).catch((error: unknown) => failed.set(row.id, error));
      }
      return failed;
    },
    invalidates: 'everything',
    notice: (failed, rows) => (failed.size < rows.length ? done(rows.length - failed.size) : undefined),
    onDone: (failed) => {
      setToConfirm(undefined);
      onSelect([...failed.keys()]);
      const [why] = failed.values();
      if (why !== undefined) toast({ tone: 'bad', text: `${counted(failed.size, 'record')} could not be changed: ${sentence(why)}` });
    },
  });
  return (
    <>
      <Button size="small" variant="outlined" onClick={() => void ask()}>
        {label}
      </Button>
      {toConfirm && (
        <Confirm
          title={title(toConfirm)}
          go={go(toConfirm)}
          removes={removes}
          pending={pending}
          onGo={() => void send(toConfirm)}
          onClose={() => setToConfirm(undefined)}
        >
          <p>{content}</p>
        </Confirm>
      )}
    </>
  );
};
