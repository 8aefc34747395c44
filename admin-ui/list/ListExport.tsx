import DownloadIcon from '@mui/icons-material/FileDownloadOutlined';
import { Button } from '@mui/material';
import type { RaRecord } from 'react-admin';
import { ListBase, useDataProvider, useListContext } from 'react-admin';
import type { HandOut } from '../../ui/file/useHandOut.ts';
import { useHandOut } from '../../ui/file/useHandOut.ts';
import { useSend } from '../../ui/sending/useSend.ts';
import type { CsvColumn } from './csv.ts';
import { csvFile, downloadCsv } from './csv.ts';

/** The server's maximum per answer. */
const MOST = 5_000;

type ListExportProps<Row extends RaRecord> = {
  /** 'students' makes students.csv */
  readonly file: string;
  readonly columns: readonly CsvColumn<Row>[];
  /** Whose data it holds, for the record; left out: nobody's. */
  readonly personal?: Omit<HandOut, 'as'>;
};

type Filter = Readonly<Record<string, unknown>>;

/** Exports the whole list as CSV, with its current filter and order. Must be inside a ListBase. */
export const ListExport = <Row extends RaRecord>({ file, columns, personal }: ListExportProps<Row>) => {
  const list = useListContext<Row>();
  const { resource, sort, total } = list;
  const filter: Filter = { ...(list.filterValues as Filter), ...list.filter };
  const provider = useDataProvider();
  const handOut = useHandOut();
  const { send, pending } = useSend({
    async act(_: void) {
      const { data } = await provider.getList<Row>(resource, { filter, sort, pagination: { page: 1, perPage: MOST } });
      const rows = data.map((record) => columns.map(({ value }) => value(record)));
      const table = [`${file}.csv`, columns.map(({ label }) => label), rows] as const;
      if (personal) await handOut({ ...personal, as: 'file' }, ...csvFile(...table));
      else downloadCsv(...table);
    },
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
