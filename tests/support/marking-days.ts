import { EnterMarks } from '../../api/marks/entry.commands.ts';
import { UploadTotals } from '../../api/marks/upload/uploads.commands.ts';
import type { Command, Context } from '../../api/common/command.ts';
import { Refused } from '../../api/common/command.ts';
import { admissionKey } from '../../api/students/students.facts.ts';
import { StoredCells, type MarkFacts, type PastUpload } from '../../api/marks/marks.facts.ts';
import type { Cell, Value } from '../../events/marks/cell.ts';
import { emptyCell, heads, reading, seen, withChange, withRedone, withUndone } from '../../events/marks/cell.ts';
import { encodeCell } from '../../events/marks/cell-text.ts';
import type { MarkChange } from '../../events/codec/columnar.ts';
import { toColumns } from '../../events/codec/columnar.ts';
import { fromColumns } from '../../events/codec/columnar.ts';
import { newId, uuidv5 } from '../../events/codec/ids.ts';
import { digestOf } from '../../events/marks/mark-digest.ts';
import type { MarktrailEvent } from '../../events/registry.ts';
import { actor, id } from './decider.ts';
import { facts, mock, subjectId } from './mark-facts.ts';

/** Three students with a total each: the cells of these days. */
const names = ['Ann', 'Abe', 'Ben'];
const students = names.map(id);
const known = facts();
const ids = { day: id('day'), classes: ['11A', '11B'].map(id) };
/** A value per student; null: this cell is not in the file, or no key was pressed in it. */
export type Values = readonly (Value | null)[];
/** What an act is: a whole upload, or a whole save. */
export type Act =
  | { readonly do: 'upload'; readonly who: number; readonly values: Values; readonly ticks: boolean }
  | { readonly do: 'type'; readonly who: number; readonly values: Values };
/** What somebody saw in each cell. */
export type Look = readonly (readonly Value[])[];
/** `meant`: the values for which the act stands, whatever was written of it. */
export type Done = { readonly command: string; readonly act: Act; readonly meant: Values };

/**
 * People who upload and type totals, by the product's own decisions on facts as its read model gives them (the value of an ordinary cell, the
 * history of a contested or emptied one) and its own fold.
 */
export class MarkingDay {
  readonly done: Done[] = [];
  readonly #uploads: (PastUpload & { readonly who: number })[] = [];
  cells: readonly Cell[] = students.map(() => emptyCell);

  look(): Look {
    return this.cells.map(seen);
  }

