import type { Markbook } from '#api/marks/marks.contract';
import { useSession } from '../../../ui/session/Session.tsx';
import { SortHead } from '../../../ui/table/SortHead.tsx';
import { Foot } from './Foot.tsx';
import styles from './MarkbookTable.module.css';
import { ResultCell } from './ResultCell.tsx';
import { TotalCell } from './TotalCell.tsx';
import { useRoving } from './useRoving.ts';
import type { useView } from './useView.ts';
import type { MarkbookStudent, OpenCell, View } from './view.ts';
import { FORGOTTEN, results } from './view.ts';

type MarkbookTableProps = {
  readonly markbook: Markbook;
  /** The students of the current page. */
  readonly students: readonly MarkbookStudent[];
  /** All matching students, for the distribution at the foot. */
  readonly filtered: readonly MarkbookStudent[];
  readonly view: View;
  readonly sortBy: (column: string) => void;
  readonly filter: ReturnType<typeof useView>['filter'];
  readonly open: (cell: OpenCell) => void;
  /** Opens how a score came about. */
  readonly explain: (student: MarkbookStudent) => void;
  readonly turnPage: (by: 1 | -1) => void;
};

/** Columns before the tests: name, set, and what the ranking says. */
const FIXED = 2 + results.length;
const SCORE = 2 + results.findIndex(({ of }) => of === 'score');

/** A grid with one tab stop: arrow keys move, Enter opens a total's history, or how a score came about, Page Up and Page Down turn the page. */
export const MarkbookTable = ({ markbook, students, filtered, view, sortBy, filter, open, explain, turnPage }: MarkbookTableProps) => {
  const { tests, sets } = markbook;
  const setNames = new Map(sets.map(({ setId, name }) => [setId, name]));
  const { me } = useSession();
  /** Teachers are told of the scores of their own classes. */
  const told = new Set(sets.flatMap(({ setId, mayWrite }) => (mayWrite || me.role !== 'teacher' ? setId : [])));
  const isExplained = ({ score, setId }: MarkbookStudent) => score !== undefined && told.has(setId);
  const { at, body, onKeyDown, onFocus } = useRoving(
    { rows: students.length, columns: FIXED + tests.length },
    FIXED,
    ({ row, column }) => {
      const [student, test] = [students[row], tests[column - FIXED]];
      if (student && test) open({ studentId: student.studentId, testId: test.testId });
      else if (student && column === SCORE && isExplained(student)) explain(student);
    },
    turnPage,
  );
  const stop = (row: number, column: number) => (at.row === row && at.column === column ? 0 : -1);
  const direction = (column: string) => (view.sort === column ? view.direction : undefined);
  return (
    <div className={styles.scroll}>
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a grid by the ARIA pattern
        role="grid"
        className={styles.table}
        data-unranked={(!markbook.ranked && !markbook.priorExam) || undefined}
        aria-label={`Markbook of year ${markbook.year}, ${markbook.subject.name}`}
        aria-rowcount={filtered.length + 1}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      >
        <thead>
          <tr>
            <SortHead className={styles.name} direction={direction('name')} label="Name" onSort={() => sortBy('name')} />
            <SortHead className={styles.set} direction={direction('set')} label="Set" onSort={() => sortBy('set')} />
            {results.map(({ of, label }) => (
              <SortHead
                key={of}
                className={styles.result}
                numeric={of !== 'prior' && of !== 'grade'}
                label={label}
                {...(of === 'prior' && markbook.priorExam && { note: markbook.priorExam.name })}
                direction={direction(of)}
                onSort={() => sortBy(of)}
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
              {results.map(({ of }, column) => (
                <ResultCell
                  key={of}
                  of={of}
                  row={row}
                  column={column + 2}
                  tabIndex={stop(row, column + 2)}
                  student={student}
                  scores={markbook.scores}
                  explain={of === 'score' && isExplained(student) ? explain : undefined}
                />
              ))}
              {tests.map((test, column) => (
                <TotalCell
                  key={test.testId}
                  row={row}
                  column={column + FIXED}
                  tabIndex={stop(row, column + FIXED)}
                  test={test}
                  studentId={student.studentId}
                  total={student.totals[column]}
                  open={open}
                />
              ))}
            </tr>
          ))}
        </tbody>
        <Foot tests={tests} scores={markbook.scores} students={filtered} only={view.only} filter={filter} />
      </table>
    </div>
  );
};
