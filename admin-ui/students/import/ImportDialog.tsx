import { dateText } from '#api/contract/dates';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Chips } from '../../../ui/controls/Chips.tsx';
import { Dialog, DialogFoot } from '../../../ui/controls/Dialog.tsx';
import { Pager } from '../../../ui/table/Pager.tsx';
import { Heads, Table } from '../../../ui/table/Table.tsx';
import styles from './ImportPage.module.css';
import type { Filter, Row } from './preview-rows.ts';
import { filtered, filters } from './preview-rows.ts';

const PAGE = 50;

type ImportDialogProps = {
  readonly rows: readonly Row[];
  /** The button that stores it all. */
  readonly commit: ReactNode;
  readonly onClose: () => void;
};

/** Everything that the import would do, one row per student; first what it changes. */
export const ImportDialog = ({ rows, commit, onClose }: ImportDialogProps) => {
  const [filter, setFilter] = useState<Filter>('changes');
  const [page, setPage] = useState(0);
  const shown = filtered(rows, filter);
  const choices = filters(rows);
  return (
    <Dialog title="Import data" open onClose={onClose} size="wide">
      <div className="stack gap-3 pad">
        <div className={styles.filters}>
          <Chips
            label="Which students"
            items={choices}
            chosen={filter}
            onChoose={(id) => {
              setFilter(choices.find((one) => one.id === id)?.id ?? 'changes');
              setPage(0);
            }}
          />
          <Pager page={page} size={PAGE} count={shown.length} onPage={setPage} of="students" />
        </div>
        {shown.length === 0 ? (
          <p className="muted">This file changes nothing. Everybody in it is stored like this already.</p>
        ) : (
          <Rows rows={shown.slice(page * PAGE, (page + 1) * PAGE)} />
        )}
      </div>
      <DialogFoot>{commit}</DialogFoot>
    </Dialog>
  );
};

const Rows = ({ rows }: { readonly rows: readonly Row[] }) => (
  <Table label="Students of the import" isList cardsBelow={600}>
    <Heads names={['StudentID', 'Name', 'DoB', 'Set', 'What happens']} />
    <tbody>
      {rows.map((row) => (
        <tr key={row.key}>
          <td data-label="StudentID">{row.admissionNo}</td>
          <th scope="row">{row.name}</th>
          <td data-label="DoB">{dateText(row.dateOfBirth)}</td>
          <td data-label="Set">{row.set}</td>
          <td
            className={row.kinds.some((kind) => ['same', 'kept', 'left-out'].includes(kind)) ? 'breaks muted' : 'breaks'}
            data-label="What happens"
          >
            {row.what}
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
);
