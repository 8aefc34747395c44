/**
 * One cell of marks: a student's total in a test, their mark for a question, or their attendance.
 *
 * People write into a cell without waiting for each other, and each change records what its author saw there. The cell keeps all changes in
 * log order and derives from them which value counts, and whether authors overwrote values that they had not seen.
 */

import type { MarkCell, MarkValue } from '../codec/columnar.ts';

/** A mark or total; `cleared`: the cell was emptied; `sat`, `absent` or `exempt` in an attendance cell. */
export type Value = MarkValue;

/** A change as an event records it. */
export type NewChange = {
  readonly event: string;
  /** id of the command: undo and redo refer to it */
  readonly command: string;
  /** id of the entry: one sitting of one person */
  readonly entry: string;
  readonly is: Value;
  /** What the author saw in the cell: nothing, one value, or each value of a contested cell. */
  readonly was: readonly Value[];
};

export type Change = NewChange & {
  readonly undone: boolean;
  /** The earlier changes that it covers: half-open ranges of their indexes in the cell, flat and ascending: [from, to, from, to, ...] */
  readonly covers: readonly number[];
};

/** The changes of one cell in log order. Never changed in place. */
export type Cell = readonly Change[];

export const emptyCell: Cell = [];

export type Reading =
  /** `cleared`: the change that emptied it, where there was one. */
  | { readonly state: 'empty'; readonly cleared?: Change }
  | { readonly state: 'counts'; readonly value: Exclude<Value, 'cleared'>; readonly change: Change }
  /** `value`: that of the earliest head, which counts (as empty if it is `cleared`) until an author who saw all values decides. */
  | { readonly state: 'contested'; readonly value: Value; readonly values: readonly Value[]; readonly changes: readonly Change[] };

/**
 * The cell with one more change, which covers
 * - every change whose value its author saw (see `saw`), and everything that those changes cover;
 * - every change that is undone at this point: its author did not see it, and a later redo must not contest what the author wrote.
 *
 * So among the heads it covers exactly those that its author saw. It also covers what lies beneath them, so that a value that the author
 * overwrote does not come back when a third change in between is undone. What an undone change covers is left out: those values are in the
 * cell again, and the author may not have seen them.
 */
export const withChange = (cell: Cell, change: NewChange): Cell => {
  const { event, command, entry, is, was } = change;
  const added = { event, command, entry, is, was, undone: false, covers: covered(cell, change) };
  return cell.length === 0 ? [added] : [...cell, added];
};

/** The cell without the command's changes. What they had covered comes back. */
export const withUndone = (cell: Cell, command: string): Cell => flagged(cell, command, true);

/** The cell with the command's changes again, after an undo. */
export const withRedone = (cell: Cell, command: string): Cell => flagged(cell, command, false);

/** The changes neither undone nor covered by one that is not undone, in log order. */
export const heads = (cell: Cell): readonly Change[] => {
  if (cell.length < 2) return cell[0]?.undone ? emptyCell : cell;
  const beneath = new Uint8Array(cell.length);
  for (const change of cell) if (!change.undone) mark(beneath, change.covers);
  return cell.filter((change, index) => !change.undone && beneath[index] === 0);
};

/** The values of the heads, each once, in log order: what an author sees who looks now. The default for `was`. */
export const seen = (cell: Cell): readonly Value[] => {
  const values = heads(cell).map(({ is }) => is);
  return values.length < 2 ? values : [...new Set(values)];
};

/** What counts, and whether the cell is contested: whether its heads hold two values or more. */
export const reading = (cell: Cell): Reading => {
  const changes = heads(cell);
  const change = changes[0];
  if (!change) return { state: 'empty' };
  const values = changes.length === 1 ? [change.is] : [...new Set(changes.map(({ is }) => is))];
  if (values.length > 1) return { state: 'contested', value: change.is, values, changes };
  if (change.is === 'cleared') return { state: 'empty', cleared: change };
  return { state: 'counts', value: change.is, change };
};

/**
 * The changes that say the value that counts, the latest first: the one by which it stands, and those that it confirmed. Authors of the
 * same value before it changed are left out.
 */
export const authorsOf = (cell: Cell): readonly Change[] => {
  const now = reading(cell);
  if (now.state === 'empty') return [];
  const authors: Change[] = [];
  for (let rest = cell; ;) {
    const last = heads(rest).findLast(({ is }) => is === now.value);
    if (!last) return authors;
    authors.push(last);
    rest = rest.slice(0, rest.indexOf(last));
  }
};

/** What a cell would say with and without a command, whether it is undone now or not. */
export type Share =
  /** Its value is nobody else's there: it goes with an undo, and comes back with a redo. */
  | { readonly share: 'own' }
  /** Others entered the value too, by these changes: it stays. */
  | { readonly share: 'shared'; readonly changes: readonly Change[] }
  /** Later changes have replaced it: it does not count in either case. */
  | { readonly share: 'replaced' };

