/**
 * One cell of marks: a student's total on a test, his mark on a question, or whether he sat the test.
 *
 * Many people write into a cell without waiting for each other; each change says what its author saw there. The cell keeps every
 * change in log order and answers what counts now, and whether its authors ever saw each other's values.
 */

import type { MarkValue } from './codec/columnar.ts';
import { eventId, newId } from './codec/ids.ts';

/** A mark or total; `cleared`: somebody emptied the cell; `sat`, `absent` or `exempt` in an attendance cell. */
export type Value = MarkValue;

/** A change as an event of an entry tells it. */
export type NewChange = {
  /** id of the event */
  readonly event: string;
  /** id of the command: what undo and redo go by */
  readonly command: string;
  /** id of the entry: one sitting of one person */
  readonly entry: string;
  readonly is: Value;
  /** What the author saw in the cell: nothing, one value, or each value of a contested cell. */
  readonly was: readonly Value[];
};

export type Change = NewChange & {
  readonly undone: boolean;
  /** Which earlier changes it covers: half-open ranges of their indexes in the cell, flat and ascending: [from, to, from, to, ...] */
  readonly covers: readonly number[];
};

/** The changes of one cell in log order. Never changed in place. */
export type Cell = readonly Change[];

export const emptyCell: Cell = [];

export type Reading =
  /** `cleared`: the change that emptied it, where there was one. */
  | { readonly state: 'empty'; readonly cleared?: Change }
  | { readonly state: 'counts'; readonly value: Exclude<Value, 'cleared'>; readonly change: Change }
  /** `value`: the earliest head's, which counts (as empty, if it is `cleared`) until somebody who saw them all decides. */
  | { readonly state: 'contested'; readonly value: Value; readonly values: readonly Value[]; readonly changes: readonly Change[] };

/**
 * The cell with one change more, which covers
 * - every change whose value its author saw (see `saw`), and what those cover;
 * - whatever is undone by then: its author did not see it, and a later redo must not push it under him.
 *
 * Of the heads it covers those that its author saw and no other. It covers beneath them too, so that a value that he saw and overwrote
 * does not come back beside his own when somebody undoes a third change that lay between. Nothing is covered on behalf of an undone
 * change: what that had replaced is in the cell again, and the author may not have seen it.
 */
export const changed = (cell: Cell, change: NewChange): Cell => {
  const { event, command, entry, is, was } = change;
  const added = { event, command, entry, is, was, undone: false, covers: covered(cell, change) };
  return cell.length === 0 ? [added] : [...cell, added];
};

/** The cell without what the command did to it. Whatever stood beneath or beside comes back. */
export const undone = (cell: Cell, command: string): Cell => flagged(cell, command, true);

/** The cell with what the command did to it, after an undo. */
export const redone = (cell: Cell, command: string): Cell => flagged(cell, command, false);

/** The changes neither undone nor covered by one that is not undone, in log order. */
export const heads = (cell: Cell): readonly Change[] => {
  if (cell.length < 2) return cell[0]?.undone ? emptyCell : cell;
  const beneath = new Uint8Array(cell.length);
  for (const change of cell) if (!change.undone) mark(beneath, change.covers);
  return cell.filter((change, index) => !change.undone && beneath[index] === 0);
};

/** What the cell says now: each value among its heads once, in log order. A call that gives no `was` takes this. */
export const seen = (cell: Cell): readonly Value[] => [...new Set(heads(cell).map(({ is }) => is))];

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
 * Whether a change says anything new. One that does not is not written:
 * - the value already counts, whatever the author saw (the same file twice; two teachers who type the same);
 * - the cell is empty and he clears it;
 * - it is contested, and he repeats one of its values without having seen another (an old preview, a cell that its user did not tick).
 *
 * A decision is news: whoever saw 18 and 20 and says 18 covers 20. So is 20 from somebody who saw only 18: nobody holds on to 18 then.
 */
export const isNews = (cell: Cell, change: Pick<NewChange, 'entry' | 'is' | 'was'>): boolean => {
  const before = seen(cell);
  if (before.length === 0) return change.is !== 'cleared';
  if (!before.includes(change.is)) return true;
  if (before.length === 1) return false;
  return heads(cell).some((head) => head.is !== change.is && saw(change, head));
};

/**
 * The `was` of a change that leaves every value of the cell standing and only adds its own: that of an upload in a contested cell that
 * its user did not tick. (An empty list would not do: it says that the cell was seen empty, and so covers a clearing.)
 */
export const beside = (is: Value): readonly Value[] => [is];

/**
 * A cell as short JSON text: 29 characters while it has had one change of one value, as nearly every cell has, and some 36 more for each
 * upload that changed it. `decodeCell` brings it back whole.
 */
export const encodeCell = (cell: Cell): string => {
  const [only] = cell;
  if (only && cell.length === 1) return encodeChange(only, 0);
  return `[${cell.map(encodeChange).join()}]`;
};

