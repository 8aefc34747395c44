import type { History, Own, Step } from './history.ts';
import { did, nothingDone, redo, undo } from './history.ts';
import type { Act, Mode } from './keys.ts';
import { movedOn } from './keys.ts';
import type { Copied } from './paste/copied.ts';
import { pasteTargetOf } from './paste/copied.ts';
import type { Plan } from './paste/plan.ts';
import { pasted } from './paste/paste.ts';
import type { Block, Edit, Place, Selection } from './place.ts';
import { at, blockOf, filledDown, fitted, placesIn } from './place.ts';
import type { Report } from './report.ts';
import { reporting, remarksOn } from './report.ts';
import type { Cells, How, Table } from './table.ts';

/** A selection, and the cells that it was made in: rows and columns may come, go and move under it. */
type Anchored = { readonly selection: Selection; readonly active: string; readonly to: string };

/** What is selected in a table of marks, how keys are meant, and what can be undone. */
export type GridState = {
  readonly chosen: Anchored;
  readonly mode: Mode;
  /** Something has been typed since the focus came: Tab then goes from cell to cell. */
  readonly hasTyped: boolean;
  readonly report: Report | undefined;
  /** A copied block that its author is asked about. */
  readonly copied?: Copied | undefined;
  readonly history: History;
  /** The cell that is typed into, what this page said of it before, and the text. */
  readonly begun: { readonly key: string; readonly ownState: Own; readonly typed: string } | undefined;
};

export type MoveOn = 'stay' | 'right' | 'down';
type Text = { readonly key: string; readonly text: string };

export type Action =
  | { readonly kind: 'press'; readonly act: Act }
  /** Typing in the cell has ended: from here on it is one step to undo. */
  | { readonly kind: 'settle' }
  /** `moveOn`: where a full mark leads; undefined: nobody has said, and a mark of one digit leads to the right. */
  | { readonly kind: 'type'; readonly text: string; readonly moveOn: MoveOn | undefined }
  /** A digit by itself, without a field that it is typed into: it is added to a text that has been begun. */
  | { readonly kind: 'digit'; readonly digit: string; readonly moveOn: MoveOn | undefined }
  /** Texts at once, as one step to undo. Whoever puts a mark where it stands already says it too. */
  | { readonly kind: 'put'; readonly texts: readonly Text[] }
  | { readonly kind: 'paste'; readonly text: string }
  /** What was copied is stored as its author wants it, or not at all. */
  | { readonly kind: 'store'; readonly plan: Plan }
  | { readonly kind: 'decline' }
  | { readonly kind: 'edit' | 'empty' | 'undo' | 'redo' }
  /** It was done. `again`: what turns it round. */
  | { readonly kind: 'undone' | 'redone'; readonly again: Step }
  /** What was done before cannot be taken back here any more: it is stored, as is said elsewhere. */
  | { readonly kind: 'forget' }
  /** What is said once it is known; `instead`: only if the table still says this. */
  | { readonly kind: 'report'; readonly report: Report | undefined; readonly instead: Report };

/** What the table is to do then, in this order. */
export type Order =
  | { readonly do: 'type'; readonly texts: Readonly<Record<string, string>>; readonly how: How; readonly reports?: Told }
  | { readonly do: 'undo'; readonly step: Step; readonly waits: Report }
  | { readonly do: 'redo' | 'give-up'; readonly step: Step }
  | { readonly do: 'leave'; readonly key: string }
  | { readonly do: 'end' | 'reveal' };
/** What is said of a block, now and once it is stored. */
type Told = { readonly taken: Report; readonly stored: Report };

type Next = { readonly state: GridState; readonly orders: readonly Order[] };
type Known = Cells & Pick<Table, 'ownOf'>;

/** After one digit the mark is whole. */
const ONE_DIGIT = 9;

export const gridAt = (first: Place, cells: Cells): GridState => ({
  chosen: anchored(at(first, 0), cells),
  mode: 'moving',
  hasTyped: false,
  report: undefined,
  history: nothingDone,
  begun: undefined,
});

/** Where the selected cells are now. A cell that has gone leaves the selection in its place. */
export const selectionIn = ({ chosen: { selection, active, to } }: GridState, { keyAt, placeOf, size }: Cells): Selection => {
  if (keyAt(selection.active) === active && keyAt(selection.to) === to) return fitted(selection, size);
  const now = placeOf(active);
  const followed = now ? { active: now, to: placeOf(to) ?? now, start: Math.min(selection.start, now.column) } : at(selection.active);
  return fitted(followed, size);
};

export const attendanceKeysIn = ({ top, bottom }: Block, cells: Cells): readonly string[] =>
  Array.from({ length: bottom - top + 1 }, (_, row) => cells.attendanceKeyAt(top + row) ?? []).flat();

