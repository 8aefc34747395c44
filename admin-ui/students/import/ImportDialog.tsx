import { dateText } from '#api/contract/dates';
import type { ImportPreview } from '#api/students/students.contract';
import { Button, Dialog, DialogActions, DialogContent, DialogTitle, useMediaQuery } from '@mui/material';
import { useId, useMemo, useState } from 'react';
import { Pager } from '../../../ui/table/Pager.tsx';
import { Scrollable } from '../../../ui/table/Scrollable.tsx';
import table from '../../list/Table.module.css';
import styles from './ImportPage.module.css';

const PAGE = 50;

/** Everything that the import would do, one row per student. */
export const ImportDialog = ({ preview, onClose }: { readonly preview: ImportPreview; readonly onClose: () => void }) => {
  const titleId = useId();
  const [kind, setKind] = useState<Kind | 'all'>('all');
  const [page, setPage] = useState(0);
  const rows = useMemo(() => rowsOf(preview), [preview]);
  const shown = kind === 'all' ? rows : rows.filter((row) => row.kind === kind);
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} maxWidth="md" fullScreen={useMediaQuery('(max-width: 599px)')}>
      <DialogTitle id={titleId}>Import data</DialogTitle>
      <DialogContent>
        <div className={styles.part}>
          <div className={`${styles.head} ${styles.matching}`}>
            <select
              aria-label="Which students"
              value={kind}
              onChange={({ target }) => {
                setKind(target.value as Kind | 'all');
                setPage(0);
              }}
              style={{ width: 'auto' }}
            >
              {(['all', ...kinds] as const).map((one) => (
                <option key={one} value={one}>
                  {kindNames[one]} ({one === 'all' ? rows.length : rows.filter((row) => row.kind === one).length})
                </option>
              ))}
            </select>
            <Pager page={page} size={PAGE} count={shown.length} onPage={setPage} of="students" />
          </div>
          <Scrollable className={table.scroll} label="Students of the import">
            <table className={`${table.table} ${table.stacked}`}>
              <thead>
                <tr>
                  <th scope="col">StudentID</th>
                  <th scope="col">Name</th>
                  <th scope="col">DoB</th>
                  <th scope="col">Set</th>
                  <th scope="col">What happens</th>
                </tr>
              </thead>
              <tbody>
                {shown.slice(page * PAGE, (page + 1) * PAGE).map((row) => (
                  <tr key={row.key}>
                    <td className={table.nowrap}>{row.admissionNo}</td>
                    <td>{row.name}</td>
                    <td className={table.nowrap}>{dateText(row.dateOfBirth)}</td>
                    <td className={table.nowrap}>{row.set}</td>
                    <td className={['same', 'kept', 'left-out'].includes(row.kind) ? table.quiet : undefined}>{row.what}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scrollable>
        </div>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
};

const kinds = ['added', 'moved', 'corrected', 'off-roll', 'left-out', 'missing', 'same', 'kept', 'removed'] as const;
type Kind = (typeof kinds)[number];
const kindNames: Readonly<Record<Kind | 'all', string>> = {
  all: 'Everybody',
  added: 'New',
  moved: 'Moved',
  corrected: 'Other StudentID, name or date of birth',
  'off-roll': 'To Off-Roll',
  'left-out': 'Off-Roll and not in this subject: left out',
  missing: 'Set not known',
  same: 'No change',
  kept: 'Not in the file: kept',
  removed: 'Not in the file: removed',
};

type Row = {
  readonly key: string;
  readonly kind: Kind;
  readonly admissionNo: string;
  readonly name: string;
  readonly dateOfBirth: string | null;
  readonly set: string;
  readonly what: string;
};

const rowsOf = ({ rows, others }: ImportPreview): readonly Row[] => [
  ...rows.map((row): Row => {
    const { admissionNo: inFile, change, stored, identity } = row;
    const isCorrected = (stored !== null && stored.counts !== 'stored') || identity?.number === 'file';
    const kind = change === 'enrolled' ? 'added' : change === 'same' && isCorrected ? 'corrected' : change;
    const kept = stored?.counts === 'stored' ? stored : row;
    const admissionNo = identity?.number === 'stored' ? (sameStudent(row)?.admissionNo ?? inFile) : inFile;
    return { key: `in ${inFile}`, kind, admissionNo, name: kept.name, dateOfBirth: kept.dateOfBirth, set: row.set, what: whatOf(row) };
  }),
  ...others.map(({ studentId, admissionNo, name, set, becomes }): Row => {
    const what = { kept: 'Not in the file: stays', 'off-roll': 'Not in the file: to Off-Roll', removed: 'Not in the file: removed' };
    return {
      key: studentId,
      kind: becomes,
      admissionNo,
      name,
      dateOfBirth: null,
      set,
      what: what[becomes],
    };
  }),
];

/** Who has the row's StudentID, which is nobody's. */
const sameStudent = ({ identity }: ImportPreview['rows'][number]) =>
  identity?.candidates.find(({ studentId }) => studentId === identity.studentId);

const whatOf = (row: ImportPreview['rows'][number]): string => {
  const { admissionNo, change, from, stored, identity } = row;
  const same = sameStudent(row);
  const place = {
    added: 'New',
    enrolled: 'New in this subject',
    moved: `From ${from ?? ''}`,
    'off-roll': `From ${from ?? ''} to Off-Roll`,
    'left-out': 'Not in this subject: left out',
    same: '',
    missing: 'This set is not known',
  }[change];
  const number = same ? (identity?.number === 'file' ? `StudentID was ${same.admissionNo}` : `${admissionNo} in the file`) : '';
  const details = stored && stored.counts !== 'stored' ? `was ${stored.name}, ${dateText(stored.dateOfBirth) || 'no date of birth'}` : '';
  return [place, number, details].filter((part) => part !== '').join('; ') || 'No change';
};