/** What `encodeCell` writes for a cell that has one change more than when `stored` was written: as long as its history is, only that is new. */
export const encodeChanged = (stored: string, cell: Cell): string => {
  const last = cell.at(-1);
  if (!last || cell.length < 2) return encodeCell(cell);
  const added = encodeChange(last, cell.length - 1);
  return cell.length === 2 ? `[${stored},${added}]` : `${stored.slice(0, -1)},${added}]`;
};

/** The cell that `encodeCell` wrote, as text or as parsed JSON; nothing stored is the empty cell. */
export const decodeCell = (stored: string | StoredCell | null | undefined): Cell => {
  if (stored === null || stored === undefined) return emptyCell;
  const parsed: StoredCell = typeof stored === 'string' ? (JSON.parse(stored) as StoredCell) : stored;
  return isOneChange(parsed) ? [decodeChange(parsed, 0)] : parsed.map(decodeChange);
};

/**
 * Trailing parts are left out where they are usual: saw nothing, covers everything before it, not undone, and of an upload, whose entry
 * and event are named after its command (codec/ids.ts).
 */
export type StoredChange = readonly [
  is: Value,
  command: string,
  was?: readonly Value[],
  covers?: readonly number[] | 'all',
  undone?: 0 | 1,
  entry?: string,
  event?: string,
];
/** One change alone, or a list of changes. */
export type StoredCell = StoredChange | readonly StoredChange[];

/** The author saw this value in the cell, or it is from his own sitting. Who saw the cell empty saw a clearing. */
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

const encodeChange = (change: Change, index: number): string => {
  const { is, command, was, covers, undone: isUndone, entry, event } = change;
  const value = typeof is === 'number' ? String(is) : `"${is}"`;
  const rest = partsToTell(change, index);
  if (rest === 0) return `[${value},${quoted(command)}]`;
  const parts = [value, quoted(command)];
  if (rest >= 1) parts.push(JSON.stringify(was));
  if (rest >= 2) parts.push(coversAll(covers, index) ? '"all"' : JSON.stringify(covers));
  if (rest >= 3) parts.push(isUndone ? '1' : '0');
  if (rest >= 4) parts.push(quoted(entry));
  if (rest >= 5) parts.push(quoted(event));
  return `[${parts.join()}]`;
};

/** How many parts follow value and command: up to the last one that is not as it usually is. */
const partsToTell = ({ command, was, covers, undone: isUndone, entry, event }: Change, index: number): number => {
  if (event !== eventOf(command)) return 5;
  if (!isOfUpload(entry, command)) return 4;
  if (isUndone) return 3;
  if (!coversAll(covers, index)) return 2;
  return was.length > 0 ? 1 : 0;
};

const decodeChange = ([is, stored, was = [], covers = 'all', isUndone, entry, event]: StoredChange, index: number): Change => {
  const command = long(stored);
  return {
    event: event === undefined ? eventOf(command) : long(event),
    command,
    entry: entry === undefined ? entryOf(command) : long(entry),
    is,
    was,
    undone: isUndone === 1,
    covers: covers === 'all' ? allBefore(index) : covers,
  };
};

/** The event of a command that writes one, and the entry of one that is an entry of its own. */
const eventOf = (command: string): string => remember(events, command, () => (uuid.test(command) ? eventId(command, 0) : ''));
const entryOf = (command: string): string => remember(entries, command, () => (uuid.test(command) ? newId(command, 'entry') : ''));

/** Most entries are told by the version of their id: a grid's is random (4), an upload's has a name (5). */
const isOfUpload = (entry: string, command: string): boolean => (entry === '' || entry[14] === '5') && entry === entryOf(command);

const allBefore = (index: number): readonly number[] => (index === 0 ? [] : [0, index]);

const coversAll = (covers: readonly number[], index: number): boolean =>
  index === 0 || (covers.length === 2 && covers[0] === 0 && covers[1] === index);

const isOneChange = (stored: StoredCell): stored is StoredChange => stored.length > 0 && !Array.isArray(stored[0]);

/** A uuid in 22 characters; any other text behind a `~`. Quoted as JSON. */
const quoted = (id: string): string =>
  remember(shortened, id, () =>
    uuid.test(id) ? `"${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}"` : JSON.stringify(`~${id}`),
  );

const long = (id: string): string =>
  remember(lengthened, id, () =>
    id.startsWith('~')
      ? id.slice(1)
      : Buffer.from(id, 'base64url')
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  );

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The cells of an upload share their ids: each is worked out once. Emptied when full, so that memory stays flat. */
const remember = <T>(known: Map<string, T>, id: string, work: () => T): T => {
  let answer = known.get(id);
  if (answer === undefined) {
    if (known.size >= 2_000) known.clear();
    answer = work();
    known.set(id, answer);
  }
  return answer;
};
const shortened = new Map<string, string>();
const lengthened = new Map<string, string>();
const events = new Map<string, string>();
const entries = new Map<string, string>();