/** The state after an action, and what the table is to do. Whatever is done besides typing on, `settle` comes before it. */
export const gridAfter = (state: GridState, action: Action, cells: Known): Next => {
  switch (action.kind) {
    case 'press':
      return pressed(state, action.act, cells);
    case 'settle':
      return settled(state);
    case 'type':
      return typed(state, action, cells);
    case 'digit': {
      const begun = state.begun?.key === cells.keyAt(selectionIn(state, cells).active) ? state.begun.typed : '';
      return typed(state, { ...action, kind: 'type', text: begun + action.digit }, cells);
    }
    case 'put':
      return put(state, action.texts, cells);
    case 'paste':
      return afterPaste({ ...state, hasTyped: true }, action.text, cells);
    case 'store': {
      const next = planned({ ...state, copied: undefined }, action.plan, cells);
      return { ...next, orders: [...next.orders, { do: 'reveal' }] };
    }
    case 'decline':
      return only(state.copied ? { ...state, copied: undefined, report: { text: 'Nothing was pasted.', isBad: false } } : state);
    case 'edit':
      return only(cells.mayWrite ? { ...state, mode: 'editing' } : state);
    case 'empty': {
      const places = placesIn(blockOf(selectionIn(state, cells)));
      const texts = places.map((place) => ({ key: cells.keyAt(place), text: '' }));
      return put(state, texts, cells);
    }
    case 'undo': {
      const step = state.history.done.at(-1);
      const waits: Report = { text: 'Taking it back…', isBad: false };
      return step ? shown({ ...state, report: waits }, { do: 'undo', step, waits }, cells) : only(state);
    }
    case 'redo': {
      const step = state.history.undone.at(-1);
      return step ? shown({ ...state, report: undefined }, { do: 'redo', step }, cells) : only(state);
    }
    case 'undone':
      return only({ ...state, history: undo(state.history, () => action.again) });
    case 'redone':
      return only({ ...state, history: redo(state.history, () => action.again) });
    case 'forget':
      return only({ ...state, history: nothingDone, report: undefined });
    case 'report':
      return only(action.instead !== state.report ? state : { ...state, report: action.report });
  }
};

const only = (state: GridState, ...orders: readonly Order[]): Next => ({ state, orders });

const pressed = (before: GridState, act: Act, cells: Known): Next => {
  if (act.kind === 'select') return only(select(before, act.selection, cells));
  if (act.kind === 'end') return only(before, { do: 'end' });
  if (act.kind === 'give-up') return givenUp(before, cells);
  if (!cells.mayWrite) return only(before);
  const state: GridState = { ...before, hasTyped: true, report: undefined };
  const block = blockOf(selectionIn(state, cells));
  const { textOf, keyAt } = cells;
  switch (act.kind) {
    case 'edit':
    case 'empty':
    case 'undo':
    case 'redo':
      return gridAfter(state, act, cells);
    case 'fill-down': {
      const edits = filledDown(block, (place) => textOf(keyAt(place)));
      const filled: Report = {
        text: `${edits.length} ${edits.length === 1 ? 'cell' : 'cells'} filled${remarksOn(edits, cells)}.`,
        isBad: false,
      };
      return put({ ...state, report: filled }, textsOf(edits, cells), cells, { taken: filled, stored: filled });
    }
    case 'attendance': {
      const keys = attendanceKeysIn(block, cells);
      // The same key once more means that they sat it.
      const to = keys.every((key) => textOf(key) === act.is) ? 'sat' : act.is;
      const texts = keys.map((key) => ({ key, text: to }));
      return put(state, texts, cells);
    }
  }
};

const select = (state: GridState, selection: Selection, cells: Cells): GridState => ({ ...state, chosen: anchored(selection, cells) });

const anchored = (selection: Selection, { keyAt }: Cells): Anchored => ({
  selection,
  active: keyAt(selection.active),
  to: keyAt(selection.to),
});

const settled = (before: GridState): Next => {
  const { begun, mode } = before;
  if (!begun && mode === 'moving') return only(before);
  const state: GridState = { ...before, mode: 'moving', begun: undefined };
  return begun ? only({ ...state, history: did(state.history, [begun]) }, { do: 'leave', key: begun.key }) : only(state);
};

