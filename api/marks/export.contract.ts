/** GET /api/queries/export-students?yearGroupId= and export-results?testId=: the table for data_download.csv. */
export type ExportTable = {
  /** The year group or assessment: 'Year 11', 'Mock 1'. */
  readonly title: string;
  readonly columns: readonly string[];
  /** All of the same length; columns beyond it are empty. */
  readonly rows: readonly (readonly (string | number | null)[])[];
};
