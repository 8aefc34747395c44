import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useCallback, useRef, useState } from 'react';
import { blockIn, clipboardText } from './clipboard.ts';
import type { Own, Step } from './history.ts';
import { did, nothingDone, redo, undo } from './history.ts';
import type { Act, Mode } from './keys.ts';
import { actOf, movedOn } from './keys.ts';
import type { MenuItem } from './CellMenu.tsx';
import { menuOf } from './menu.ts';
import type { Edit } from './paste.ts';
import { filledDown, pasted } from './paste.ts';
import type { Place, Selection } from './place.ts';
import { at, blockOf, fitted, placesIn } from './place.ts';
import type { Report } from './report.ts';
import { reporting, saidIn } from './report.ts';
import type { How, Table } from './table.ts';

export type MoveOn = 'stay' | 'right' | 'down';

/** After one digit the mark is whole. */
const ONE_DIGIT = 9;

export type Grid = ReturnType<typeof useGrid>;

/** Rows that Page Up and Page Down move. */
const PAGE = 15;
/** Longer texts are no block of marks. */
const MOST_PASTED = 1_000_000;

/**
 * The state of a table of marks: what is selected, how keys are meant, and what can be undone. `moveOn`: where a full mark leads; undefined:
 * nobody has said, and a mark of one digit leads to the right. `first`: the cell to begin with.
 */
