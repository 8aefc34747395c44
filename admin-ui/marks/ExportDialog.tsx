import type { ExportTable } from '#api/marks/export.contract';
import { Button } from '@mui/material';
import { useState } from 'react';
import { Dialog, DialogFoot } from '../../ui/controls/Dialog.tsx';
import { Pager } from '../../ui/table/Pager.tsx';
import { Table } from '../../ui/table/Table.tsx';
import styles from './Export.module.css';
import { saveAsCsv, saveAsExcel } from './export-file.ts';

/** Rows on a page. */
const SIZE = 15;

/** The data as it would be downloaded, page by page. */
export const ExportDialog = ({ table, onClose }: { readonly table: ExportTable | undefined; readonly onClose: () => void }) => (
  <Dialog title={table ? table.title : ''} open={table !== undefined} onClose={onClose} size="wide">
    {table && <Rows table={table} />}
  </Dialog>
);

const Rows = ({ table }: { readonly table: ExportTable }) => {
  const { title, columns, rows } = table;
  const [page, setPage] = useState(0);
  const first = page * SIZE;
  return (
    <>
      <Table label={`Data of ${title}`} region={styles.scroll}>
        <thead>
          <tr>
            {columns.slice(0, rows[0]?.length).map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(first, first + SIZE).map((row, index) => (
            <tr key={first + index}>
              {row.map((cell, at) => (
                <td key={columns[at]} className={typeof cell === 'number' ? 'figure' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      <DialogFoot>
        <Pager page={page} size={SIZE} count={rows.length} onPage={setPage} of="data" />
        <div className="row gap-3">
          <Button variant="outlined" onClick={() => void saveAsExcel(table)}>
            Download Excel
          </Button>
          <Button variant="contained" onClick={() => saveAsCsv(table)}>
            Download CSV
          </Button>
        </div>
      </DialogFoot>
    </>
  );
};
