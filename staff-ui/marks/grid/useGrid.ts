import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useRef, useState } from 'react';
import type { MenuItem } from './CellMenu.tsx';
import { clipboardText } from './clipboard.ts';
import type { Action, MoveOn, Order } from './grid-state.ts';
import { attendanceKeysIn, gridAfter, gridAt, selectionIn } from './grid-state.ts';
import type { Act, Pressed } from './keys.ts';
import { actOf } from './keys.ts';
import type { Plan } from './paste/plan.ts';
import type { Place, Selection, Block } from './place.ts';
import { blockOf } from './place.ts';
import type { Table } from './table.ts';
import type { Away } from '#api/contract/attendance';
import { AWAY_WORDS, AWAYS } from '#api/contract/attendance';

export type Grid = ReturnType<typeof useGrid>;

/** Rows that Page Up and Page Down move. */
const PAGE = 15;

/** A table of marks: its state, and what keys, pointer and clipboard do to it. `first`: the cell to begin with. */
export const useGrid = (table: Table, moveOn: MoveOn | undefined, first: Place = { row: 0, column: 0 }) => {
  const [state, setState] = useState(() => gridAt(first, table));
  /** The state, also after what the same event has done already. */
  const latest = useRef(state);
  const selection = selectionIn(state, table);
  const { mode } = state;

  const dispatch = (action: Action) => {
    const { state: next, orders } = gridAfter(latest.current, action, table);
    latest.current = next;
    setState(next);
    for (const order of orders) carryOut(order);
  };
  const carryOut = (order: Order) => {
    if (order.do === 'type') {
      const { reports } = order;
      const storing = table.type(order.texts, order.how);
      if (reports)
        void storing?.then((isStored) => isStored && dispatch({ kind: 'report', report: reports.stored, instead: reports.taken }));
    } else if (order.do === 'undo') {
      const { again, report } = table.takeBack(order.step);
      dispatch({ kind: 'undone', again });
      void report.then((report) => dispatch({ kind: 'report', report, instead: order.waits }));
    } else if (order.do === 'redo') dispatch({ kind: 'redone', again: table.sayAgain(order.step) });
    else if (order.do === 'give-up') table.takeBack(order.step);
    else if (order.do === 'leave') table.leave(order.key);
    else if (order.do === 'end') table.onEnd?.();
    else table.reveal?.();
  };

  const settle = () => dispatch({ kind: 'settle' });
  const settleAnd = (action: Action) => {
    settle();
    dispatch(action);
  };
  const run = (act: Act) => {
    const press: Action = { kind: 'press', act };
    if (act.kind === 'edit' || act.kind === 'give-up') dispatch(press);
    else settleAnd(press);
  };
  const go = (to: Selection) => run({ kind: 'select', selection: to });

  const press = (pressed: Pressed): boolean => {
    const isFilled = (place: Place) => table.textOf(table.keyAt(place)) !== '';
    const snapshot = { selection, size: table.size, page: PAGE, isFilled, hasTyped: state.hasTyped };
    const act = actOf(pressed, mode, snapshot);
    if (act) run(act);
    return act !== undefined;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.nativeEvent.isComposing) return;
    if (press({ key: event.key, shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey })) event.preventDefault();
  };
  const digit = (one: string) => dispatch({ kind: 'digit', digit: one, moveOn });

  const menu = (): readonly MenuItem[] => {
    const block = blockOf(selection);
    const keys = attendanceKeysIn(block, table);
    const isAll = (is: string) => keys.length > 0 && keys.every((key) => table.textOf(key) === is);
    const offers = menuOf({ hasAttendance: keys.length > 0, isAll, block });
    return offers.map(({ act, ...item }) => ({
      ...item,
      run: () => {
        run(act);
        table.reveal?.();
      },
    }));
  };

  const onCopy = (event: ClipboardEvent<HTMLElement>) => {
    if (mode === 'editing') return;
    event.preventDefault();
    const { top, left, bottom, right } = blockOf(selection);
    const rows = Array.from({ length: bottom - top + 1 }, (_, row) =>
      Array.from({ length: right - left + 1 }, (_unused, column) => table.textOf(table.keyAt({ row: top + row, column: left + column }))),
    );
    event.clipboardData.setData('text/plain', clipboardText(rows));
    if (event.type === 'cut' && table.mayWrite) settleAnd({ kind: 'empty' });
  };
  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    if (mode === 'editing') return;
    event.preventDefault();
    if (table.mayWrite) settleAnd({ kind: 'paste', text: event.clipboardData.getData('text/plain') });
  };

  const { row: activeRow, column: activeColumn } = selection.active;
  return {
    selection,
    mode,
    report: state.report,
    /** What was copied, while its author is asked about it. */
    copied: state.copied,
    store: (plan: Plan) => settleAnd({ kind: 'store', plan }),
    decline: () => dispatch({ kind: 'decline' }),
    go,
    /** By their heads. `isMore`: up to there, from where the selection began. */
    selectRow: (row: number, isMore: boolean) =>
      go({ active: { row: isMore ? activeRow : row, column: 0 }, to: { row, column: table.size.columns - 1 }, start: 0 }),
    selectColumn: (column: number, isMore: boolean) => {
      go({ active: { row: 0, column: isMore ? activeColumn : column }, to: { row: table.size.rows - 1, column }, start: column });
      table.reveal?.();
    },
    menu,
    reveal: () => table.reveal?.(),
    settle,
    edit: () => dispatch({ kind: 'edit' }),
    type: (text: string) => dispatch({ kind: 'type', text, moveOn }),
    digit,
    /** A key that was pressed before the table was there. */
    take: (pressed: Pressed) => {
      if (!press(pressed) && /^\d$/u.test(pressed.key)) digit(pressed.key);
    },
    put: (texts: readonly { readonly key: string; readonly text: string }[]) => settleAnd({ kind: 'put', texts }),
    undo: () => settleAnd({ kind: 'undo' }),
    redo: () => settleAnd({ kind: 'redo' }),
    forget: () => dispatch({ kind: 'forget' }),
    onKeyDown,
    onCopy,
    onPaste,
  };
};

type Chosen = {
  readonly hasAttendance: boolean;
  readonly isAll: (is: Away) => boolean;
  readonly block: Block;
};

type Offered = { readonly label: string; readonly keys: string; readonly isOn?: boolean; readonly act: Act };

/** The menu of the selected cells. What is said of the student comes first, then what is done to the cells. */
const menuOf = ({ hasAttendance, isAll, block }: Chosen): readonly Offered[] => [
  ...(hasAttendance
    ? AWAYS.map((is) => ({
        label: AWAY_WORDS[is].label,
        keys: AWAY_WORDS[is].sign,
        isOn: isAll(is),
        act: { kind: 'attendance', is } as const,
      }))
    : []),
  ...(block.bottom === 0
    ? []
    : [{ label: block.top === block.bottom ? 'Fill from above' : 'Fill down', keys: 'Ctrl+D', act: { kind: 'fill-down' } as const }]),
  { label: 'Take out the marks', keys: 'Delete', act: { kind: 'empty' } },
];