export const shareOf = (cell: Cell, command: string): Share => {
  const value = cell.findLast((change) => change.command === command)?.is;
  const changes = heads(withUndone(cell, command)).filter(({ is }) => is === value);
  if (changes.length > 0) return { share: 'shared', changes };
  return { share: heads(withRedone(cell, command)).some((head) => head.command === command) ? 'own' : 'replaced' };
};

/** What an author does in a cell, before it is decided how it is written. */
export type Act = Pick<NewChange, 'entry' | 'is' | 'was'>;

/** Whether a change says again what stands in the cell, and replaces no other value that its author saw. */
export const agrees = (cell: Cell, act: Act): boolean => {
  const standing = heads(cell);
  return standing.some(({ is }) => is === act.is) && standing.every((head) => head.is === act.is || !saw(act, head));
};

/**
 * The `was` with which a change is written; undefined: nothing is written. Every value that an author enters is written, also one that
 * stands there: they entered it too, so it stays when the other change is undone. As it is, except:
 * - clearing an empty cell is nothing. (Clearing a cleared one is agreement.)
 * - agreement in a contested cell decides nothing: it covers no head, only what the value that it repeats had replaced. Covering its
 *   equals as usual, it would stand after the other values, and one of them would become the earliest, which counts.
 * - a sitting covers its own values whatever it saw. An agreement in a contested cell that would thereby change which value counts is not
 *   written: the sitting's own value, which it repeats, stands there.
 */
export const wasToWrite = (cell: Cell, act: Act, kind: MarkCell['kind']): readonly Value[] | undefined => {
  const before = reading(cell);
  if (before.state === 'empty' && !before.cleared) return act.is === 'cleared' ? undefined : act.was;
  if (before.state !== 'contested' || !agrees(cell, act)) return act.was;
  const repeated = before.changes.filter((head) => head.is === act.is);
  const was = repeated.some((head) => saw({ ...act, entry: '' }, head)) ? replacedBy(cell, repeated, before.values, kind) : act.was;
  const after = reading(withChange(cell, { ...act, was, event: '', command: '' }));
  return after.state === 'contested' && after.value === before.value ? was : undefined;
};

/** The values that these heads had replaced, without those that stand. */
const replacedBy = (cell: Cell, among: readonly Change[], standing: readonly Value[], kind: MarkCell['kind']): readonly Value[] => {
  const beneath = new Uint8Array(cell.length);
  for (const change of among) mark(beneath, change.covers);
  const values = cell
    .filter((change, index) => beneath[index] === 1 && !change.undone && !standing.includes(change.is))
    .map(({ is }) => is);
  return values.length > 0 ? [...new Set(values)] : COVERS_NOTHING[kind];
};

/**
 * The `was` of a change that covers no other: for an upload, in a contested cell that its user did not tick. It names a value that no cell
 * of this kind can hold. (An empty list would cover a clearing, because it means that the cell was seen empty; and the change's own value
 * would cover its equals.)
 */
export const COVERS_NOTHING: Readonly<Record<MarkCell['kind'], readonly Value[]>> = { total: ['sat'], mark: ['sat'], attendance: [0] };

/** What the author saw, without the value of `COVERS_NOTHING`, which no cell of this kind can hold. */
export const seenValues = (was: readonly Value[], kind: MarkCell['kind']): readonly Value[] =>
  was.filter((value) => value === 'cleared' || (typeof value === 'string') === (kind === 'attendance'));

/** Whether the author saw this value, or wrote it in the same entry. Seeing an empty cell is seeing a clearing. */
const saw = ({ entry, was }: Pick<NewChange, 'entry' | 'was'>, earlier: Change): boolean =>
  earlier.entry === entry || was.includes(earlier.is) || (was.length === 0 && earlier.is === 'cleared');

const covered = (cell: Cell, change: NewChange): readonly number[] => {
  if (cell.length === 0) return [];
  const beneath = new Uint8Array(cell.length);
  cell.forEach((earlier, index) => {
    if (earlier.undone) beneath[index] = 1;
    else if (saw(change, earlier)) {
      beneath[index] = 1;
      mark(beneath, earlier.covers);
    }
  });
  return rangesOf(beneath);
};

const mark = (beneath: Uint8Array, ranges: readonly number[]): void => {
  for (let at = 0; at < ranges.length; at += 2) beneath.fill(1, ranges[at], ranges[at + 1]);
};

const rangesOf = (beneath: Uint8Array): readonly number[] => {
  const ranges: number[] = [];
  for (let index = 0; index <= beneath.length; index += 1) {
    // A range begins or ends where neighbours differ; outside the cell nothing is covered.
    if ((beneath[index] ?? 0) !== (beneath[index - 1] ?? 0)) ranges.push(index);
  }
  return ranges;
};

const flagged = (cell: Cell, command: string, flag: boolean): Cell =>
  cell.some((change) => change.command === command && change.undone !== flag)
    ? cell.map((change) => (change.command === command ? { ...change, undone: flag } : change))
    : cell;
