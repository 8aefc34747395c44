import type { ReactNode } from 'react';
import { Table } from '../../../ui/table/Table.tsx';
import type { CellOf } from '../../queries.ts';
import styles from './Explanations.module.css';
import { useExplain } from './Explanations.tsx';
import { markExplained } from './OneMark.tsx';

export type MarkRow = {
  readonly studentId: string;
  readonly name: string | null;
  readonly value: number | null;
  /** It is not in the figure. */
  readonly isOut?: boolean;
  /** Of the further columns. */
  readonly cells?: readonly ReactNode[];
  readonly note: ReactNode;
};

type MarksTableProps = {
  readonly label: string;
  /** 'Mark of 7' */
  readonly head: string;
  readonly columns?: readonly { readonly name: string; readonly isNumber?: boolean }[];
  readonly rows: readonly MarkRow[];
  readonly test: string;
  /** What each row shows: 'mark of question 7'. */
  readonly mark: string;
  /** The same in the title of the explanation. */
  readonly title?: string;
  readonly cell: Omit<CellOf, 'studentId'>;
};

/** A mark per student; each opens who entered it. */
export const MarksTable = ({ label, head, columns = [], rows, test, mark, title = mark, cell }: MarksTableProps) => {
  const explain = useExplain();
  const numeric = (column: number) => (columns[column]?.isNumber ? 'figure' : undefined);
  return (
    <Table label={label} cardsBelow={600}>
      <thead>
        <tr>
          <th scope="col">Student</th>
          <th scope="col" className="figure">
            {head}
          </th>
          {columns.map(({ name }, column) => (
            <th key={name} scope="col" className={numeric(column)}>
              {name}
            </th>
          ))}
          <th scope="col">Note</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ studentId, value, isOut, cells = [], note, ...row }) => {
          const name = row.name ?? 'Forgotten student';
          return (
            <tr key={studentId} data-out={isOut || undefined}>
              <th scope="row">{name}</th>
              <td className="figure" data-label={head}>
                <button
                  type="button"
                  className="link"
                  aria-label={`${value ?? 'Nothing'}: who entered it, ${name}`}
                  onClick={() => explain(markExplained({ ...cell, studentId }, name, `${title}, ${test}`, mark))}
                >
                  {value ?? '–'}
                </button>
              </td>
              {cells.map((content, column) => (
                <td key={columns[column]?.name} className={numeric(column)} data-label={columns[column]?.name}>
                  {content}
                </td>
              ))}
              <td className={`breaks ${styles.wrapped}`}>{note}</td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
};
