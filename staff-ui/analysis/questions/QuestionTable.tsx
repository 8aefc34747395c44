import type { Evidence } from '#api/analysis/items.formula';
import { ENOUGH_RELIABILITY } from '#api/analysis/items.formula';
import { useState } from 'react';
import { SortHead } from '../../../ui/table/SortHead.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { difference, twoDecimals } from '../../format.ts';
import { OpenFlag } from '../figures/OpenFlag.tsx';
import styles from './Questions.module.css';
import type { QuestionColumn, Group, Row } from './rows.ts';
import { percent, readingOf, sorted, valueOf, WEAK } from './rows.ts';

type QuestionTableProps = {
  readonly group: Group;
  readonly rows: readonly Row[];
  /** Of all students, by whose alpha the reliability goes. */
  readonly ofAll: Evidence;
  /** Opens the students behind a question. */
  readonly onOpen: (row: Row) => void;
};

const HEADS: readonly { readonly column: QuestionColumn; readonly label: string; readonly note?: string; readonly isDown: boolean }[] = [
  { column: 'facility', label: 'Facility', note: 'mean of maximum', isDown: false },
  { column: 'against', label: 'Against the year', isDown: false },
  { column: 'discrimination', label: 'Discrimination', isDown: false },
  { column: 'zero', label: 'No marks', isDown: true },
  { column: 'full', label: 'Full marks', isDown: true },
  { column: 'alphaIfDeleted', label: 'Alpha without it', isDown: true },
  { column: 'reliability', label: 'Reliability', note: 'of a claim about it', isDown: true },
];

/** A row per question, sorted by the column that was asked for; each opens the students behind it. */
export const QuestionTable = ({ group, rows, ofAll, onOpen }: QuestionTableProps) => {
  const [by, setBy] = useState<{ readonly column: QuestionColumn; readonly isDown: boolean }>({ column: 'number', isDown: false });
  const isCompared = rows.some(({ against }) => against !== null);
  const heads = HEADS.filter(({ column }) => isCompared || column !== 'against');
  const direction = (column: QuestionColumn) => (by.column === column ? (by.isDown ? 'desc' : 'asc') : undefined);
  const sortBy = (column: QuestionColumn, isDown: boolean) =>
    setBy((now) => ({ column, isDown: now.column === column ? !now.isDown : isDown }));
  return (
    <>
      <Table label={`Questions, ${group.name}`}>
        <thead>
          <tr>
            <SortHead label="Question" direction={direction('number')} onSort={() => sortBy('number', false)} />
            {heads.map(({ column, label, note, isDown }) => (
              <SortHead
                key={column}
                label={label}
                {...(note === undefined ? {} : { note })}
                numeric
                direction={direction(column)}
                onSort={() => sortBy(column, isDown)}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, by.column, by.isDown).map((row) => (
            <QuestionRow
              key={row.questionId}
              row={row}
              group={group}
              ofAll={ofAll}
              heads={heads.map(({ column }) => column)}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      </Table>
      {isCompared && <p className="tiny muted">{BEYOND_CHANCE}</p>}
      {rows.some(({ reliability }) => reliability !== null && reliability < ENOUGH_RELIABILITY) && (
        <p className="tiny muted">{NOT_ENOUGH}</p>
      )}
    </>
  );
};

/** Below the tables of classes. */
export const BEYOND_CHANCE = 'Differences from the year are coloured where chance does not explain them, across all classes and questions.';
/** Once, of questions and topics: no topic has less than one of its questions. */
const NOT_ENOUGH = `A reliability below ${ENOUGH_RELIABILITY} is not enough evidence, only a hint of where to look.`;

type QuestionRowProps = Pick<QuestionTableProps, 'group' | 'ofAll' | 'onOpen'> & {
  readonly row: Row;
  readonly heads: readonly QuestionColumn[];
};

const QuestionRow = ({ row, group: { figures }, ofAll, heads, onOpen }: QuestionRowProps) => {
  const evidenceOf = (column: QuestionColumn) => (column === 'reliability' ? ofAll : figures.evidence);
  return (
    <tr>
      <th scope="row" className={`breaks ${styles.question}`}>
        <button type="button" className="link" title="The students behind it" onClick={() => onOpen(row)}>
          Q{row.number} {row.topic}
        </button>
        <small className="tiny muted">of {row.max}</small>
        <OpenFlag open={row.open ?? undefined} of={`question ${row.number}`} onDecide={() => onOpen(row)} />
      </th>
      {heads.map((column) => (
        <Cell key={column} row={row} column={column} isWeak={evidenceOf(column) === 'weak'} />
      ))}
    </tr>
  );
};

/** Correlations of few students are greyed, and left out of fewer than ten. */
const Cell = ({ row, column, isWeak }: { readonly row: Row; readonly column: QuestionColumn; readonly isWeak: boolean }) => {
  const value = valueOf(row, column);
  const isAgainst = column === 'against';
  return (
    <td
      className={`figure ${styles.number}`}
      data-weak={(isWeak && CORRELATIONS.has(column) && value !== null) || undefined}
      data-stands={isAgainst ? row.stands : undefined}
    >
      {value === null ? (
        column === 'facility' ? (
          <small className={`tiny muted ${styles.note}`}>nobody has a mark</small>
        ) : (
          <Nothing />
        )
      ) : (
        text(column, value)
      )}
      {column === 'discrimination' && value !== null && value < WEAK && (
        <small className={`tiny muted ${styles.note}`}>{readingOf(value).split(':')[0]}</small>
      )}
      {isAgainst && <Beyond stands={row.stands} />}
    </td>
  );
};

const CORRELATIONS: ReadonlySet<QuestionColumn> = new Set(['discrimination', 'alphaIfDeleted', 'reliability']);
const text = (column: QuestionColumn, value: number): string =>
  CORRELATIONS.has(column) ? twoDecimals(value) : column === 'against' ? difference(value) : percent(value);

/** What the colour of a difference says. */
export const Beyond = ({ stands }: Pick<Row, 'stands'>) =>
  stands !== undefined && stands !== 'among' && <span className="sr">, {stands} than the year by more than chance</span>;

const Nothing = () => <span className="muted">–</span>;
