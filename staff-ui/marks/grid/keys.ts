import type { Away } from '#api/contract/attendance';
import { AWAY_WORDS, AWAYS } from '#api/contract/attendance';
import type { Place, Selection, Size } from './place.ts';
import { at, inside } from './place.ts';

/**
 * `moving`: a key moves, and a digit replaces what is in the cell. `typing`: a key moves, and a text has been begun. `editing`: keys move
 * within the text.
 */
export type Mode = 'moving' | 'typing' | 'editing';

export type Pressed = { readonly key: string; readonly ctrl: boolean; readonly shift: boolean };

export type Act =
  | { readonly kind: 'select'; readonly selection: Selection }
  /** Past the last cell. */
  | { readonly kind: 'end' }
  | { readonly kind: 'edit' }
  | { readonly kind: 'give-up' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'fill-down' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  | { readonly kind: 'attendance'; readonly is: Away };

export type Looked = {
  readonly selection: Selection;
  readonly size: Size;
  readonly page: number;
  readonly isFilled: (place: Place) => boolean;
  readonly hasTyped: boolean;
};

/** What a key does in the table; undefined: it is the browser's. */
export const actOf = (pressed: Pressed, mode: Mode, snapshot: Looked): Act | undefined => {
  const { key, ctrl, shift } = pressed;
  const letter = key.length === 1 ? key.toLowerCase() : key;
  if (ctrl) {
    if (letter === 'z') return { kind: shift ? 'redo' : 'undo' };
    if (letter === 'y') return { kind: 'redo' };
    if (mode === 'editing') return undefined;
    if (letter === 'd') return { kind: 'fill-down' };
    if (letter === 'a') return whole(snapshot);
  }
  if (key === 'Enter') return entered(shift ? -1 : 1, snapshot);
  if (key === 'Tab') return tabbed(shift ? -1 : 1, mode, snapshot);
  if (key === 'Escape') return mode === 'moving' && !snapshot.hasTyped ? undefined : { kind: 'give-up' };
  if (key === 'F2') return mode === 'editing' ? undefined : { kind: 'edit' };
  if (mode === 'editing') return key === 'ArrowUp' || key === 'ArrowDown' ? moved(pressed, snapshot) : undefined;
  if (key === 'Delete' || (key === 'Backspace' && mode === 'moving')) return { kind: 'empty' };
  const away = AWAYS.find((one) => AWAY_WORDS[one].sign.toLowerCase() === letter);
  if (away && !ctrl && mode === 'moving') return { kind: 'attendance', is: away };
  return moved(pressed, snapshot);
};

/** Where a full mark leads: as Tab does, or down; undefined: it stays. */
export const movedOn = (way: 'right' | 'down', { active, start }: Selection, { rows, columns }: Size): Selection | undefined => {
  if (way === 'right' && columns > 1) {
    if (active.column + 1 < columns) return at({ row: active.row, column: active.column + 1 }, start);
    return active.row + 1 < rows ? at({ row: active.row + 1, column: start }, start) : undefined;
  }
  return active.row + 1 < rows ? at({ row: active.row + 1, column: active.column }, start) : undefined;
};

const STEPS: Readonly<Record<string, Place>> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

const moved = ({ key, ctrl, shift }: Pressed, { selection, size, page, isFilled }: Looked): Act | undefined => {
  const from = shift ? selection.to : selection.active;
  const step = STEPS[key];
  const to = step ? (ctrl ? edge(from, step, size, isFilled) : plus(from, step)) : jump(key, ctrl, from, size, page);
  if (!to) return undefined;
  const place = inside(to, size);
  return { kind: 'select', selection: shift ? { ...selection, to: place } : at(place) };
};

const jump = (key: string, ctrl: boolean, { row, column }: Place, { rows, columns }: Size, page: number): Place | undefined => {
  if (key === 'Home') return { row: ctrl ? 0 : row, column: 0 };
  if (key === 'End') return { row: ctrl ? rows - 1 : row, column: columns - 1 };
  if (key === 'PageUp') return { row: row - page, column };
  return key === 'PageDown' ? { row: row + page, column } : undefined;
};

const plus = (one: Place, other: Place): Place => ({ row: one.row + other.row, column: one.column + other.column });

/** The end of the run of filled cells, or the next filled cell, or the table's edge. */
const edge = (from: Place, step: Place, size: Size, isFilled: (place: Place) => boolean): Place => {
  const isIn = (place: Place) => place.row >= 0 && place.column >= 0 && place.row < size.rows && place.column < size.columns;
  let [place, next] = [from, plus(from, step)];
  const inRun = isFilled(from) && isIn(next) && isFilled(next);
  while (isIn(next)) {
    if (inRun && !isFilled(next)) return place;
    [place, next] = [next, plus(next, step)];
    if (!inRun && isFilled(place)) return place;
  }
  return place;
};

/** Down, to the column in which the line began; from the last row to the head of the next column. */
const entered = (by: 1 | -1, { selection: { active, start }, size }: Looked): Act => {
  const column = active.column > start ? start : active.column;
  const row = active.row + by;
  if (row >= 0 && row < size.rows) return { kind: 'select', selection: at({ row, column }) };
  const next = active.column + by;
  if (next < 0) return { kind: 'select', selection: at(active) };
  if (next >= size.columns) return { kind: 'end' };
  return { kind: 'select', selection: at({ row: by > 0 ? 0 : size.rows - 1, column: next }) };
};

/** To the right, and on to the next row. Before anything is typed, and from the last cell, Tab leaves the table. */
const tabbed = (by: 1 | -1, mode: Mode, { selection: { active, start }, size, hasTyped }: Looked): Act | undefined => {
  if (mode === 'moving' && !hasTyped) return undefined;
  const column = active.column + by;
  if (column >= 0 && column < size.columns) return { kind: 'select', selection: at({ row: active.row, column }, Math.min(start, column)) };
  const row = active.row + by;
  if (row < 0 || row >= size.rows) return undefined;
  return { kind: 'select', selection: at({ row, column: by > 0 ? 0 : size.columns - 1 }, 0) };
};

const whole = ({ selection, size: { rows, columns } }: Looked): Act => ({
  kind: 'select',
  selection: { active: { row: 0, column: 0 }, to: { row: rows - 1, column: columns - 1 }, start: selection.start },
});
