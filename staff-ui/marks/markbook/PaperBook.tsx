import { openText } from '#api/contract/flags';
import type { Markbook } from '#api/marks/marks.contract';
import { counted, oneDecimal } from '../../format.ts';
import type { BesideFigures } from './beside.ts';
import { FigureCell } from './FigureCell.tsx';
import table from './MarkbookTable.module.css';
import { TotalCell } from './TotalCell.tsx';
import type { Column, MarkbookStudent, MarkbookTest } from './view.ts';
import { changedSince, FORGOTTEN, isText, noteOf } from './view.ts';
import styles from './PaperBook.module.css';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

type PaperBookProps = {
  readonly markbook: Markbook;
  readonly students: readonly MarkbookStudent[];
  readonly columns: readonly Column[];
  readonly beside: ReadonlyMap<string, BesideFigures> | undefined;
};

/** The markbook on paper: every student that matches, and what is wider than a page on further pages, with the names again. */
export const PaperBook = ({ markbook, students, columns, beside }: PaperBookProps) => {
  const { tests, sets, scores } = markbook;
  const setNames = new Map(sets.map(({ setId, name }) => [setId, name]));
  const sheets = sheetsOf(columns, tests);
  const changed = changedSince(markbook);
  return (
    <div className={styles.paper}>
      {sheets.map((sheet, index) => (
        <table key={index} className={`${table.table} ${styles.sheet}`}>
          {sheets.length > 1 && (
            <caption className="tiny muted">
              {counted(students.length, 'student')}, sheet {index + 1} of {sheets.length}
            </caption>
          )}
          <colgroup>
            <col style={{ width: widths.name }} />
            <col style={{ width: widths.set }} />
            {sheet.columns.map((column) => (
              <col key={column.of} style={{ width: widths.of(column) }} />
            ))}
            {sheet.tests.map(({ test }) => (
              <col key={test.testId} style={{ width: widths.test }} />
            ))}
          </colgroup>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Set</th>
              {sheet.columns.map((column) => (
                <Head key={column.of} label={column.label} {...noteOf(column, markbook)} isText={isText(column)} />
              ))}
              {sheet.tests.map(({ test: { testId, name, max } }) => (
                <Head key={testId} label={name} note={max === null ? 'no questions' : `of ${max}`} />
              ))}
            </tr>
          </thead>
          <tbody>
            {students.map((student) => (
              <tr key={student.studentId}>
                <th scope="row">{student.name ?? <i>{FORGOTTEN}</i>}</th>
                <td>{setNames.get(student.setId)}</td>
                {sheet.columns.map(({ of }) => (
                  <FigureCell
                    key={of}
                    of={of}
                    {...STILL}
                    student={student}
                    figures={beside?.get(student.studentId)}
                    scores={scores}
                    isChanged={changed.has(student.studentId)}
                  />
                ))}
                {sheet.tests.map(({ test, at }) => (
                  <TotalCell
                    key={test.testId}
                    {...STILL}
                    test={test}
                    studentId={student.studentId}
                    total={student.totals[at]}
                    open={nothing}
                  />
                ))}
              </tr>
            ))}
          </tbody>
          {sheet.tests.length > 0 && (
            <tfoot>
              <FootRow label="Mean" sheet={sheet} of={({ mean }) => (mean === null ? '' : oneDecimal(mean))} />
              {tests.some(({ open }) => open) && <FootRow label="Not settled" sheet={sheet} of={({ open }) => openText(open)} />}
              <FootRow label="SD" sheet={sheet} of={({ sd }) => (sd === null ? '' : oneDecimal(sd))} />
            </tfoot>
          )}
        </table>
      ))}
    </div>
  );
};

const nothing = (): void => undefined;
/** On paper nothing opens. */
const STILL = { row: -1, column: -1, tabIndex: -1, explain: undefined } as const;

type HeadProps = { readonly label: string; readonly note?: string; readonly isText?: boolean };

const Head = ({ label, note, isText = false }: HeadProps) => (
  <th scope="col" className={isText ? undefined : 'figure'}>
    {label}
    {note !== undefined && <small className="muted">{note}</small>}
  </th>
);

type FootRowProps = { readonly label: string; readonly sheet: Sheet; readonly of: (test: MarkbookTest) => string };

/** Of the year group, as below the table on the screen. */
const FootRow = ({ label, sheet, of }: FootRowProps) => (
  <tr>
    <th scope="row" colSpan={2 + sheet.columns.length}>
      {label} of the year group
    </th>
    {sheet.tests.map(({ test }) => (
      <td key={test.testId} className="figure">
        {of(test)}
      </td>
    ))}
  </tr>
);

/** What stands side by side on a page; `at`: the place of the test among all of them. */
export type Sheet = {
  readonly columns: readonly Column[];
  readonly tests: readonly { readonly test: MarkbookTest; readonly at: number }[];
};

/** px */
export const widths = { name: 160, set: 60, test: 104, of: ({ of }: Column): number => (of === 'class' ? 140 : 64) } as const;

/** Of the narrower of A4 and Letter, lying on its side. */
const WIDTH = 970;

/** The ranking stands on the first sheet, and on each as many tests as there is room for. */
export const sheetsOf = (columns: readonly Column[], tests: readonly MarkbookTest[]): readonly Sheet[] => {
  const room = (beside: readonly Column[]): number =>
    Math.max(0, Math.floor((WIDTH - beside.reduce((sum, column) => sum + widths.of(column), widths.name + widths.set)) / widths.test));
  const all = tests.map((test, at) => ({ test, at }));
  const [first, each] = [room(columns), room([])];
  const further = Array.from({ length: Math.ceil(Math.max(0, all.length - first) / each) }, (_, index) => ({
    columns: [],
    tests: all.slice(first + index * each, first + (index + 1) * each),
  }));
  return [{ columns, tests: all.slice(0, first) }, ...further];
};

/** While the page is put on paper: the browser waits for what is drawn for that. */
export const useIsPrinting = (): boolean => {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
};
