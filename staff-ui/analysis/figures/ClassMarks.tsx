import type { Away } from '#api/contract/attendance';
import { AWAYS } from '#api/contract/attendance';
import type { Flag } from '#api/contract/flags';
import { FLAGS, markFlags } from '#api/contract/flags';
import { studentsToldApart } from '#api/contract/names';
import type { Sheet, SheetStudent } from '#api/marks/sheet.contract';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { counted, fourDecimals } from '../../format.ts';
import type { CellOf } from '../../queries.ts';
import { useSheetQuery } from '../../queries.ts';
import styles from './Explanations.module.css';
import { useExplain } from './Explanations.tsx';
import { Facts, leftOutText, useStand } from './Facts.tsx';
import { markExplained } from './mark-explained.tsx';

type Of = { readonly setId: string; readonly testId: string };
type Row = {
  readonly student: SheetStudent;
  readonly value: number | null;
  readonly flags: readonly Flag[];
  /** Why it is not in the figure. */
  readonly out: Away | 'no-marks' | 'no-total' | undefined;
};

/** The marks of a class in a question, those that are to be decided first; each opens who entered it. */
export const ClassQuestion = ({ setId, testId, questionId }: Of & { readonly questionId: string }) => (
  <OfSheet setId={setId} testId={testId}>
    {(sheet) => {
      const column = sheet.questions.findIndex((one) => one.questionId === questionId);
      const question = sheet.questions[column];
      if (!question) return <Gone what="question" />;
      const rows = sheet.students.map((student) => markRow(student, column, question.max));
      const counting = rows.filter(({ out }) => out === undefined);
      const sum = counting.reduce((all, { value }) => all + (value ?? 0), 0);
      return (
        <Marks
          sheet={sheet}
          setId={setId}
          rows={rows}
          head={`Mark of ${question.max}`}
          blank="left out: counts 0"
          cellOf={({ studentId }) => ({ testId, studentId, questionId })}
          label={`mark of question ${question.number}`}
          facts={[
            ['Test', sheet.name],
            ['Question', `${question.number} ${question.topic}, of ${question.max}`],
            [
              'Figure',
              counting.length === 0
                ? 'nobody has a mark yet'
                : `${sum} marks of ${counting.length} of ${counted(rows.length, 'student')} ÷ (${counting.length} × ${question.max}) = ${fourDecimals(sum / counting.length / question.max)}`,
            ],
          ]}
          whys={[...AWAYS, 'no-marks']}
        />
      );
    }}
  </OfSheet>
);

/** The totals of a class in a test. */
export const ClassTotals = (of: Of) => (
  <OfSheet {...of}>
    {(sheet) => {
      const rows = sheet.students.map((student) => totalRow(student));
      const totals = rows.flatMap(({ out, value }) => (out === undefined && value !== null ? [value] : []));
      const sum = totals.reduce((all, total) => all + total, 0);
      return (
        <Marks
          sheet={sheet}
          setId={of.setId}
          rows={rows}
          head={sheet.max === null ? 'Total' : `Total of ${sheet.max}`}
          blank="no total"
          cellOf={({ studentId }) => ({ testId: of.testId, studentId })}
          label="total"
          facts={[
            ['Test', sheet.name],
            [
              'Mean',
              totals.length === 0 || !sheet.max
                ? 'no totals yet'
                : `${sum} ÷ ${totals.length} = ${fourDecimals(sum / totals.length)} of ${sheet.max}: ${fourDecimals((100 * sum) / totals.length / sheet.max)} %`,
            ],
          ]}
          whys={[...AWAYS, 'no-total']}
        />
      );
    }}
  </OfSheet>
);

const markRow = (student: SheetStudent, column: number, max: number): Row => {
  const cell = student.cells[column];
  const value = cell?.value ?? null;
  const out = student.attendance.value === 'sat' ? (student.effective.count === 0 ? 'no-marks' : undefined) : student.attendance.value;
  const away = student.flags?.includes('contested-attendance') ? (['contested-attendance'] as const) : [];
  return { student, value, flags: [...markFlags({ mark: value, max, isContested: cell?.values !== undefined }), ...away], out };
};

const totalRow = (student: SheetStudent): Row => {
  const value = student.staffTotal;
  const out = student.attendance.value === 'sat' ? (value === null ? 'no-total' : undefined) : student.attendance.value;
  return { student, value, flags: student.flags ?? [], out };
};

type OfSheetProps = Of & { readonly children: (sheet: Sheet) => React.ReactNode };

const OfSheet = ({ setId, testId, children }: OfSheetProps) => {
  const sheet = useSheetQuery({ setId, testId });
  if (sheet.error) return <Failure error={sheet.error} retry={() => void sheet.refetch()} />;
  if (!sheet.data) return <Skeleton rows={8} label="Loading the marks" />;
  return children(studentsToldApart(sheet.data));
};

export const Gone = ({ what }: { readonly what: string }) => (
  <Notice tone="warn" title={`This ${what} is not there any more.`}>
    <p>It was deleted while this was open. Its marks are kept, and come back with it.</p>
  </Notice>
);

type MarksProps = {
  readonly sheet: Sheet;
  readonly setId: string;
  readonly rows: readonly Row[];
  readonly head: string;
  readonly blank: string;
  readonly cellOf: (student: SheetStudent) => CellOf;
  readonly label: string;
  readonly facts: readonly (readonly [string, React.ReactNode])[];
  readonly whys: readonly NonNullable<Row['out']>[];
};

const Marks = ({ sheet, setId, rows, head, blank, cellOf, label, facts, whys }: MarksProps) => {
  const explain = useExplain();
  const stand = useStand('sheet', { setId, testId: sheet.testId });
  const leftOut = rows.flatMap(({ student: { name }, out }) => (out === undefined ? [] : [{ name, why: out }]));
  const isOpen = ({ flags }: Row): boolean => flags.length > 0;
  const inOrder = [...rows.filter(isOpen), ...rows.filter((row) => !isOpen(row))];
  return (
    <>
      <Facts
        facts={[
          ...facts,
          ['Class', `${sheet.sets.map(({ name }) => name).join(', ')}, ${counted(rows.length, 'student')}`],
          ['Left out', leftOutText(leftOut, whys)],
          stand,
        ]}
      />
      <Table label={`Marks behind it: ${sheet.name}`}>
        <thead>
          <tr>
            <th scope="col">Student</th>
            <th scope="col" className={styles.number}>
              {head}
            </th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
          {inOrder.map((row) => {
            const name = row.student.name ?? 'Forgotten student';
            return (
              <tr key={row.student.studentId} data-out={row.out && true}>
                <th scope="row">{name}</th>
                <td className={styles.number}>
                  <button
                    type="button"
                    className={styles.link}
                    aria-label={`${row.value ?? 'Nothing'}: who entered it, ${name}`}
                    onClick={() => explain(markExplained(cellOf(row.student), `${name} – ${label}, ${sheet.name}`, label))}
                  >
                    {row.value ?? '–'}
                  </button>
                </td>
                <td className={styles.wrapped}>
                  {row.flags.map((flag) => (
                    <span key={flag} className={styles.flag}>
                      {FLAGS[flag].short}
                      {flag !== 'above-maximum' && ': open it to decide'}
                    </span>
                  ))}
                  {row.out ? leftOutText([{ name: '', why: row.out }], [row.out]).replace(/: $/u, '') : row.value === null && blank}
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </>
  );
};
