import { authorsOf } from '../../../events/marks/cell.ts';
import type { StoredCell } from '../../../events/marks/cell-text.ts';
import { decodeCell } from '../../../events/marks/cell-text.ts';

/** An upload that stands, and says on which day its assessments were sat. */
export type DatedUpload = {
  readonly commandId: string;
  readonly satOn: string;
  readonly fileName: string | null;
  readonly by: string | null;
};

/** What a student's result stands by: the total, or each mark where there is none. `counts`: the student has a staff total. */
export type ResultCell = { readonly studentId: string; readonly counts: boolean; readonly cell: StoredCell };

/** The upload whose totals count for most of the students; of several, the latest. `uploads`: in the order of the log. */
export const uploadOf = (uploads: readonly DatedUpload[], cells: readonly ResultCell[]): DatedUpload | undefined =>
  // Until any total counts, whatever marks there are.
  uploadIn(
    uploads,
    cells.filter(({ counts }) => counts),
  ) ?? uploadIn(uploads, cells);

const uploadIn = (uploads: readonly DatedUpload[], cells: readonly ResultCell[]): DatedUpload | undefined => {
  const known = new Map(uploads.map((upload) => [upload.commandId, upload]));
  const ofStudents = new Map<string, DatedUpload[]>();
  for (const { studentId, cell } of cells) {
    // The last author of the value who also said a day: whoever merely confirms the value leaves the day alone.
    const upload = authorsOf(decodeCell(cell)).flatMap(({ command }) => known.get(command) ?? [])[0];
    if (upload) ofStudents.set(studentId, [...(ofStudents.get(studentId) ?? []), upload]);
  }
  return mostOf(
    [...ofStudents.values()].flatMap((said) => mostOf(said, uploads) ?? []),
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
