/** GET /api/queries/export-students?yearGroupId= and export-results?testId=: a table as it goes into data_download.csv. */
export type ExportTable = {
  /** What it is of: 'Year 11', 'Mock 1'. */
  readonly title: string;
  readonly columns: readonly string[];
  /** All of one length; columns beyond it are empty. */
  readonly rows: readonly (readonly (string | number | null)[])[];
};
