import { Button } from '../../../ui/controls/Button.tsx';
import type { MoveOn } from '../grid/grid-state.ts';
import type { Grid } from '../grid/useGrid.ts';
import styles from './Sheet.module.css';
import type { SheetModel } from './model/useSheet.ts';
import type { ReactNode } from 'react';
import { Popover } from '../../../ui/controls/Popover.tsx';
import type { Kind } from './model/cells.ts';
import keyStyles from './Keys.module.css';
import { useState } from 'react';
import { readPreference, writePreference } from '../../../ui/site/preferences.ts';

type ToolsProps = {
  readonly model: SheetModel;
  readonly grid: Grid;
  /** '28 of 30 students complete' */
  readonly progress: string;
  readonly moveOn: MoveOn;
  readonly setMoveOn: (to: MoveOn) => void;
  readonly isPhone: boolean;
};

/** Above a sheet: how far it is, what it offers for what is missing, and how its keys work. */
export const Tools = ({ model, grid, progress: words, moveOn, setMoveOn, isPhone }: ToolsProps) => {
  const { blanks, progress, kind } = model;
  return (
    <div className="row rigid">
      <div className={`line muted ${styles.progress}`}>
        <span>{words}</span>
        <progress max={Math.max(1, progress.of)} value={progress.done} aria-hidden="true" />
      </div>
      {blanks.length > 0 && (
        <Button look="plain" onClick={() => grid.put(blanks.map((key) => ({ key, text: '0' })))}>
          {blanks.length === 1 ? 'Enter 0 for the 1 blank' : `Enter 0 for the ${blanks.length} blanks`}
        </Button>
      )}
      <span className="grow" />
      <Button look="plain" onClick={grid.undo} title="Ctrl+Z">
        Undo
      </Button>
      <Button look="plain" onClick={grid.redo} title="Ctrl+Y">
        Redo
      </Button>
      {(!isPhone || kind === 'total') && (
        <Keys kind={kind}>
          <label className="line muted">
            {kind === 'total' ? 'After a full total' : 'After one digit'}
            <select
              className="field"
              value={moveOn}
              onChange={(event) => setMoveOn(moveOns.find((one) => one === event.target.value) ?? 'stay')}
            >
              <option value="stay">stay</option>
              {kind === 'marks' && <option value="right">right</option>}
              <option value="down">down</option>
            </select>
          </label>
        </Keys>
      )}
    </div>
  );
};

const NAME = 'Keys and signs';

type KeysProps = {
  readonly kind: Kind;
  readonly children: ReactNode;
};

/** A button for what the keys do, and what the signs in the cells say. */
const Keys = ({ kind, children }: KeysProps) => (
  <Popover label="?" name={NAME} look="quiet" className={keyStyles.open}>
    {children}
    <KeyList kind={kind} />
  </Popover>
);

export const KeyList = ({ kind }: { readonly kind: Kind }) => (
  <>
    <h2>Keys</h2>
    <dl className={`stack gap-1 small ${keyStyles.keys}`}>
      {KEYS.filter(({ only }) => only === undefined || only === kind).map(({ keys, words }) => (
        <div key={keys}>
          <dt className="strong">{keys}</dt>
          <dd className="muted">{words}</dd>
        </div>
      ))}
    </dl>
    <h2>Signs</h2>
    <ul className="stack gap-1 small">
      {SIGNS.filter(({ only }) => only === undefined || only === kind).map(({ sign, text, words }) => (
        <li key={words} className="line">
          <span className={keyStyles.sign} data-sign={sign} aria-hidden="true">
            {text}
          </span>
          {words}
        </li>
      ))}
    </ul>
  </>
);

export const showKeys = (around: HTMLElement | null): void =>
  (around?.closest('dialog') ?? document).querySelector<HTMLElement>(`[aria-label="${NAME}"]`)?.click();

const KEYS: readonly { readonly keys: string; readonly words: string; readonly only?: Kind }[] = [
  { keys: 'Arrows, Tab, Enter', words: 'move; Enter goes down, and up to the next column after the last row' },
  { keys: '0 to 9', words: 'type over what is in the cell; F2 edits it' },
  { keys: 'A, E', words: 'absent, exempt: once more for ‘sat it’', only: 'marks' },
  { keys: 'Shift and arrows', words: 'select more; a click on a head selects a row or a column' },
  { keys: 'Ctrl+C, X, V', words: 'copy, cut and paste, as in a spreadsheet, with or without names' },
  { keys: 'Ctrl+D', words: 'fill down' },
  { keys: 'Delete', words: 'take out what is selected' },
  { keys: 'Ctrl+Z, Ctrl+Y', words: 'undo, redo' },
  { keys: '/', words: 'find a student' },
  { keys: '?', words: 'this list' },
];

const SIGNS: readonly { readonly sign: string; readonly text?: string; readonly words: string; readonly only?: Kind }[] = [
  { sign: 'students', text: '2', words: 'entered by the student, and by no teacher', only: 'marks' },
  { sign: 'saved', text: '2', words: 'stored', only: 'marks' },
  { sign: 'changed', text: '2', words: 'not stored yet' },
  { sign: 'contested', text: '2', words: 'several values: choose the one that counts' },
  { sign: 'wrong', text: '9', words: 'not a mark that the question can have' },
  { sign: 'new', text: '2', words: 'just entered by a colleague' },
  { sign: 'away', text: 'A', words: 'absent (A) or exempt (E)', only: 'marks' },
];

/** Where a full mark leads, remembered on this device; undefined: nobody has said. */
export const useMoveOn = (): readonly [MoveOn | undefined, (to: MoveOn) => void] => {
  const [moveOn, setMoveOn] = useState<MoveOn | undefined>(() => {
    const kept = readPreference(PLACE);
    return moveOns.find((one) => one === kept);
  });
  return [
    moveOn,
    (to) => {
      setMoveOn(to);
      writePreference(PLACE, to);
    },
  ];
};

const moveOns: readonly MoveOn[] = ['stay', 'right', 'down'];

const PLACE = 'marktrail-move-on';
