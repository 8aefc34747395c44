import { AWAY_WORDS, isAway } from '#api/contract/attendance';
import { flagsShort } from '#api/contract/flags';
import { toldApart } from '#api/contract/names';
import type { Sheet, SheetStudent } from '#api/marks/sheet.contract';
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx';
import { Table } from '../../../ui/table/Table.tsx';

/** The question marks of a class at an earlier moment: for reading, without what is typed since. */
export const PastSheet = ({ sheet }: { readonly sheet: Sheet }) => {
  const { name, questions } = sheet;
  const students = toldApart(sheet.students);
  if (students.length === 0 || questions.length === 0)
    return (
      <EmptyState title="There were no marks here yet">
        {students.length === 0 ? 'Nobody was in this class at that moment.' : 'The assessment had no questions at that moment.'}
      </EmptyState>
    );
  return (
    <Table label={`Marks of ${name} at that moment`}>
      <thead>
        <tr>
          <th scope="col">Student</th>
          {questions.map(({ questionId, number, topic, max }) => (
            <th key={questionId} scope="col" className="figure" title={`${topic}, of ${max}`}>
              Q{number}
            </th>
          ))}
          <th scope="col" className="figure">
            Total
          </th>
          <th scope="col" className="figure">
            Teacher’s total
          </th>
        </tr>
      </thead>
      <tbody>
        {students.map((student) => (
          <tr key={student.studentId}>
            <th scope="row">{student.name ?? 'Forgotten student'}</th>
            {questions.map(({ questionId }, column) => (
              <td key={questionId} className="figure">
                {markText(student, column)}
              </td>
            ))}
            <td className="figure">{student.effective.count > 0 ? student.effective.sum : ''}</td>
            <td className="figure">{totalText(student)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
};

const markText = ({ cells }: SheetStudent, column: number): string => {
  const cell = cells[column];
  return cell?.values && cell.values.length > 1 ? `${cell.value ?? ''} (several values)` : String(cell?.value ?? '');
};

const totalText = ({ attendance: { value }, staffTotal, flags }: SheetStudent): string =>
  `${isAway(value) ? AWAY_WORDS[value].sign : (staffTotal ?? '')}${flags ? ` (${flagsShort(flags)})` : ''}`;
