import type { EnterMarks } from '#api/marks/marks.contract';
import { count, counted } from '../../format.ts';
import type { TextDraft } from '../../../ui/marks/mark-drafts.ts';
import { sentCell } from '../../../ui/marks/mark-drafts.ts';

type Cells = EnterMarks['cells'];

/**
 * The totals that were typed into, each with what its author saw there, not what somebody else stored meanwhile. Typing the value that
 * is there counts too: it then stands for this author as well.
 */
export const cellsOf = (drafts: Readonly<Record<string, TextDraft>>): Cells =>
  Object.entries(drafts).flatMap(([key, draft]) => sentCell(key, draft) ?? []);

/** How many totals a submission would enter, enter again, and take out. `stored`: by student, as text; left out, or '': none. */
export const changesOf = (stored: ReadonlyMap<string, string>, cells: Cells) => {
  const before = ({ studentId }: Cells[number]) => stored.get(studentId) ?? '';
  const again = cells.filter((cell) => before(cell) === (cell.is === 'cleared' ? '' : String(cell.is))).length;
  const removed = cells.filter((cell) => cell.is === 'cleared' && before(cell) !== '').length;
  return { changed: cells.length - again - removed, removed, again };
};
export type Changes = ReturnType<typeof changesOf>;

/** '2 totals changed, 1 removed, 1 entered again': what a submission would do. */
export const changesInWords = ({ changed, removed, again }: Changes): string => {
  const parts = [
    [changed, 'changed'],
    [removed, 'removed'],
    [again, 'entered again'],
  ] as const;
  return parts
    .filter(([cells]) => cells > 0)
    .map(([cells, act], index) => `${index === 0 ? counted(cells, 'total') : count(cells)} ${act}`)
    .join(', ');
};

/** A submission that mostly removes totals may be a slip, so the page asks first. One emptied field is a correction. */
export const mostlyRemoves = ({ changed, removed, again }: Changes): boolean => removed > 1 && removed > changed + again;