  act(act: Act, look: Look = this.look()): void {
    const command = uuidv5(`command ${this.done.length}`, ids.day);
    this.done.push({ command, act, meant: this.#meant(act) });
    const written = act.do === 'type' ? this.#type(act, look, command) : this.#upload(act, look, command);
    const entry = act.do === 'type' ? sitting(act.who) : newId(command, 'entry');
    this.cells = this.cells.map((cell, index) => {
      const change = written.find(({ studentId }) => studentId === students[index]);
      return change ? withChange(cell, { event: command, command, entry, is: change.is, was: change.was }) : cell;
    });
  }

  /** Everything that it names, but for what is nothing: clearing an empty cell, and repeating an upload of one's own that still stands. */
  #meant(act: Act): Values {
    const stands = (value: Value | null, index: number): boolean => value === null || seen(this.cells[index] ?? []).includes(value);
    const isRepeated = (done: Done): boolean =>
      done.act.do === 'upload' &&
      done.act.who === act.who &&
      !this.#undone.has(done.command) &&
      String(done.act.values) === String(act.values);
    if (act.do === 'upload' && act.values.every(stands) && this.done.some(isRepeated)) return act.values.map(() => null);
    return act.values.map((value, index) => (value === 'cleared' && heads(this.cells[index] ?? []).length === 0 ? null : value));
  }

  turn(command: string, to: 'undo' | 'redo'): void {
    this.cells = this.cells.map((cell) => (to === 'undo' ? withUndone : withRedone)(cell, command));
    if (to === 'undo') this.#undone.add(command);
    else this.#undone.delete(command);
    for (const [index, upload] of this.#uploads.entries())
      if (upload.commandId === command) this.#uploads[index] = { ...upload, undone: to === 'undo' };
  }

  isUndone(command: string): boolean {
    return this.#undone.has(command);
  }
  readonly #undone = new Set<string>();

  #type({ who, values }: Act, look: Look, command: string): MarkChange[] {
    const cells = students.flatMap((studentId, index) => {
      const is = values[index] ?? null;
      return is === null ? [] : [{ studentId, testId: mock, is, was: look[index] }];
    });
    if (cells.length === 0) return [];
    const input = { entryId: sitting(who), subjectId, seq: this.done.length, cells };
    return changesIn(decided(EnterMarks, input, this.#facts(who), command, who));
  }

  #upload(act: Extract<Act, { do: 'upload' }>, look: Look, command: string): MarkChange[] {
    const rows = names.map((name, index) => ({ admissionNo: `no ${name}`, name, totals: [act.values[index] ?? null] }));
    const place = (index: number) => ({ admissionNo: admissionKey(`no ${names[index] ?? ''}`), column: 0 });
    const input = {
      subjectId,
      classes: ids.classes.map((setId) => ({ setId, testIds: [mock] })),
      rows,
      fileName: 'totals.csv',
      saw: look.flatMap((values, index) => (values.length > 0 ? [{ ...place(index), values }] : [])),
      decides: act.ticks ? look.flatMap((values, index) => (values.length > 1 ? [place(index)] : [])) : [],
    };
    const written = changesIn(decided(UploadTotals, input, this.#facts(act.who), command, act.who));
    if (written.length > 0)
      this.#uploads.push({
        commandId: command,
        digest: digestOf(toColumns(written)),
        satOn: null,
        confirmed: 0,
        undone: false,
        who: act.who,
      });
    return written;
  }

  #facts(who: number): MarkFacts {
    const stored = new StoredCells();
    for (const [index, cell] of this.cells.entries()) {
      if (cell.length === 0) continue;
      const now = reading(cell);
      const value = now.state === 'empty' || now.value === 'cleared' ? null : now.value;
      const history = now.state === 'counts' ? null : JSON.parse(encodeCell(cell));
      stored.put({ testId: mock, itemId: mock, kind: 't', studentId: students[index] ?? '' }, [value, history]);
    }
    return { ...known, cell: stored.at, uploads: this.#uploads.filter((upload) => upload.who === who) };
  }
}

/** What people read in each cell: what counts, and all values of a contested one. An emptied cell is an empty one. */
export const read = ({ cells }: MarkingDay): readonly string[] =>
  cells.map((cell) => {
    const now = reading(cell);
    if (now.state === 'empty') return 'empty';
    return now.state === 'counts' ? String(now.value) : `${now.value} of ${[...now.values].map(String).sort().join('|')}`;
  });

/** What is left when the day is done again without what was undone: in the order of the acts, each author looking afresh. */
export const doneAgain = (day: MarkingDay): MarkingDay => {
  const again = new MarkingDay();
  for (const { command, act, meant } of day.done) if (!day.isUndone(command)) again.act({ ...act, values: meant });
  return again;
};

/** The heads that an act took away in a cell, by value, and its author's own ones left out: they cover themselves. */
export const taken = (before: Cell, after: Cell, who: number): readonly Value[] => {
  const standing = new Set(heads(after).map(({ event }) => event));
  return heads(before)
    .filter(({ event, entry }) => !standing.has(event) && entry !== sitting(who))
    .map(({ is }) => is);
};

/** The entry of what somebody types: one sitting a day. */
export const sitting = (who: number): string => sittings[who] ?? '';
const sittings = [0, 1, 2].map((who) => uuidv5(`sitting ${who}`, ids.day));

const people = [0, 1, 2].map((who) => actor('admin', { accountId: uuidv5(`person ${who}`, ids.day) }));

const decided = (command: unknown, input: unknown, known: MarkFacts, commandId: string, who: number): readonly MarktrailEvent[] => {
  const { aggregate, decide } = command as Command<unknown, unknown, unknown>;
  const by = people[who % people.length]!;
  const context: Context = {
    schoolId: by.schoolId,
    commandId,
    actor: by,
    at: new Date(0),
    newId: (label) => newId(commandId, label),
    tag: (_kind, value) => value,
  };
  const events = decide(input, aggregate.initial(), known, context);
  if (events instanceof Refused) throw new Error(`it is refused: ${events.title}`);
  return events;
};

const changesIn = (events: readonly MarktrailEvent[]): MarkChange[] =>
  events.flatMap((event) => ('marks' in event.data ? fromColumns(event.data.marks) : []));