const typed = (before: GridState, { text: whole, moveOn }: Extract<Action, { kind: 'type' }>, cells: Known): Next => {
  if (!cells.mayWrite) return only(before);
  const selection = selectionIn(before, cells);
  const { active } = selection;
  const key = cells.keyAt(active);
  const going = before.begun?.key === key ? before.begun : undefined;
  const anew = going && before.mode === 'typing' ? digitAfterRefused(going.typed, whole, (is) => cells.wrongAt(active, is)) : undefined;
  const text = anew ?? whole;
  const how: How = going ? 'typed' : 'begun';
  const ownState = going?.ownState ?? cells.ownOf([key])[0]?.ownState ?? {};
  const mode = before.mode === 'moving' ? 'typing' : before.mode;
  const state: GridState = { ...before, mode, hasTyped: true, report: undefined, begun: { key, ownState, typed: text } };
  const order: Order = { do: 'type', texts: { [key]: text }, how };
  const max = cells.maxOf(active.column);
  const length = going && anew === undefined ? cells.textOf(key).length : 0;
  const isFull = /^\d+$/u.test(text) && text.length >= String(max).length && text.length > length;
  const way = moveOn ?? (max <= ONE_DIGIT ? 'right' : 'stay');
  const isOver = way !== 'stay' && mode !== 'editing' && isFull && cells.wrongAt(active, text) === undefined;
  const next = isOver ? movedOn(way, selection, cells.size) : undefined;
  if (!next) return only(state, order);
  const history = did(state.history, [{ key, ownState }]);
  return only(select({ ...state, history, begun: undefined, mode: 'moving' }, next, cells), order);
};

/**
 * The digit by which a text goes on that is refused: it replaces that text, as nothing added to it would be a mark. Not after a point, a comma
 * or a sign: whoever types 12.5 does not mean 5.
 */
const digitAfterRefused = (refused: string, text: string, wrong: (text: string) => string | undefined): string | undefined => {
  const added = text.startsWith(refused) ? text.slice(refused.length) : '';
  return /^\d$/u.test(added) && /^[\p{L}\d]+$/u.test(refused) && wrong(refused) !== undefined ? added : undefined;
};

/** What was begun goes again, unless somebody else has typed there meanwhile. */
const givenUp = (before: GridState, cells: Cells): Next => {
  const { begun, mode } = before;
  const state = select(before, at(selectionIn(before, cells).active), cells);
  const isOurs = begun !== undefined && cells.textOf(begun.key) === begun.typed && mode !== 'moving';
  return only(
    { ...state, begun: undefined, mode: 'moving', hasTyped: false },
    ...(isOurs ? [{ do: 'give-up', step: [begun] } as const] : []),
  );
};

const put = (state: GridState, texts: readonly Text[], cells: Known, reports?: Told): Next => {
  if (texts.length === 0) return only(state);
  const history = did(state.history, cells.ownOf(texts.map(({ key }) => key)));
  const order: Order = {
    do: 'type',
    texts: Object.fromEntries(texts.map(({ key, text }) => [key, text])),
    how: texts.length === 1 && !reports ? 'one' : 'block',
    ...(reports && { reports }),
  };
  return only({ ...state, history }, order);
};

const afterPaste = (state: GridState, text: string, cells: Known): Next => {
  const found = pasted(text, blockOf(selectionIn(state, cells)), pasteTargetOf(cells));
  if (found.kind === 'nothing') return only({ ...state, report: { text: found.why, isBad: true } });
  return found.isCertain ? planned(state, found.plan, cells) : only({ ...state, report: undefined, copied: found.copied });
};

/** What a block says is put where it belongs, which is selected. */
const planned = (state: GridState, plan: Plan, cells: Known): Next => {
  const report = reporting(plan, cells);
  const away = plan.away.flatMap(({ row, is }) => {
    const key = cells.attendanceKeyAt(row);
    return key === undefined ? [] : [{ key, text: is }];
  });
  const texts = [...textsOf(plan.edits, cells), ...away];
  const reports = { taken: report('taken'), stored: report('stored') };
  const { state: next, orders } = put({ ...state, report: reports.taken }, texts, cells, reports);
  const places = plan.edits.map(({ place }) => place);
  return only(places.length > 0 ? select(next, around(places), cells) : next, ...orders);
};

const textsOf = (edits: readonly Edit[], { keyAt }: Cells): readonly Text[] =>
  edits.map(({ place, text }) => ({ key: keyAt(place), text }));

/** From the first to the last of some places. */
const around = (places: readonly Place[]): Selection => {
  const [rows, columns] = [places.map(({ row }) => row), places.map(({ column }) => column)];
  const left = Math.min(...columns);
  return { active: { row: Math.min(...rows), column: left }, to: { row: Math.max(...rows), column: Math.max(...columns) }, start: left };
};

/** The cursor and the view go to where something is done. */
const shown = (state: GridState, order: Extract<Order, { readonly step: Step }>, cells: Cells): Next => {
  const places = order.step.flatMap(({ key }) => cells.placeOf(key) ?? []);
  const [first] = places;
  if (!first) return only(state, order);
  return only(select(state, { ...around(places), start: first.column }, cells), order, { do: 'reveal' });
};
