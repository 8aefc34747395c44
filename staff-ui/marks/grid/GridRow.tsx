import type { RefObject } from 'react';
import { Fragment, memo, useLayoutEffect, useRef } from 'react';
import type { Status } from '../../../ui/drafts/drafts.ts';
import styles from './Grid.module.css';
import type { Mode } from './keys.ts';
import type { CellView, Column, RowHead } from './view.ts';
import { tailPlace } from './widths.ts';
import { gapAfter, gapsBefore } from './useWindow.ts';

type GridRowProps = {
  readonly row: number;
  readonly head: RowHead;
  readonly drawn: readonly number[];
  readonly cells: readonly CellView[];
  readonly columns: readonly Column[];
  /** Selected columns; -1: none. */
  readonly from: number;
  readonly to: number;
  readonly active: number;
  readonly mode: Mode;
  readonly type: (text: string) => void;
  readonly hasFocus: RefObject<boolean>;
  readonly readOnly: boolean;
  readonly hasMenu: boolean;
};

const Row = ({ row, head, drawn, cells, columns, from, to, active, mode, type, hasFocus, readOnly, hasMenu }: GridRowProps) => {
  const gaps = gapsBefore(drawn);
  const isPart = drawn.length < columns.length;
  return (
    <tr aria-rowindex={row + 2} data-away={head.sign && !head.sign.isContested ? true : undefined}>
      <th scope="row" className={styles.name} title={head.title} data-signed={head.sign && true} data-contested={head.sign?.isContested}>
        {hasMenu ? (
          <button
            type="button"
            tabIndex={-1}
            data-row-head={row}
            data-long={lengthOf(head)}
            aria-haspopup="menu"
            className={`bare line gap-1 ${styles.rowHead}`}
          >
            <Called head={head} />
          </button>
        ) : (
          <span data-long={lengthOf(head)} className={`line gap-1 ${styles.rowHead}`}>
            <Called head={head} />
          </span>
        )}
        {head.sign && (
          <abbr className={styles.sign} title={head.sign.words}>
            {head.sign.text}
          </abbr>
        )}
      </th>
      {cells.map((cell, index) => {
        const column = drawn[index] ?? 0;
        const gap = gaps[index] ?? 0;
        const isActive = column === active;
        const words = wordsOf(cell);
        const drawnCell = (
          <td
            key={columns[column]?.id}
            data-row={row}
            data-column={column}
            data-active={isActive || undefined}
            data-status={cell.status === 'clean' ? undefined : cell.status}
            data-wrong={cell.wrong !== undefined || undefined}
            data-contested={cell.isContested || undefined}
            data-new={cell.isNew || undefined}
            data-students={cell.isStudents || undefined}
            aria-colindex={isPart ? column + 2 : undefined}
            aria-selected={column >= from && column <= to}
            aria-label={isActive ? undefined : labelOf(cell.text, words)}
            title={cell.wrong ?? cell.note}
          >
            {isActive ? (
              <ActiveInput
                label={`${head.name}, ${columns[column]?.name ?? ''} of ${columns[column]?.max ?? ''}${words && `, ${words}`}`}
                text={cell.text}
                isWrong={cell.wrong !== undefined}
                mode={mode}
                type={type}
                hasFocus={hasFocus}
                readOnly={readOnly}
              />
            ) : (
              cell.text
            )}
          </td>
        );
        return gap === 0 ? (
          drawnCell
        ) : (
          <Fragment key={columns[column]?.id}>
            <Gap columns={gap} />
            {drawnCell}
          </Fragment>
        );
      })}
      <Gap columns={gapAfter(drawn, columns.length)} />
      {head.tail.map(({ text, tone, words }, index) => (
        <td key={index} className={styles.tail} style={tailPlace(index)} data-tone={tone} aria-label={labelOf(text, words ?? '')}>
          {text}
        </td>
      ))}
    </tr>
  );
};

/** A name may be cut; the StudentID that tells it from another one is not. */
const Called = ({ head: { name, title } }: { readonly head: RowHead }) => {
  const id = `(${title})`;
  if (!name.endsWith(id)) return <span className={styles.called}>{name}</span>;
  return (
    <>
      <span className={styles.called}>{name.slice(0, -id.length).trimEnd()}</span> <span>{id}</span>
    </>
  );
};

