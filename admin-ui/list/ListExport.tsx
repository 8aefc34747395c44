import { useMemo } from 'react';
import type { RaRecord } from 'react-admin';
import { ExportButton, ListBase } from 'react-admin';
import type { CsvColumn } from './csv.ts';
import { downloadCsv } from './csv.ts';

/** As many as the server gives in one answer. */
const MOST = 5_000;

type ListExportProps<Row extends RaRecord> = {
  /** 'students' makes students.csv */
  readonly file: string;
  readonly columns: readonly CsvColumn<Row>[];
};

/** Exports the whole list as CSV, as it is filtered and sorted just now. Belongs inside a ListBase. */
export const ListExport = <Row extends RaRecord>({ file, columns }: ListExportProps<Row>) => {
  const exporter = useMemo(
    () => (records: RaRecord[]) =>
      downloadCsv(
        `${file}.csv`,
        columns.map(({ label }) => label),
        // The list holds records of its own kind.
        records.map((record) => columns.map(({ value }) => value(record as Row))),
      ),
    [file, columns],
  );
  return <ExportButton exporter={exporter} maxResults={MOST} label="Export CSV" />;
};

type RecordsExportProps<Row extends RaRecord> = ListExportProps<Row> & {
  readonly resource: string;
  readonly filter: Readonly<Record<string, unknown>>;
  readonly sort: { readonly field: string; readonly order: 'ASC' | 'DESC' };
};

/** The same for a screen that edits its records in place, and is no list of react-admin's. */
export const RecordsExport = <Row extends RaRecord>({ resource, filter, sort, ...list }: RecordsExportProps<Row>) => (
  <ListBase<Row> resource={resource} filter={filter} sort={sort} perPage={1} disableSyncWithLocation storeKey={false}>
    <ListExport {...list} />
  </ListBase>
);
