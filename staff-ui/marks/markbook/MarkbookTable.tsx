import { spreadOf } from '#api/marks/markbook-view.formula';
import type { Markbook } from '#api/marks/marks.contract';
import { useMemo } from 'react';
import { useSession } from '../../../ui/session/Session.tsx';
import { SortHead } from '../../../ui/table/SortHead.tsx';
import type { BesideFigures } from './beside.ts';
import { FigureCell } from './FigureCell.tsx';
import { Foot } from './Foot.tsx';
import styles from './MarkbookTable.module.css';
import { TotalCell } from './TotalCell.tsx';
import { useRoving } from './useRoving.ts';
import type { useView } from './useView.ts';
import type { Column, MarkbookStudent, OpenCell, View } from './view.ts';
import { changedSince, FORGOTTEN, isBeside, isText, noteOf } from './view.ts';

type MarkbookTableProps = {
  readonly markbook: Markbook;
  readonly students: readonly MarkbookStudent[];
  /** All matching students, for the distribution at the foot. */
  readonly filtered: readonly MarkbookStudent[];
  readonly view: View;
  readonly columns: readonly Column[];
  /** What stands beside the residual, by student; undefined: it is not shown, or not there yet. */
  readonly beside: ReadonlyMap<string, BesideFigures> | undefined;
  readonly sortBy: (column: string) => void;
  readonly filter: ReturnType<typeof useView>['filter'];
  readonly open: (cell: OpenCell) => void;
  /** Opens how a score came about. Left out: no score is explained. */
  readonly explain?: (student: MarkbookStudent) => void;
  /** Totals to point at: `<student> <test>`. */
  readonly marked?: ReadonlySet<string>;
  readonly turnPage: (by: 1 | -1) => void;
};

/** A grid with one tab stop: arrow keys move, Enter opens a total's history, or how a score came about, Page Up and Page Down turn the page. */
export const MarkbookTable = (props: MarkbookTableProps) => {
  const { markbook, students, filtered, view, columns, beside, sortBy, filter, open, explain, marked, turnPage } = props;
  const { tests, sets } = markbook;
  const { of: count, spread } = markbook.rows ?? { of: filtered.length, spread: spreadOf(filtered, tests) };
  const fixed = 2 + columns.length;
  const setNames = new Map(sets.map(({ setId, name }) => [setId, name]));
  const changed = useMemo(() => changedSince(markbook), [markbook]);
  const { me } = useSession();
  /** Teachers see how the scores of their own classes came about. */
  const explainedSets = new Set(sets.flatMap(({ setId, mayWrite }) => (mayWrite || me.role !== 'teacher' ? setId : [])));
  const isExplained = ({ score, setId }: MarkbookStudent) => explain !== undefined && score !== undefined && explainedSets.has(setId);
  const { at, body, onKeyDown, onFocus } = useRoving(
    { rows: students.length, columns: fixed + tests.length },
    fixed,
    ({ row, column }) => {
      const [student, test] = [students[row], tests[column - fixed]];
      if (student && test) open({ studentId: student.studentId, testId: test.testId });
      else if (student && isExplained(student) && opensScore(columns[column - 2]?.of)) explain?.(student);
    },
    turnPage,
  );
  const stop = (row: number, column: number) => (at.row === row && at.column === column ? 0 : -1);
  const direction = (column: string) => (view.sort === column ? view.direction : undefined);
  return (
    <div className={`box ${styles.scroll}`}>
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a grid by the ARIA pattern
        role="grid"
        className={styles.table}
        data-beside={columns.some(({ of }) => isBeside(of)) || undefined}
        data-unranked={(!markbook.ranked && !markbook.priorExam) || undefined}
        aria-label={`Markbook of year ${markbook.year}, ${markbook.subject.name}`}
        aria-rowcount={count + 1}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      >
        <thead>
          <tr>
            <SortHead className={styles.name} direction={direction('name')} label="Name" onSort={() => sortBy('name')} />
            <SortHead className={styles.set} direction={direction('set')} label="Set" onSort={() => sortBy('set')} />
            {columns.map((column) => (
              <SortHead
                key={column.of}
                className={styles.result}
                numeric={!isText(column)}
                label={column.label}
                {...noteOf(column, markbook)}
                direction={direction(column.of)}
                onSort={() => sortBy(column.of)}
              />
            ))}
            {tests.map(({ testId, name, max }) => (
              <SortHead
                key={testId}
                className={styles.test}
                numeric
                label={name}
                note={max === null ? 'no questions' : `of ${max}`}
                direction={direction(testId)}
                onSort={() => sortBy(testId)}
              />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {students.map((student, row) => (
            <tr key={student.studentId}>
              <th
                scope="row"
                className={styles.name}
                data-row={row}
                data-column={0}
                tabIndex={stop(row, 0)}
                title={student.admissionNo ?? undefined}
              >
                {student.name ?? <i>{FORGOTTEN}</i>}
              </th>
              <td className={styles.set} data-row={row} data-column={1} tabIndex={stop(row, 1)}>
                {setNames.get(student.setId)}
              </td>
              {columns.map(({ of }, place) => (
                <FigureCell
                  key={of}
                  of={of}
                  row={row}
                  column={place + 2}
                  tabIndex={stop(row, place + 2)}
                  student={student}
                  figures={beside?.get(student.studentId)}
                  scores={markbook.scores}
                  isChanged={changed.has(student.studentId)}
                  explain={opensScore(of) && isExplained(student) ? explain : undefined}
                />
              ))}
              {tests.map((test, column) => (
                <TotalCell
                  key={test.testId}
                  row={row}
                  column={column + fixed}
                  tabIndex={stop(row, column + fixed)}
                  test={test}
                  studentId={student.studentId}
                  total={student.totals[column]}
                  isMarked={marked?.has(`${student.studentId} ${test.testId}`)}
                  open={open}
                />
              ))}
            </tr>
          ))}
        </tbody>
        <Foot
          tests={tests}
          columns={columns}
          scores={markbook.scores}
          spread={spread}
          only={view.only}
          filter={filter}
          isBrief={marked !== undefined}
        />
      </table>
    </div>
  );
};

/** What Enter, or a click, leads from to how a score came about. */
const opensScore = (of: Column['of'] | undefined): boolean => of !== undefined && (of === 'score' || isBeside(of));
