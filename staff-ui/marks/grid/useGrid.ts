import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useCallback, useRef, useState } from 'react';
import { blockIn, clipboardText } from './clipboard.ts';
import { did, nothingDone, redo, undo } from './history.ts';
import type { Act, Mode } from './keys.ts';
import { actOf, movedOn } from './keys.ts';
import type { Edit, Pasted } from './paste.ts';
import { filledDown, pasted } from './paste.ts';
import type { Place, Selection, Size } from './place.ts';
import { at, blockOf, fitted, placesIn } from './place.ts';

/** `begun`: the first key in a cell, whose author has seen what it shows. `block`: many cells at once. `back`: what they showed before. */
export type How = 'begun' | 'typed' | 'block' | 'back';

/** What the keys act on. Cells are known by key, because rows may come and go. */
export type Table = {
  readonly size: Size;
  readonly mayWrite: boolean;
  readonly keyAt: (place: Place) => string;
  /** undefined: it is not in the table any more. */
  readonly placeOf: (key: string) => Place | undefined;
  readonly attendanceKeyAt: (row: number) => string | undefined;
  readonly textOf: (key: string) => string;
  /** Whether several values stand there: taking one's own back must not take the others. */
  readonly isContested: (key: string) => boolean;
  /** Why a text is no mark of a cell; undefined: it is one, or nothing. */
  readonly wrongAt: (place: Place, text: string) => string | undefined;
  readonly maxOf: (column: number) => number;
  readonly rowOf: (name: string) => number | undefined;
  readonly type: (texts: Readonly<Record<string, string>>, how: How) => void;
  /** Typing in a cell has ended. */
  readonly leave: (key: string) => void;
  /** Enter past the last cell. */
  readonly onEnd?: () => void;
};

export type MoveOn = 'stay' | 'right' | 'down';

/** What the last block did, for the status line. */
export type Report = { readonly text: string; readonly isBad: boolean };

export type Grid = ReturnType<typeof useGrid>;

/** Rows that Page Up and Page Down move. */
const PAGE = 15;
/** Longer texts are no block of marks. */
const MOST_PASTED = 1_000_000;

