import type { StoredSave } from './enter-marks.ts';
import type { MarksBatch } from './mark-drafts.ts';
import { cellIn } from './mark-drafts.ts';

/** What somebody said of a cell, and the value that they saw there, in the form of the drafts. */
export type Statement = { readonly value: string; readonly saw: string };

/** A save of this page that is in the log: what it says, by key of the cell. `batch`: under which id it was sent. */
export type LoggedSave = StoredSave & { readonly batch: string; readonly cells: ReadonlyMap<string, Statement> };

/** What this page has stored, cell by cell, the latest last: so that what somebody said here can be taken back. Lasts as long as the page. */
export class PageSaves {
  readonly #byCell = new Map<string, readonly LoggedSave[]>();

  /** `refused`: by key. */
  add({ id, values, input }: MarksBatch, commandId: string, refused: Readonly<Record<string, unknown>>): void {
    const seen = new Map(input.cells.map((cell) => [placeOf(cell), (cell.was ?? []).join(' ')]));
    const taken = Object.entries(values).filter(([key]) => !Object.hasOwn(refused, key));
    const cells = new Map(
      taken.map(([key, value]) => {
        const cell = cellIn(key);
        return [key, { value, saw: cell ? (seen.get(placeOf({ ...cell, attendance: cell.kind === 'attendance' })) ?? '') : '' }] as const;
      }),
    );
    const save = { entryId: input.entryId, commandId, as: input.as, batch: id, cells };
    for (const key of cells.keys()) this.#byCell.set(key, [...(this.#byCell.get(key) ?? []), save]);
  }

  /** The save that said the last of a cell; undefined: none of this page. */
  last(key: string): LoggedSave | undefined {
    return this.#byCell.get(key)?.at(-1);
  }

  /** The saves that said something of a cell after this one; undefined: all of them. */
  since(key: string, save: LoggedSave | undefined): readonly LoggedSave[] {
    const all = this.#byCell.get(key) ?? [];
    return save && all.includes(save) ? all.slice(all.indexOf(save) + 1) : all;
  }

  /** All of them that count. */
  saves(): ReadonlySet<LoggedSave> {
    return new Set([...this.#byCell.values()].flat());
  }

  /** What saves that are not among `before` say of each cell in the end, and what was seen there first. */
  changesSince(before: ReadonlySet<LoggedSave>): ReadonlyMap<string, Statement> {
    const changes = new Map<string, Statement>();
    for (const [key, all] of this.#byCell) {
      const statements = all.flatMap((save) => (before.has(save) ? [] : (save.cells.get(key) ?? [])));
      const [first, last] = [statements[0], statements.at(-1)];
      if (first && last) changes.set(key, { value: last.value, saw: first.saw });
    }
    return changes;
  }

  /** It was taken back. */
  forget(save: LoggedSave): void {
    for (const key of save.cells.keys())
      this.#byCell.set(
        key,
        (this.#byCell.get(key) ?? []).filter((one) => one !== save),
      );
  }
}

const placeOf = ({ studentId, questionId, attendance }: Place): string => `${studentId} ${questionId ?? ''} ${attendance === true}`;
type Place = { readonly studentId: string; readonly questionId?: string | undefined; readonly attendance?: boolean | undefined };
