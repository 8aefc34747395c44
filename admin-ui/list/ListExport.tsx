import { useMemo } from 'react';
import type { RaRecord } from 'react-admin';
import { ExportButton } from 'react-admin';
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