/** The state of a table of marks: what is selected, how keys are meant, and what can be undone. */
export const useGrid = (table: Table, moveOn: MoveOn) => {
  const anchored = (to: Selection): Anchored => ({ selection: to, active: table.keyAt(to.active), to: table.keyAt(to.to) });
  const [chosen, setChosen] = useState(() => anchored(at({ row: 0, column: 0 })));
  const setSelection = (to: Selection) => setChosen(anchored(to));
  const [mode, setMode] = useState<Mode>('moving');
  const [hasTyped, setHasTyped] = useState(false);
  const [report, setReport] = useState<Report>();
  const history = useRef(nothingDone);
  /** The cell that is typed into, and what it showed before. */
  const begun = useRef<{ readonly key: string; readonly before: string; readonly typed: string }>(undefined);
  const selection = fitted(followed(chosen, table), table.size);
  const { active } = selection;

  /** Typing in the cell has ended: from here on it is one step to undo. */
  const settle = () => {
    const one = begun.current;
    begun.current = undefined;
    setMode('moving');
    if (!one) return;
    history.current = did(history.current, [{ key: one.key, before: one.before, after: one.typed }]);
    table.leave(one.key);
  };

  const go = (next: Selection) => {
    settle();
    setSelection(next);
  };

  /** Types a block, as one step to undo. Answers how many cells it changed. */
  const put = (edits: readonly { readonly key: string; readonly text: string }[]): number => {
    settle();
    const step = edits.map(({ key, text }) => ({ key, before: table.textOf(key), after: text }));
    const changed = step.filter(({ before, after }) => before !== after);
    history.current = did(history.current, changed);
    if (changed.length > 0) table.type(Object.fromEntries(changed.map(({ key, after }) => [key, after])), 'block');
    return changed.length;
  };
  const putAt = (edits: readonly Edit[]): number => put(edits.map(({ place, text }) => ({ key: table.keyAt(place), text })));

  const turn = (which: typeof undo) => {
    settle();
    const turned = which(history.current, table.textOf, table.isContested);
    if (!turned) return;
    history.current = turned.history;
    if (Object.keys(turned.texts).length > 0) table.type(turned.texts, 'back');
    setReport(
      turned.stay > 0
        ? {
            text: `${cells(turned.stay)} changed since by somebody else: left as ${turned.stay === 1 ? 'it is' : 'they are'}.`,
            isBad: true,
          }
        : undefined,
    );
  };

  const type = (text: string) => {
    if (!table.mayWrite) return;
    const key = table.keyAt(active);
    const before = table.textOf(key);
    const how: How = begun.current?.key === key ? 'typed' : 'begun';
    begun.current = { key, before: how === 'begun' ? before : (begun.current?.before ?? before), typed: text };
    if (mode === 'moving') setMode('typing');
    setHasTyped(true);
    setReport(undefined);
    table.type({ [key]: text }, how);
    const isFull =
      /^\d+$/u.test(text) &&
      text.length >= String(table.maxOf(active.column)).length &&
      text.length > before.length * Number(how === 'typed');
    const next =
      moveOn === 'stay' || mode === 'editing' || !isFull || table.wrongAt(active, text) !== undefined
        ? undefined
        : movedOn(moveOn, selection, table.size);
    if (next) {
      history.current = did(history.current, [{ key, before: begun.current.before, after: text }]);
      begun.current = undefined;
      setMode('moving');
      setSelection(next);
    }
  };

  const giveUp = () => {
    const one = begun.current;
    begun.current = undefined;
    setMode('moving');
    setHasTyped(false);
    setSelection(at(active));
    const isOurs = one && table.textOf(one.key) === one.typed;
    if (isOurs && mode !== 'moving') table.type({ [one.key]: one.before }, 'back');
  };

  const attend = (is: 'absent' | 'exempt') => {
    const { top, bottom } = blockOf(selection);
    const keys = Array.from({ length: bottom - top + 1 }, (_, row) => table.attendanceKeyAt(top + row) ?? []).flat();
    // The same key once more means that they sat it.
    const to = keys.every((key) => table.textOf(key) === is) ? 'sat' : is;
    put(keys.map((key) => ({ key, text: to })));
  };

  const fill = () => {
    const edits = filledDown(blockOf(selection), (place) => table.textOf(table.keyAt(place)));
    setReport({ text: `${cells(putAt(edits))} filled.`, isBad: false });
  };

  const empty = () => putAt(placesIn(blockOf(selection)).map((place) => ({ place, text: '' })));

  const run = (act: Act) => {
    if (act.kind === 'select') return go(act.selection);
    if (act.kind === 'end') {
      settle();
      return table.onEnd?.();
    }
    if (act.kind === 'give-up') return giveUp();
    if (!table.mayWrite) return undefined;
    setHasTyped(true);
    setReport(undefined);
    if (act.kind === 'edit') return setMode('editing');
    if (act.kind === 'undo') return turn(undo);
    if (act.kind === 'redo') return turn(redo);
    if (act.kind === 'fill-down') return fill();
    if (act.kind === 'attendance') return attend(act.is);
    return void empty();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.nativeEvent.isComposing) return;
    const { key, shiftKey: shift } = event;
    const isFilled = (place: Place) => table.textOf(table.keyAt(place)) !== '';
    const looked = { selection, size: table.size, page: PAGE, isFilled, hasTyped };
    const act = actOf({ key, shift, ctrl: event.ctrlKey || event.metaKey }, mode, looked);
    if (act) {
      event.preventDefault();
      run(act);
    }
  };

  const onCopy = (event: ClipboardEvent<HTMLElement>) => {
    if (mode === 'editing') return;
    event.preventDefault();
    const { top, left, bottom, right } = blockOf(selection);
    const rows = Array.from({ length: bottom - top + 1 }, (_, row) =>
      Array.from({ length: right - left + 1 }, (_unused, column) => table.textOf(table.keyAt({ row: top + row, column: left + column }))),
    );
    event.clipboardData.setData('text/plain', clipboardText(rows));
    if (event.type === 'cut' && table.mayWrite) empty();
  };

  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    if (mode === 'editing') return;
    event.preventDefault();
    if (!table.mayWrite) return;
    setHasTyped(true);
    const text = event.clipboardData.getData('text/plain');
    if (text.length > MOST_PASTED) return setReport({ text: 'That is too large for a block of marks. Nothing was taken.', isBad: true });
    const block = pasted(blockIn(text), blockOf(selection), table.size, table.rowOf);
    putAt(block.edits);
    if (block.block) {
      const { top, left, bottom, right } = block.block;
      setSelection({ active: { row: top, column: left }, to: { row: bottom, column: right }, start: left });
    }
    return setReport(reportOf(block, table));
  };

  return {
    selection,
    mode,
    report,
    hideReport: useCallback(() => setReport(undefined), []),
    go,
    settle,
    edit: () => table.mayWrite && setMode('editing'),
    type,
    put,
    undo: () => turn(undo),
    redo: () => turn(redo),
    onKeyDown,
    onCopy,
    onPaste,
  };
};

/** A selection, and the cells that it was made in: rows and columns may come, go and move under it. */
type Anchored = { readonly selection: Selection; readonly active: string; readonly to: string };

/** The selection where its cells are now. A cell that has gone leaves it in its place. */
const followed = ({ selection, active, to }: Anchored, { keyAt, placeOf }: Pick<Table, 'keyAt' | 'placeOf'>): Selection => {
  if (keyAt(selection.active) === active && keyAt(selection.to) === to) return selection;
  const now = placeOf(active);
  return now ? { active: now, to: placeOf(to) ?? now, start: Math.min(selection.start, now.column) } : at(selection.active);
};

/** '148 of 150 taken, 2 refused: …' Counts the cells that have a place in the table; those outside are refused. */
const reportOf = ({ edits, outside, strangers, byName }: Pasted, table: Table): Report => {
  const wrong = edits.flatMap(({ place, text }) => {
    const reason = table.wrongAt(place, text);
    return reason === undefined ? [] : [/\d/u.test(reason) ? reason : `${text}: ${reason}`];
  });
  const refused = wrong.length + outside;
  if (edits.length === 0 && refused === 0) return { text: 'There is no mark in what was copied.', isBad: true };
  const said = [
    ...[...new Set(wrong)].slice(0, 3),
    ...(strangers.length > 0
      ? [`not in this class: ${strangers.slice(0, 3).join(', ')}`]
      : outside > 0
        ? [`${outside} outside the table`]
        : []),
  ];
  const found = byName ? ' Rows were matched by name.' : '';
  return {
    text: `${edits.length - wrong.length} of ${edits.length} taken, ${refused} refused${said.length > 0 ? ` (${said.join('; ')})` : ''}.${found}`,
    isBad: refused > 0,
  };
};

const cells = (count: number): string => `${count} ${count === 1 ? 'cell' : 'cells'}`;
