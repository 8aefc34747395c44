import { authorsOf } from '../../../events/marks/cell.ts';
import type { StoredCell } from '../../../events/marks/cell-text.ts';
import { decodeCell } from '../../../events/marks/cell-text.ts';

/** An upload that was not undone, and says on which day its assessments were sat. */
export type DatedUpload = {
  readonly commandId: string;
  readonly satOn: string;
  readonly fileName: string | null;
  readonly by: string | null;
};

/** A student's result in an assessment. `counts`: the student has a staff total. `upload`: by which it stands, if by any that says a day. */
export type StandingResult = { readonly counts: boolean; readonly upload: DatedUpload | undefined };

/** The upload whose totals count for most of the students; of several, the latest. `uploads`: in the order of the log. */
export const uploadOf = (uploads: readonly DatedUpload[], results: readonly StandingResult[]): DatedUpload | undefined =>
  // While no total counts, all marks are considered.
  mostOf(
    results.flatMap(({ counts, upload }) => (counts && upload ? [upload] : [])),
    uploads,
  ) ??
  mostOf(
    results.flatMap(({ upload }) => upload ?? []),
    uploads,
  );

/** By which upload most of a student's result stands; of several, the latest. `cells`: the total, or each mark where there is none. */
export const standsBy = (uploads: readonly DatedUpload[], cells: readonly StoredCell[]): DatedUpload | undefined => {
  const byCommand = new Map(uploads.map((upload) => [upload.commandId, upload]));
  // The last author of the value who also said a day: whoever merely confirms the value leaves the day alone.
  const saidBy = (cell: StoredCell) => authorsOf(decodeCell(cell)).flatMap(({ command }) => byCommand.get(command) ?? [])[0];
  return mostOf(
    cells.flatMap((cell) => saidBy(cell) ?? []),
    uploads,
  );
};

/** The one that is there most often; of several, the latest. */
const mostOf = (chosen: readonly DatedUpload[], inOrder: readonly DatedUpload[]): DatedUpload | undefined => {
  const counts = new Map<DatedUpload, number>();
  for (const one of chosen) counts.set(one, (counts.get(one) ?? 0) + 1);
  let most: DatedUpload | undefined;
  for (const one of inOrder) if ((counts.get(one) ?? 0) >= Math.max(1, most ? (counts.get(most) ?? 0) : 0)) most = one;
  return most;
};