export const useGrid = (table: Table, moveOn: MoveOn | undefined, first: Place = { row: 0, column: 0 }) => {
  const anchored = (to: Selection): Anchored => ({ selection: to, active: table.keyAt(to.active), to: table.keyAt(to.to) });
  const [chosen, setChosen] = useState(() => anchored(at(first, 0)));
  const setSelection = (to: Selection) => setChosen(anchored(to));
  const [mode, setMode] = useState<Mode>('moving');
  const [hasTyped, setHasTyped] = useState(false);
  const [report, setReport] = useState<Report>();
  const history = useRef(nothingDone);
  /** The cell that is typed into, and what was said of it before. */
  const begun = useRef<{ readonly key: string; readonly own: Own; readonly typed: string }>(undefined);
  const selection = fitted(followed(chosen, table), table.size);
  const { active } = selection;

  /** Typing in the cell has ended: from here on it is one step to undo. */
  const settle = () => {
    const one = begun.current;
    begun.current = undefined;
    setMode('moving');
    if (!one) return;
    history.current = did(history.current, [one]);
    table.leave(one.key);
  };

  const go = (next: Selection) => {
    settle();
    setSelection(next);
  };

  /** Types texts at once, as one step to undo. Whoever puts a mark where it stands already says it too. */
  const put = (edits: readonly { readonly key: string; readonly text: string }[]): Promise<boolean> | undefined => {
    settle();
    if (edits.length === 0) return undefined;
    history.current = did(history.current, table.ownOf(edits.map(({ key }) => key)));
    return table.type(Object.fromEntries(edits.map(({ key, text }) => [key, text])), edits.length === 1 ? 'one' : 'block');
  };
  /** The same, and says how much of it there is, now and once it is stored. */
  const putAndTell = (edits: readonly Edit[], report: (act: 'taken' | 'stored') => Report) => {
    const told = report('taken');
    setReport(told);
    const storing = put(edits.map(({ place, text }) => ({ key: table.keyAt(place), text })));
    void storing?.then((isStored) => isStored && setReport((now) => (now === told ? report('stored') : now)));
  };

  /** The cursor and the view go to where something was done. */
  const show = (step: Step) => {
    const places = step.flatMap(({ key }) => table.placeOf(key) ?? []);
    const [first] = places;
    if (!first) return;
    const [rows, columns] = [places.map(({ row }) => row), places.map(({ column }) => column)];
    const last = { row: Math.max(...rows), column: Math.max(...columns) };
    setSelection({ active: { row: Math.min(...rows), column: Math.min(...columns) }, to: last, start: first.column });
    table.reveal?.();
  };

  const takeBack = () => {
    settle();
    history.current = undo(history.current, (step) => {
      const { again, told } = table.takeBack(step);
      const waits: Report = { text: 'Taking it back…', isBad: false };
      setReport(waits);
      void told.then((outcome) => setReport((now) => (now === waits ? outcome : now)));
      show(step);
      return again;
    });
  };

  const doAgain = () => {
    settle();
    history.current = redo(history.current, (step) => {
      setReport(undefined);
      show(step);
      return table.sayAgain(step);
    });
  };

  const type = (text: string) => {
    if (!table.mayWrite) return;
    const key = table.keyAt(active);
    const before = table.textOf(key);
    const going = begun.current?.key === key ? begun.current : undefined;
    const how: How = going ? 'typed' : 'begun';
    const own = going?.own ?? table.ownOf([key])[0]?.own ?? {};
    begun.current = { key, own, typed: text };
    if (mode === 'moving') setMode('typing');
    setHasTyped(true);
    setReport(undefined);
    void table.type({ [key]: text }, how);
    const isFull =
      /^\d+$/u.test(text) &&
      text.length >= String(table.maxOf(active.column)).length &&
      text.length > before.length * Number(how === 'typed');
    const way = moveOn ?? (table.maxOf(active.column) <= ONE_DIGIT ? 'right' : 'stay');
    const next =
      way === 'stay' || mode === 'editing' || !isFull || table.wrongAt(active, text) !== undefined
        ? undefined
        : movedOn(way, selection, table.size);
    if (next) {
      history.current = did(history.current, [{ key, own }]);
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
    if (isOurs && mode !== 'moving') void table.takeBack([one]);
  };

  const attendanceKeys = (): readonly string[] => {
    const { top, bottom } = blockOf(selection);
    return Array.from({ length: bottom - top + 1 }, (_, row) => table.attendanceKeyAt(top + row) ?? []).flat();
  };
  const attend = (is: 'absent' | 'exempt') => {
    const keys = attendanceKeys();
    // The same key once more means that they sat it.
    const to = keys.every((key) => table.textOf(key) === is) ? 'sat' : is;
    void put(keys.map((key) => ({ key, text: to })));
  };

  const fill = () => {
    const edits = filledDown(blockOf(selection), (place) => table.textOf(table.keyAt(place)));
    const said = saidIn(edits, table);
    putAndTell(edits, () => ({ text: `${cells(edits.length)} filled${said}.`, isBad: false }));
  };

  const empty = () => void put(placesIn(blockOf(selection)).map((place) => ({ key: table.keyAt(place), text: '' })));

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
    if (act.kind === 'undo') return takeBack();
    if (act.kind === 'redo') return doAgain();
    if (act.kind === 'fill-down') return fill();
    if (act.kind === 'attendance') return attend(act.is);
    return empty();
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

  /** What there is to do with the selected cells: the same as by keys. */
  const menu = (): readonly MenuItem[] => {
    const keys = attendanceKeys();
    const isAll = (is: string) => keys.length > 0 && keys.every((key) => table.textOf(key) === is);
    const acts = menuOf({
      hasAttendance: keys.length > 0,
      isAbsent: isAll('absent'),
      isExempt: isAll('exempt'),
      block: blockOf(selection),
    });
    return acts.map(({ act, ...item }) => ({
      ...item,
      run: () => {
        run(act);
        table.reveal?.();
      },
    }));
  };

  const wholeRow = (row: number) => ({ active: { row, column: 0 }, to: { row, column: table.size.columns - 1 }, start: 0 });
  const wholeColumn = (column: number) => ({ active: { row: 0, column }, to: { row: table.size.rows - 1, column }, start: column });

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
    putAndTell(block.edits, reporting(block, table));
    if (block.block) {
      const { top, left, bottom, right } = block.block;
      setSelection({ active: { row: top, column: left }, to: { row: bottom, column: right }, start: left });
    }
    return undefined;
  };

  return {
    selection,
    mode,
    report,
    hideReport: useCallback(() => setReport(undefined), []),
    go,
    /** By their heads. `isMore`: up to there, from where the selection began. */
    selectRow: (row: number, isMore: boolean) => {
      const whole = wholeRow(row);
      go(isMore ? { active: { row: selection.active.row, column: 0 }, to: whole.to, start: 0 } : whole);
    },
    selectColumn: (column: number, isMore: boolean) => {
      const whole = wholeColumn(column);
      go(isMore ? { ...whole, active: { row: 0, column: selection.active.column } } : whole);
      table.reveal?.();
    },
    menu,
    reveal: () => table.reveal?.(),
    settle,
    edit: () => table.mayWrite && setMode('editing'),
    type,
    put,
    undo: takeBack,
    redo: doAgain,
    /** What was done before cannot be taken back here any more. */
    forget: () => {
      history.current = nothingDone;
    },
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

const cells = (count: number): string => `${count} ${count === 1 ? 'cell' : 'cells'}`;
