import type { QuestionStudents as Answer } from '#api/analysis/tests.contract';
import { studentsToldApart } from '#api/contract/names';
import { useState } from 'react';
import { useQuestion } from '../../../ui/api/ApiProvider.tsx';
import { Chips } from '../../../ui/controls/Chips.tsx';
import { Failure } from '../../../ui/feedback/Failure.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { useMoment } from '../../moment.ts';
import { counted, fourDecimals } from '../../format.ts';
import explained from '../figures/Explanations.module.css';
import { Facts, useAsOfText } from '../figures/Facts.tsx';
import { MarksTable } from '../figures/MarksTable.tsx';
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
  const asOfText = useAsOfText('question-students', ask);
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
          asOfText,
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
      <p className="small muted">
        {shown === 'all'
          ? 'Those furthest below what they got in the other questions come first.'
          : 'Less than half of the marks here, and in the upper third of these students in the other questions.'}
      </p>
      <MarksTable
        label={`Students, question ${number}`}
        head={`Mark of ${max}`}
        columns={[{ name: 'Other questions', isNumber: true }]}
        rows={(shown === 'all' ? inOrder : strong).map(({ studentId, name, mark, rest, open }) => ({
          studentId,
          name,
          value: mark,
          cells: [rest === null ? '–' : percent(rest)],
          note: (
            <>
              {open && <span className={`small strong ${explained.flag}`}>not settled: open it to decide</span>}
              {mark === null && 'left out: counts 0'}
            </>
          ),
        }))}
        test={test}
        mark={`mark of question ${number}`}
        title={`question ${number}`}
        cell={{ testId, questionId: row.questionId }}
      />
    </>
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
