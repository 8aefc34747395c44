import { AWAY_WORDS, AWAYS } from '#api/contract/attendance';
import type { KeyboardEvent } from 'react';
import { Button } from '../../../ui/controls/Button.tsx';
import { at } from '../grid/place.ts';
import type { Grid } from '../grid/useGrid.ts';
import { AboutCell } from './AboutCell.tsx';
import styles from './OneStudent.module.css';
import type { SheetModel } from './model/useSheet.ts';

type OneStudentProps = {
  readonly model: SheetModel;
  readonly grid: Grid;
  /** After the last question of the last student. */
  readonly onEnd: () => void;
};

/** On a phone: one student at a time, the questions as tiles and a pad of the marks that a question can have. */
export const OneStudent = ({ model, grid, onEnd }: OneStudentProps) => {
  const { rows, columns, table } = model;
  const { row, column } = grid.selection.active;
  const head = rows[row];
  const question = columns[column];
  if (!head || !question) return null;
  const step = (by: 1 | -1) => grid.go(at({ row: Math.max(0, Math.min(rows.length - 1, row + by)), column: 0 }));
  /** To the next question, and after the last to the next student. */
  const next = () => {
    if (column + 1 < columns.length) grid.go(at({ row, column: column + 1 }));
    else if (row + 1 < rows.length) step(1);
    else onEnd();
  };
  const enter = (text: string, isWhole: boolean) => {
    grid.put([{ key: table.keyAt({ row, column }), text }]);
    if (isWhole) next();
  };
  const hasMarks = question.max <= 11;
  const digit = (one: string) => {
    // Where each mark has a button of its own, and one digit is all of it.
    if (question.max <= 9) return Number(one) <= question.max ? enter(one, true) : undefined;
    return grid.digit(one);
  };
  /** A keyboard, as with a page that is enlarged on a laptop. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!table.mayWrite || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement) return;
    if (/^\d$/u.test(event.key)) digit(event.key);
    else if (event.key === 'Delete' || event.key === 'Backspace') enter('', false);
    else if (event.key === 'ArrowRight') next();
    else if (event.key === 'ArrowLeft' && column > 0) grid.go(at({ row, column: column - 1 }));
    else return;
    event.preventDefault();
  };
  const attendance = table.attendanceKeyAt(row);
  const count = columns.filter((_, at_) => model.cellAt({ row, column: at_ }).text !== '').length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- digits, whichever of its buttons has the focus
    <section className={styles.one} aria-label={head.name} onKeyDown={onKeyDown} onPaste={grid.onPaste}>
      <header className={styles.head}>
        <Button onClick={() => step(-1)} disabled={row === 0} aria-label="Student before">
          ‹
        </Button>
        <div className={styles.who}>
          <select aria-label="Student" value={row} onChange={(event) => grid.go(at({ row: Number(event.target.value), column: 0 }))}>
            {rows.map(({ id, name }, index) => (
              <option key={id} value={index}>
                {name}
              </option>
            ))}
          </select>
          <p className="muted small">
            {row + 1} of {rows.length} · {count} of {columns.length} questions · total {head.tail[0]?.text || 0}
            {head.tail[1]?.text && ` (teacher’s ${head.tail[1].text})`}
            {head.tail.some(({ tone }) => tone === 'struck') && ` · ${head.sign?.words}: does not count`}
          </p>
          <progress max={columns.length} value={count} aria-hidden="true" />
        </div>
        <Button onClick={() => step(1)} disabled={row === rows.length - 1} aria-label="Next student">
          ›
        </Button>
      </header>
      <ol className={styles.tiles}>
        {columns.map(({ id, name, max, topic }, index) => {
          const cell = model.cellAt({ row, column: index });
          return (
            <li key={id}>
              <button
                ref={index === column ? reveal : undefined}
                type="button"
                aria-pressed={index === column}
                aria-label={`${name}${topic === undefined ? '' : ` ${topic}`}: ${cell.text || 'not entered'} of ${max}${cell.wrong === undefined ? '' : `, ${cell.wrong}`}`}
                data-status={cell.status}
                data-contested={cell.isContested || undefined}
                data-wrong={cell.wrong !== undefined || undefined}
                onClick={() => grid.go(at({ row, column: index }))}
              >
                <span className="muted tiny">{name}</span>
                <span className={styles.mark}>{cell.text || '–'}</span>
                <span className="muted tiny">of {max}</span>
              </button>
            </li>
          );
        })}
      </ol>
      <AboutCell model={model} place={{ row, column }} />
      {table.mayWrite && (
        <div className={styles.pad} role="group" aria-label={`Mark for ${question.name}, of ${question.max}`}>
          {hasMarks
            ? Array.from({ length: question.max + 1 }, (_, mark) => (
                <button key={mark} type="button" onClick={() => enter(String(mark), true)}>
                  {mark}
                </button>
              ))
            : DIGITS.map((one) => (
                <button key={one} type="button" onClick={() => digit(one)}>
                  {one}
                </button>
              ))}
          <button type="button" onClick={() => enter('', false)}>
            Clear
          </button>
          <button type="button" className={styles.next} onClick={next}>
            Next
          </button>
          {attendance !== undefined &&
            AWAYS.map((is) => {
              const isSo = table.textOf(attendance) === is;
              return (
                <button key={is} type="button" aria-pressed={isSo} onClick={() => grid.put([{ key: attendance, text: isSo ? 'sat' : is }])}>
                  {AWAY_WORDS[is].label}
                </button>
              );
            })}
        </div>
      )}
    </section>
  );
};

const reveal = (tile: HTMLElement | null): void => tile?.scrollIntoView({ block: 'nearest' });

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'];