/** Where a name is too long for a line of its column; undefined: nowhere. */
const lengthOf = ({ name }: RowHead): 'everywhere' | 'narrow' | undefined =>
  name.length > 25 ? 'everywhere' : name.length > 18 ? 'narrow' : undefined;

/** Columns that are not drawn keep their width. */
const Gap = ({ columns }: { readonly columns: number }) => columns > 0 && <td aria-hidden="true" colSpan={columns} />;

/** What a cell says besides its text, as a label: an element in each cell would have to be laid out too. */
const labelOf = (text: string, words: string): string | undefined => (words === '' ? undefined : `${text} ${words}`.trim());

const WORDS: Readonly<Partial<Record<Status, string>>> = {
  changed: 'not stored yet',
  saving: 'being stored',
  saved: 'stored',
  conflict: 'changed by somebody else meanwhile',
  refused: 'refused',
  offline: 'waits for the network',
};

const wordsOf = ({ status, wrong, note, isContested, isStudents }: CellView): string => {
  // Most cells have nothing to say.
  if (status === 'clean' && wrong === undefined && note === undefined && !isContested && !isStudents) return '';
  return [isContested ? 'several values' : undefined, isStudents ? 'entered by the student' : undefined, WORDS[status], wrong, note]
    .filter((words) => words !== undefined)
    .join(', ');
};

type ActiveInputProps = {
  readonly label: string;
  readonly text: string;
  readonly isWrong: boolean;
  readonly mode: Mode;
  readonly type: (text: string) => void;
  readonly hasFocus: RefObject<boolean>;
  readonly readOnly: boolean;
};

/** The one input of the grid. It takes the focus along as the active cell moves; until something is typed, its text is selected. */
const ActiveInput = ({ label, text, isWrong, mode, type, hasFocus, readOnly }: ActiveInputProps) => {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (!hasFocus.current) return;
    input.current?.focus({ preventScroll: true });
    input.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [hasFocus]);
  // Also when the text changes under the cursor: the next digit replaces what it shows.
  useLayoutEffect(() => {
    // Selecting gives the focus, which may have gone elsewhere by then.
    if (mode === 'moving' && input.current?.value === text && document.activeElement === input.current) input.current.select();
  }, [mode, text]);
  useLayoutEffect(() => {
    if (mode === 'editing') input.current?.setSelectionRange(input.current.value.length, input.current.value.length);
  }, [mode]);
  return (
    <input
      ref={input}
      className={styles.input}
      data-mode={mode}
      inputMode="numeric"
      autoComplete="off"
      aria-label={label}
      aria-invalid={isWrong || undefined}
      readOnly={readOnly}
      value={text}
      onFocus={(event) => event.target.select()}
      // React reports no change where the text stays as it was, such as the same digit typed over it.
      onInput={(event) => type(event.currentTarget.value)}
    />
  );
};

const SAME = [
  'row',
  'from',
  'to',
  'active',
  'mode',
  'readOnly',
  'hasMenu',
  'columns',
  'drawn',
] as const satisfies readonly (keyof GridRowProps)[];

/** A row is redrawn only if something that it shows has changed. `type` acts on the active cell: only its row needs the newest. */
export const GridRow = memo(
  Row,
  (before, after) =>
    SAME.every((part) => before[part] === after[part]) &&
    (after.active < 0 || before.type === after.type) &&
    sameHead(before.head, after.head) &&
    before.cells.length === after.cells.length &&
    before.cells.every((cell, column) => sameCell(cell, after.cells[column])),
);

const sameHead = (one: RowHead, other: RowHead): boolean =>
  one === other ||
  (one.id === other.id &&
    one.name === other.name &&
    one.title === other.title &&
    one.sign?.words === other.sign?.words &&
    one.tail.length === other.tail.length &&
    one.tail.every(({ text, tone }, index) => text === other.tail[index]?.text && tone === other.tail[index]?.tone));

const SHOWN = ['text', 'status', 'wrong', 'note', 'isContested', 'isNew', 'isStudents'] as const satisfies readonly (keyof CellView)[];
const sameCell = (one: CellView, other: CellView | undefined): boolean =>
  one === other || (other !== undefined && SHOWN.every((part) => one[part] === other[part]));
