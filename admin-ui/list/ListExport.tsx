import DownloadIcon from '@mui/icons-material/FileDownloadOutlined';
import { Button } from '@mui/material';
import type { RaRecord } from 'react-admin';
import { ListBase, useDataProvider, useListContext } from 'react-admin';
import { useSend } from '../../ui/sending/useSend.ts';
import type { CsvColumn } from './csv.ts';
import { downloadCsv } from './csv.ts';

/** The server's maximum per answer. */
const MOST = 5_000;

type ListExportProps<Row extends RaRecord> = {
  /** 'students' makes students.csv */
  readonly file: string;
  readonly columns: readonly CsvColumn<Row>[];
};

type Filter = Readonly<Record<string, unknown>>;

/** Exports the whole list as CSV, with its current filter and order. Must be inside a ListBase. */
export const ListExport = <Row extends RaRecord>({ file, columns }: ListExportProps<Row>) => {
  const list = useListContext<Row>();
  const { resource, sort, total } = list;
  const filter: Filter = { ...(list.filterValues as Filter), ...list.filter };
  const provider = useDataProvider();
  const { send, pending } = useSend({
    act: (_: void) => provider.getList<Row>(resource, { filter, sort, pagination: { page: 1, perPage: MOST } }),
    onDone: ({ data }) =>
      downloadCsv(
        `${file}.csv`,
        columns.map(({ label }) => label),
        data.map((record) => columns.map(({ value }) => value(record))),
      ),
  });
  return (
    <Button size="small" startIcon={<DownloadIcon />} disabled={pending || !total} onClick={() => void send()}>
      Export CSV
    </Button>
  );
};

type RecordsExportProps<Row extends RaRecord> = ListExportProps<Row> & {
  readonly resource: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly sort: { readonly field: string; readonly order: 'ASC' | 'DESC' };
};

/** The same for a screen that edits records in place and is not a react-admin list. */
export const RecordsExport = <Row extends RaRecord>({ resource, filter, sort, ...list }: RecordsExportProps<Row>) => (
  <ListBase<Row> resource={resource} filter={filter} sort={sort} perPage={1} disableSyncWithLocation storeKey={false}>
    <ListExport {...list} />
  </ListBase>
);
