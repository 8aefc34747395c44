/** A cell as the text that the read model of marks stores. */
import type { Cell, Change, Value } from './cell.ts';
import { emptyCell } from './cell.ts';
import { eventId, newId } from '../codec/ids.ts';
import { isUuid, writeUuid } from '../uuid.ts';

/**
 * Short JSON, because there are millions of cells: 29 characters for a cell with one change of one value, which nearly every cell is, and
 * about 36 more for each upload that changed it. `decodeCell` restores the cell completely.
 */
export const encodeCell = (cell: Cell): string => {
  const [only] = cell;
  if (only && cell.length === 1) return encodeChange(only, 0);
  return `[${cell.map(encodeChange).join()}]`;
};

/** `encodeCell` of a cell that has one change more than when `stored` was written: encodes only that change. */
export const encodeChanged = (stored: string, cell: Cell): string => {
  const last = cell.at(-1);
  if (!last || cell.length < 2) return encodeCell(cell);
  const added = encodeChange(last, cell.length - 1);
  return cell.length === 2 ? `[${stored},${added}]` : `${stored.slice(0, -1)},${added}]`;
};

/** Reads what `encodeCell` wrote, as text or as parsed JSON. Nothing stored: the empty cell. */
export const decodeCell = (stored: string | StoredCell | null | undefined): Cell => {
  if (stored === null || stored === undefined) return emptyCell;
  const parsed: StoredCell = typeof stored === 'string' ? (JSON.parse(stored) as StoredCell) : stored;
  return isOneChange(parsed) ? [decodeChange(parsed, 0)] : parsed.map(decodeChange);
};

/**
 * Trailing parts are left out where they are as usual: the author saw nothing, the change covers everything before it, it is not undone,
 * and it is of an upload, whose entry and event ids are derived from its command's (codec/ids.ts).
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

const encodeChange = (change: Change, index: number): string => {
  const { is, command, was, covers, undone, entry, event } = change;
  const unusual = unusualLength(change, index);
  let text = `[${typeof is === 'number' ? is : `"${is}"`},${quotedCommand(command)}`;
  if (unusual > 0) text += was.length === 0 ? ',[]' : `,${JSON.stringify(was)}`;
  if (unusual > 1) text += coversAll(covers, index) ? ',"all"' : `,${JSON.stringify(covers)}`;
  if (unusual > 2) text += undone ? ',1' : ',0';
  if (unusual > 3) text += `,${quotedEntry(entry)}`;
  if (unusual > 4) text += `,${quoted(event)}`;
  return `${text}]`;
};

/** How many parts follow the value and command, up to the last unusual one. */
const unusualLength = ({ command, was, covers, undone, entry, event }: Change, index: number): number => {
  if (event !== eventOfLast(command)) return 5;
  if (!isOfUpload({ entry, command })) return 4;
  if (undone) return 3;
  if (!coversAll(covers, index)) return 2;
  return was.length > 0 ? 1 : 0;
};

const decodeChange = ([is, stored, was = [], covers = 'all', undone, entry, event]: StoredChange, index: number): Change => {
  const command = long(stored);
  return {
    event: event === undefined ? remember(events, command, () => eventOf(command)) : long(event),
    command,
    entry: entry === undefined ? entryOf(command) : long(entry),
    is,
    was,
    undone: undone === 1,
    covers: covers === 'all' ? allBefore(index) : covers,
  };
};

/** The id of a command's only event, and of the entry that an upload makes. */
const eventOf = (command: string): string => (isUuid(command) ? eventId(command, 0) : '');
const entryOf = (command: string): string => remember(entries, command, () => (isUuid(command) ? newId(command, 'entry') : ''));

/**
 * Whether a change came with a file: an upload's entry is derived from its command. The version of the uuid tells most entries apart
 * without hashing: a grid's is random (4), an upload's is derived (5).
 */
export const isOfUpload = ({ entry, command }: Pick<Change, 'entry' | 'command'>): boolean =>
  (entry === '' || entry[14] === '5') && entry === entryOf(command);

const allBefore = (index: number): readonly number[] => (index === 0 ? [] : [0, index]);

const coversAll = (covers: readonly number[], index: number): boolean =>
  index === 0 || (covers.length === 2 && covers[0] === 0 && covers[1] === index);

const isOneChange = (stored: StoredCell): stored is StoredChange => stored.length > 0 && !Array.isArray(stored[0]);

/** What the text of a cell contains if, and only if, it holds a change of this command or entry, or by this event. */
export const textOfId = (id: string): string => quoted(id);

/** A uuid in 22 characters; any other text behind a `~`. Quoted as JSON. */
const quoted = (id: string): string =>
  isUuid(id) && writeUuid(id, bytes, 0) ? `"${bytes.toString('base64url')}"` : JSON.stringify(`~${id}`);
const bytes = Buffer.alloc(16);

const long = (id: string): string =>
  remember(lengthened, id, () =>
    id.startsWith('~')
      ? id.slice(1)
      : Buffer.from(id, 'base64url')
          .toString('hex')
          .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  );

/** The cells of one command come one after the other, so remembering the result for the last id is enough when they are written. */
const ofLast = (work: (id: string) => string): ((id: string) => string) => {
  let last: string | undefined;
  let answer = '';
  return (id) => {
    if (id !== last) [last, answer] = [id, work(id)];
    return answer;
  };
};
const quotedCommand = ofLast(quoted);
const quotedEntry = ofLast(quoted);
const eventOfLast = ofLast(eventOf);

/** The cells of an upload share their ids, so each is computed once when they are read. Emptied when full, so that memory stays bounded. */
const remember = <T>(cache: Map<string, T>, id: string, work: () => T): T => {
  let answer = cache.get(id);
  if (answer === undefined) {
    if (cache.size >= 2_000) cache.clear();
    answer = work();
    cache.set(id, answer);
  }
  return answer;
};
const lengthened = new Map<string, string>();
const events = new Map<string, string>();
const entries = new Map<string, string>();
