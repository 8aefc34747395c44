import type { Rows } from '../engine/projection.ts';
import type { Key, Row } from '../engine/tables/table.ts';
import type { OwnMarks, results, tallies } from './tables.ts';

type Known = Rows<{ tallies: typeof tallies }>;
type Tally = Key<typeof tallies>;
type Cell = Pick<Row<typeof results>, 'mark' | 'contested'>;

/** The mark that counts: that of staff, else the student's own. */
export const effectiveOf = (mark: number | null, ownMark: number | undefined): number | null => mark ?? ownMark ?? null;

/** Adds up how changed marks move students from one mark of a question to another; the rows are put by `put`. */
export class TallyChanges {
  readonly #rows: Known;
  readonly #changed = new Map<string, { readonly key: Tally; readonly students: Map<number, number>; contested: number }>();

  constructor(rows: Known) {
    this.#rows = rows;
  }

  /** A cell of staff has changed; `ownMark`: what the student has confirmed for the question. */
  cell(key: Tally, before: Cell | undefined, after: Cell, ownMark: number | undefined): void {
    this.#move(key, effectiveOf(before?.mark ?? null, ownMark), effectiveOf(after.mark, ownMark));
    const contested = Number(after.contested) - Number(before?.contested ?? false);
    if (contested !== 0) this.#of(key).contested += contested;
  }

  /** A student has confirmed other marks: they count where staff have none. */
  confirmed(test: Omit<Tally, 'item_id'>, before: OwnMarks, after: OwnMarks, staffMark: (item_id: string) => number | null): void {
    for (const item_id of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const mark = staffMark(item_id);
      this.#move({ ...test, item_id }, effectiveOf(mark, before[item_id]), effectiveOf(mark, after[item_id]));
    }
  }

  put(): void {
    for (const { key, students, contested } of this.#changed.values()) {
      // In order, so that every build has the same row.
      const given = [...students].filter(([, count]) => count !== 0).toSorted(([a], [b]) => a - b);
      this.#rows.tallies.put({ ...key, marks: given.map(([mark]) => mark), students: given.map(([, count]) => count), contested });
    }
    this.#changed.clear();
  }

  #move(key: Tally, from: number | null, to: number | null): void {
    if (from === to) return;
    const { students } = this.#of(key);
    if (from !== null) students.set(from, (students.get(from) ?? 0) - 1);
    if (to !== null) students.set(to, (students.get(to) ?? 0) + 1);
  }

  #of({ school_id, test_id, item_id }: Tally) {
    const name = `${test_id} ${item_id}`;
    const known = this.#changed.get(name);
    if (known) return known;
    const key = { school_id, test_id, item_id };
    const row = this.#rows.tallies.get(key);
    const tally = { key, students: new Map(row?.marks.map((mark, at) => [mark, row.students[at] ?? 0])), contested: row?.contested ?? 0 };
    this.#changed.set(name, tally);
    return tally;
  }
}
