import { useState } from 'react';
import { isFound } from '#api/contract/names';
import styles from './Grid.module.css';
import { at } from './place.ts';
import type { Grid } from './useGrid.ts';
import type { RowHead } from './view.ts';

type FindProps = { readonly rows: readonly RowHead[]; readonly grid: Pick<Grid, 'selection' | 'go' | 'reveal'> };

/** In the head of the names: goes to the student whose name begins so, or has it in it, arrow down to the next; Enter back to the marks. */
export const Find = ({ rows, grid }: FindProps) => {
  const [typed, setTyped] = useState('');
  const [isThere, setThere] = useState(true);
  const goTo = (text: string, from: number) => {
    const row = text.trim() === '' ? -1 : nextOf(rows, text, from);
    setThere(row >= 0 || text.trim() === '');
    if (row >= 0) grid.go(at({ row, column: grid.selection.active.column }));
    return row >= 0;
  };
  const leave = () => {
    setTyped('');
    setThere(true);
    grid.reveal();
  };
  return (
    <input
      type="search"
      data-find
      className={styles.find}
      aria-label="Find a student"
      aria-keyshortcuts="/"
      aria-invalid={!isThere || undefined}
      placeholder="Find: /"
      autoComplete="off"
      value={typed}
      onChange={({ target: { value } }) => {
        setTyped(value);
        goTo(value, 0);
      }}
      onBlur={() => setTyped('')}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'ArrowDown') {
          event.preventDefault();
          goTo(typed, grid.selection.active.row + 1);
        }
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        if (event.key === 'Escape' || isThere) leave();
      }}
    />
  );
};

/** From a row on, and then from the top; -1: nobody. Whoever's name begins so comes first. */
const nextOf = (rows: readonly RowHead[], text: string, from: number): number => {
  const begins = ({ name }: RowHead) => name.toLowerCase().startsWith(text.trim().toLowerCase());
  const isSo = rows.some(begins) ? begins : ({ name, title = '' }: RowHead) => isFound(`${name} ${title}`, text.trim());
  const after = rows.findIndex((row, index) => index >= from && isSo(row));
  return after >= 0 ? after : rows.findIndex(isSo);
};
