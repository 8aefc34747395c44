import type { ReactNode } from 'react';
import { Popover } from '../../../ui/controls/Popover.tsx';
import type { Kind } from './model/cells.ts';
import styles from './Keys.module.css';

const NAME = 'Keys and signs';

type KeysProps = {
  readonly kind: Kind;
  /** What can be chosen about them. */
  readonly children: ReactNode;
};

/** What the keys do, and what the signs in the cells say. */
export const Keys = ({ kind, children }: KeysProps) => (
  <Popover label="?" name={NAME} look="quiet" className={styles.open}>
    <h2>Keys</h2>
    {children}
    <dl className={styles.keys}>
      {KEYS.filter(({ only }) => only === undefined || only === kind).map(({ keys, words }) => (
        <div key={keys}>
          <dt>{keys}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
    <h2>Signs</h2>
    <ul className={styles.signs}>
      {SIGNS.filter(({ only }) => only === undefined || only === kind).map(({ sign, text, words }) => (
        <li key={words}>
          <span className={styles.sign} data-sign={sign} aria-hidden="true">
            {text}
          </span>
          {words}
        </li>
      ))}
    </ul>
  </Popover>
);

/** Opens it from the table. */
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
  { sign: 'wrong', text: '9', words: 'no mark that the question can have' },
  { sign: 'new', text: '2', words: 'just entered by a colleague' },
  { sign: 'away', text: 'A', words: 'absent (A) or exempt (E)', only: 'marks' },
];
