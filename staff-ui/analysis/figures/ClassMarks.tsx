import type { Away } from '#api/contract/attendance';
import { AWAYS } from '#api/contract/attendance';
import type { Flag } from '#api/contract/flags';
import { FLAGS, markFlags } from '#api/contract/flags';
import { studentsToldApart } from '#api/contract/names';
import type { Sheet, SheetStudent } from '#api/marks/sheet.contract';
import type { ComponentProps } from 'react';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { counted, fourDecimals } from '../../format.ts';
import { useSheetQuery } from '../../queries.ts';
import styles from './Explanations.module.css';
import type { Fact } from './Facts.tsx';
import { Facts, leftOutText, meanText, useAsOfText, WHY } from './Facts.tsx';
import { MarksTable } from './MarksTable.tsx';

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
          cell={{ testId, questionId }}
          mark={`mark of question ${question.number}`}
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
      return (
        <Marks
          sheet={sheet}
          setId={of.setId}
          rows={rows}
          head={sheet.max === null ? 'Total' : `Total of ${sheet.max}`}
          blank="no total"
          cell={{ testId: of.testId }}
          mark="total"
          facts={[
            ['Test', sheet.name],
            ['Mean', meanText(totals, sheet.max) ?? 'no totals yet'],
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

type MarksProps = Pick<ComponentProps<typeof MarksTable>, 'head' | 'cell' | 'mark'> & {
  readonly sheet: Sheet;
  readonly setId: string;
  readonly rows: readonly Row[];
  readonly blank: string;
  readonly facts: readonly Fact[];
  readonly whys: readonly NonNullable<Row['out']>[];
};

const Marks = ({ sheet, setId, rows, blank, facts, whys, ...table }: MarksProps) => {
  const asOf = useAsOfText('sheet', { setId, testId: sheet.testId });
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
          asOf,
        ]}
      />
      <MarksTable
        {...table}
        label={`Marks behind it: ${sheet.name}`}
        test={sheet.name}
        rows={inOrder.map(({ student: { studentId, name }, value, flags, out }) => ({
          studentId,
          name,
          value,
          isOut: out !== undefined,
          note: (
            <>
              {flags.map((flag) => (
                <span key={flag} className={`small strong ${styles.flag}`}>
                  {FLAGS[flag].short}
                  {flag !== 'above-maximum' && ': open it to decide'}
                </span>
              ))}
              {out ? WHY[out] : value === null && blank}
            </>
          ),
        }))}
      />
    </>
  );
};
