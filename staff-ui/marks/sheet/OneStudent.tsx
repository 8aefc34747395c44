import { Button } from '../../../ui/controls/Button.tsx';
import { at } from '../grid/place.ts';
import type { Grid } from '../grid/useGrid.ts';
import styles from './OneStudent.module.css';
import type { SheetModel } from './useSheet.ts';

type OneStudentProps = { readonly model: SheetModel; readonly grid: Grid };

/** On a phone: one student at a time, the questions as tiles and a pad of the marks that a question can have. */
export const OneStudent = ({ model, grid }: OneStudentProps) => {
  const { rows, columns, table } = model;
  const { row, column } = grid.selection.active;
  const head = rows[row];
  const question = columns[column];
  if (!head || !question) return null;
  const step = (by: 1 | -1) => grid.go(at({ row: Math.max(0, Math.min(rows.length - 1, row + by)), column: 0 }));
  const enter = (text: string, isWhole: boolean) => {
    void grid.put([{ key: table.keyAt({ row, column }), text }]);
    if (isWhole && column + 1 < columns.length) grid.go(at({ row, column: column + 1 }));
  };
  const now = model.cellAt({ row, column });
  const attendance = table.attendanceKeyAt(row);
  const count = columns.filter((_, at_) => model.cellAt({ row, column: at_ }).text !== '').length;
  return (
    <section className={styles.one} aria-label={head.name}>
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
          <p>
            {row + 1} of {rows.length} · {count} of {columns.length} questions · {head.tail[0]?.text || 0}
            {head.tail[1]?.text && ` of the teacher’s ${head.tail[1].text}`}
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
                <span className={styles.name}>{name}</span>
                <span className={styles.mark}>{cell.text || '–'}</span>
                <span className={styles.max}>of {max}</span>
              </button>
            </li>
          );
        })}
      </ol>
      {table.mayWrite && (
        <div className={styles.pad} role="group" aria-label={`Mark for ${question.name}, of ${question.max}`}>
          {question.max <= 11
            ? Array.from({ length: question.max + 1 }, (_, mark) => (
                <button key={mark} type="button" onClick={() => enter(String(mark), true)}>
                  {mark}
                </button>
              ))
            : DIGITS.map((digit) => (
                <button
                  key={digit}
                  type="button"
                  onClick={() => {
                    // While one types, a digit is added to the text; on a tile that one has just come to, a new text begins.
                    const longer = grid.mode === 'typing' ? `${now.text}${digit}` : digit;
                    grid.type(Number(longer) > question.max ? digit : longer);
                  }}
                >
                  {digit}
                </button>
              ))}
          <button type="button" onClick={() => enter('', false)}>
            Clear
          </button>
          <button type="button" onClick={() => (column + 1 < columns.length ? grid.go(at({ row, column: column + 1 })) : step(1))}>
            Next
          </button>
          {attendance !== undefined && (
            <>
              <Away model={model} grid={grid} attendance={attendance} is="absent" label="Absent" />
              <Away model={model} grid={grid} attendance={attendance} is="exempt" label="Exempt" />
            </>
          )}
        </div>
      )}
    </section>
  );
};

const reveal = (tile: HTMLElement | null): void => tile?.scrollIntoView({ block: 'nearest' });

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'];

type AwayProps = OneStudentProps & { readonly attendance: string; readonly is: 'absent' | 'exempt'; readonly label: string };

const Away = ({ model, grid, attendance, is, label }: AwayProps) => {
  const isSo = model.table.textOf(attendance) === is;
  return (
    <button type="button" aria-pressed={isSo} onClick={() => void grid.put([{ key: attendance, text: isSo ? 'sat' : is }])}>
      {label}
    </button>
  );
};
