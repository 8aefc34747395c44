import type { ExportTable } from '#api/marks/export.contract';
import { Button, FormControl, FormControlLabel, FormLabel, InputLabel, MenuItem, Radio, RadioGroup, Select } from '@mui/material';
import { useId, useState } from 'react';
import { useApi, useQuestion } from '../../ui/api/ApiProvider.tsx';
import { sentence } from '../../ui/api/failure.ts';
import { Failure } from '../../ui/feedback/Failure.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import { Page } from '../../ui/frame/Page.tsx';
import { useMoment } from '../moment.ts';
import { subjectPage } from '../frame/NeedsSubject.tsx';
import { downloadCsv } from '../list/csv.ts';
import styles from './Export.module.css';
import { Dialog, DialogFoot } from '../../ui/controls/Dialog.tsx';
import { Pager } from '../../ui/table/Pager.tsx';
import { Scrollable } from '../../ui/table/Scrollable.tsx';
import type { Structure } from '#api/school/school.contract';

/** Export QLA Data: choose a kind of data and what it is about, then view or download it. */
export const ExportPage = subjectPage('Export QLA Data', ({ subjectId, name }) => {
  const { asOf } = useMoment();
  const { data, error, refetch } = useQuestion('structure', { subjectId }, asOf);
  const [kind, setKind] = useState<Kind>('students');
  const [chosen, setChosen] = useState('');
  const { outcome, ask, clear } = useExport(asOf);
  const [viewed, setViewed] = useState<ExportTable>();
  const items = data ? itemsOf(kind, data) : [];
  const itemId = items.some(({ id }) => id === chosen) ? chosen : (items[0]?.id ?? '');
  const choose = (change: () => void) => {
    change();
    clear();
  };
  const nothing = outcome?.table?.rows.length === 0;

  return (
    <Page title="Export QLA Data" sub={name}>
      {error && !data && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={4} />}
      {data && (
        <div className={styles.form}>
          <KindChoice kind={kind} onKind={(next) => choose(() => setKind(next))} />
          {items.length === 0 ? (
            <Notice title={kinds[kind].none} />
          ) : (
            <>
              <ItemChoice label={kinds[kind].item} items={items} chosen={itemId} onChoose={(id) => choose(() => setChosen(id))} />
              <div className={styles.buttons}>
                <Button variant="contained" disabled={outcome?.busy === true} onClick={() => void ask(kind, itemId).then(setViewed)}>
                  View data
                </Button>
                <Button
                  variant="outlined"
                  disabled={outcome?.busy === true}
                  onClick={() =>
                    void ask(kind, itemId).then((table) => table && downloadCsv('data_download.csv', table.columns, table.rows))
                  }
                >
                  Download CSV
                </Button>
              </div>
            </>
          )}
          {kind === 'results' && <p>Marks that staff have entered and, where they have not, those that students have submitted.</p>}
          {nothing && <Notice tone="warn" title={kinds[kind].empty} />}
          {outcome?.error !== undefined && <Notice tone="bad" title={sentence(outcome.error)} />}
        </div>
      )}
      <ExportDialog table={viewed} onClose={() => setViewed(undefined)} />
    </Page>
  );
});

type Outcome = { readonly busy?: boolean; readonly table?: ExportTable; readonly error?: unknown };

/** Fetches a table, and returns it if it has rows. */
const useExport = (asOf: string | undefined) => {
  const api = useApi();
  const [outcome, setOutcome] = useState<Outcome>();
  const ask = async (kind: Kind, id: string): Promise<ExportTable | undefined> => {
    setOutcome({ busy: true });
    try {
      const table = await (kind === 'students'
        ? api.query('export-students', { yearGroupId: id }, { asOf })
        : api.query('export-results', { testId: id }, { asOf }));
      setOutcome({ table });
      return table.rows.length > 0 ? table : undefined;
    } catch (error) {
      setOutcome({ error });
      return undefined;
    }
  };
  return { outcome, ask, clear: () => setOutcome(undefined) };
};

const KindChoice = ({ kind, onKind }: { readonly kind: Kind; readonly onKind: (kind: Kind) => void }) => {
  const id = useId();
  return (
    <FormControl>
      <FormLabel id={id}>Kind of data</FormLabel>
      <RadioGroup row aria-labelledby={id} value={kind} onChange={(_event, value) => onKind(value === 'results' ? 'results' : 'students')}>
        <FormControlLabel value="students" control={<Radio size="small" />} label={kinds.students.label} />
        <FormControlLabel value="results" control={<Radio size="small" />} label={kinds.results.label} />
      </RadioGroup>
    </FormControl>
  );
};

type ItemChoiceProps = {
  readonly label: string;
  readonly items: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
};

const ItemChoice = ({ label, items, chosen, onChoose }: ItemChoiceProps) => {
  const id = useId();
  return (
    <FormControl>
      <InputLabel id={id}>{label}</InputLabel>
      <Select labelId={id} label={label} value={chosen} onChange={({ target }) => onChoose(target.value)}>
        {items.map((item) => (
          <MenuItem key={item.id} value={item.id}>
            {item.name}
          </MenuItem>
        ))}
      </Select>
    </FormControl>
  );
};

/** Rows on a page. */
const SIZE = 15;

/** The data as it would be downloaded, page by page. */
const ExportDialog = ({ table, onClose }: { readonly table: ExportTable | undefined; readonly onClose: () => void }) => (
  <Dialog title={table ? table.title : ''} open={table !== undefined} onClose={onClose} size="wide">
    {table && <Rows table={table} />}
  </Dialog>
);

const Rows = ({ table: { title, columns, rows } }: { readonly table: ExportTable }) => {
  const [page, setPage] = useState(0);
  const first = page * SIZE;
  return (
    <>
      <Scrollable label={`Data of ${title}`} className={styles.scroll}>
        <table className={styles.table}>
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
                  <td key={columns[at]} data-figure={typeof cell === 'number' || undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrollable>
      <DialogFoot>
        <Pager page={page} size={SIZE} count={rows.length} onPage={setPage} of="data" />
        <Button variant="contained" onClick={() => downloadCsv('data_download.csv', columns, rows)}>
          Download CSV
        </Button>
      </DialogFoot>
    </>
  );
};

type Kind = 'students' | 'results';

type Words = { readonly label: string; readonly item: string; readonly none: string; readonly empty: string };

const kinds: Readonly<Record<Kind, Words>> = {
  students: {
    label: 'Students of a year group',
    item: 'Year group',
    none: 'This subject has no year group yet: add one under Classes.',
    empty: 'No data for this year group...',
  },
  results: {
    label: 'Results of an assessment',
    item: 'Assessment',
    none: 'This subject has no assessment yet: add one under Assessment Data.',
    empty: 'No data for this assessment...',
  },
};

/** What data of this kind can be exported for. */
const itemsOf = (kind: Kind, { yearGroups, tests }: Structure): readonly { readonly id: string; readonly name: string }[] =>
  kind === 'students'
    ? yearGroups.map(({ yearGroupId, year }) => ({ id: yearGroupId, name: `Year ${year}` }))
    : tests.map(({ testId, name }) => ({ id: testId, name }));
