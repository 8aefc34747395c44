/**
 * What students are shown of others is a snapshot, which changes only together with five students or more: whoever reads it before and
 * after learns of at least five changes at once, and of none by itself. A student counts once, however often their mark was changed.
 */
export const FEWEST_CHANGES = 5;

/** A mark or total; null: none. */
export type Part = number | null;
/** By student whose part in the snapshot is not what it is now: both. */
export type Waiting = Readonly<Record<string, readonly [was: Part, now: Part]>>;

/** The students who wait for the next snapshot, while an event changes them. */
export class WaitingStudents {
  readonly #parts: Map<string, readonly [was: Part, now: Part]>;

  constructor(waiting: Waiting) {
    this.#parts = new Map(Object.entries(waiting));
  }

  change(studentId: string, before: Part, now: Part): void {
    const was = this.#parts.has(studentId) ? (this.#parts.get(studentId)?.[0] ?? null) : before;
    if (was === now) this.#parts.delete(studentId);
    else this.#parts.set(studentId, [was, now]);
  }

  /** Takes out those who come into the snapshot now: all but the `unfinished`, if they are enough. */
  settle(unfinished: ReadonlySet<string>): readonly (readonly [was: Part, now: Part])[] {
    const ready = [...this.#parts].filter(([studentId]) => !unfinished.has(studentId));
    if (ready.length < FEWEST_CHANGES) return [];
    for (const [studentId] of ready) this.#parts.delete(studentId);
    return ready.map(([, part]) => part);
  }

  /** In one order, whatever came first. */
  get left(): Waiting {
    return Object.fromEntries([...this.#parts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Totals in ascending order, after these changes. */
export const changedTotals = (totals: readonly number[], changes: readonly (readonly [was: Part, now: Part])[]): readonly number[] => {
  if (changes.length === 0) return totals;
  const counts = new Map<number, number>();
  const add = (total: Part, count: number) => {
    if (total !== null) counts.set(total, (counts.get(total) ?? 0) + count);
  };
  for (const total of totals) add(total, 1);
  for (const [was, now] of changes) {
    add(was, -1);
    add(now, 1);
  }
  return [...counts].toSorted(([a], [b]) => a - b).flatMap(([total, count]) => Array.from({ length: Math.max(0, count) }, () => total));
};

/** The part in a question of a student who sat the test and has no mark here. */
export const LEFT_OUT = -1;
export type QuestionSums = { readonly n: number; readonly marked: number; readonly sum: number; readonly squares: number };

export const changedSums = (sums: QuestionSums, changes: readonly (readonly [was: Part, now: Part])[]): QuestionSums => {
  let { n, marked, sum, squares } = sums;
  const add = (part: Part, count: 1 | -1) => {
    if (part === null) return;
    n += count;
    if (part === LEFT_OUT) return;
    marked += count;
    sum += count * part;
    squares += count * part * part;
  };
  for (const [was, now] of changes) {
    add(was, -1);
    add(now, 1);
  }
  return { n, marked, sum, squares };
};
