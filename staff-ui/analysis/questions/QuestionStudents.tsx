import type { QuestionStudents as Answer } from '#api/analysis/tests.contract';
import { studentsToldApart } from '#api/contract/names';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Chips } from '../../../ui/controls/Chips.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Table } from '../../../ui/table/Table.tsx';
import { useMoment } from '../../as-of/useMoment.ts';
import { counted, fourDecimals } from '../../format.ts';
import explained from '../figures/Explanations.module.css';
import { useExplain } from '../figures/Explanations.tsx';
import { Facts, useStand } from '../figures/Facts.tsx';
import { OneMark } from '../figures/OneMark.tsx';
import type { CellOf } from '../../queries.ts';
import type { Group, Row } from './rows.ts';
import { percent, readingOf, studentsText } from './rows.ts';

type QuestionStudentsProps = {
  readonly testId: string;
  readonly test: string;
  readonly of: { readonly setId: string } | { readonly yearGroupId: string };
  readonly group: Group;
  readonly row: Row;
};
type Student = Answer['students'][number];

/** How the figures of a question came about, and who got which mark; each mark opens who entered it. */
export const QuestionStudents = ({ testId, test, of, group, row }: QuestionStudentsProps) => {
  const ask = { testId, questionId: row.questionId, ...of };
  const answer = useQuestion('question-students', ask, useMoment().asOf, studentsToldApart);
  const stand = useStand('question-students', ask);
  const [shown, setShown] = useState('all');
  if (answer.error && !answer.data) return <Failure error={answer.error} retry={() => void answer.refetch()} />;
  if (!answer.data) return <Skeleton rows={8} label="Loading the students" />;
  const { students, max, number } = answer.data;
  const strong = strongElsewhere(students, max);
  const inOrder = students.toSorted((a, b) => gapOf(b, max) - gapOf(a, max));
  return (
    <>
      <Facts
        facts={[
          ['Test', test],
          ['Question', `${row.number} ${row.topic}, of ${max}`],
          ['Students', `${group.name}: marks of ${studentsText(group.figures)}`],
          ['Facility', facilityText(students, max)],
          ['Discrimination', discriminationText(row, group)],
          ['No marks, full marks', row.of ? `${percent(row.of.zero)}, ${percent(row.of.full)}` : 'none'],
          ['Left out', leftOutText(group)],
          stand,
        ]}
      />
      <Chips
        label="Which students"
        items={[
          { id: 'all', name: 'All', note: String(students.length) },
          { id: 'strong', name: 'Wrong, but strong elsewhere', note: String(strong.length) },
        ]}
        chosen={shown}
        onChoose={setShown}
      />
      <p className={explained.note}>
        {shown === 'all'
          ? 'Furthest below what they got in the other questions first.'
          : 'Less than half of the marks here, and in the upper third of these students in the other questions.'}
      </p>
      <Table label={`Students, question ${number}`}>
        <thead>
          <tr>
            <th scope="col">Student</th>
            <th scope="col" className={explained.number}>
              Mark of {max}
            </th>
            <th scope="col" className={explained.number}>
              Other questions
            </th>
            <th scope="col">Note</th>
          </tr>
        </thead>
        <tbody>
          {(shown === 'all' ? inOrder : strong).map((student) => (
            <StudentRow
              key={student.studentId}
              student={student}
              cell={{ testId, studentId: student.studentId, questionId: row.questionId }}
              label={`question ${number}`}
              test={test}
            />
          ))}
        </tbody>
      </Table>
    </>
  );
};

type StudentRowProps = { readonly student: Student; readonly cell: CellOf; readonly label: string; readonly test: string };

const StudentRow = ({ student: { studentId, name, mark, rest, open }, cell, label, test }: StudentRowProps) => {
  const explain = useExplain();
  const shown = name ?? 'Forgotten student';
  const act = () =>
    explain({
      id: `mark ${studentId}`,
      title: `${shown} – ${label}, ${test}`,
      body: <OneMark cell={cell} label={`mark of ${label}`} />,
    });
  return (
    <tr>
      <th scope="row">{shown}</th>
      <td className={explained.number}>
        <button type="button" className={explained.link} aria-label={`${mark ?? 'Nothing'}: who entered it, ${shown}`} onClick={act}>
          {mark ?? '–'}
        </button>
      </td>
      <td className={explained.number}>{rest === null ? '–' : percent(rest)}</td>
      <td className={explained.wrapped}>
        {open && <span className={explained.flag}>not settled: open it to decide</span>}
        {mark === null && 'left out: counts 0'}
      </td>
    </tr>
  );
};

/** How much better somebody did in the other questions, of 1. */
const gapOf = ({ mark, rest }: Student, max: number): number => (rest ?? 0) - (mark ?? 0) / max;

const strongElsewhere = (students: readonly Student[], max: number): readonly Student[] => {
  const rests = students.map(({ rest }) => rest ?? 0).toSorted((a, b) => b - a);
  const least = rests[Math.max(0, Math.ceil(rests.length / 3) - 1)] ?? 0;
  return students
    .filter(({ mark, rest }) => 2 * (mark ?? 0) < max && rest !== null && rest > 0 && rest >= least)
    .toSorted((a, b) => (b.rest ?? 0) - (a.rest ?? 0));
};

const facilityText = (students: readonly Student[], max: number): string => {
  if (students.length === 0) return 'nobody has a mark yet';
  const sum = students.reduce((all, { mark }) => all + (mark ?? 0), 0);
  return `${sum} marks of ${counted(students.length, 'student')} ÷ (${students.length} × ${max}) = ${fourDecimals(sum / students.length / max)}`;
};

const discriminationText = ({ of }: Row, { figures }: Group): string => {
  if (!of || of.discrimination === null)
    return figures.evidence === 'none' ? 'not shown: fewer than 10 students' : 'none: all have the same mark here, or in the rest';
  const few = figures.evidence === 'weak' ? ', of fewer than 20 students' : '';
  return `${fourDecimals(of.discrimination)}${few}: ${readingOf(of.discrimination)} (correlation with the rest of the test)`;
};

/** '2 absent, 1 exempt, 3 without marks' */
export const leftOutText = ({ figures: { leftOut } }: Group): string =>
  [
    leftOut.absent > 0 && `${leftOut.absent} absent`,
    leftOut.exempt > 0 && `${leftOut.exempt} exempt`,
    leftOut.noMarks > 0 && `${leftOut.noMarks} without marks`,
  ]
    .filter(Boolean)
    .join(', ') || 'nobody';
