import { AWAY_WORDS, isAway } from '#api/contract/attendance';
import { flagsShort, withSigns } from '#api/contract/flags';
import type { Sheet, SheetStudent } from '#api/marks/sheet.contract';
import type { RowHead } from '../../grid/view.ts';
import type { Kind } from './cells.ts';
import { valueWords } from './cells.ts';
import type { SheetRow } from './sheet-rows.ts';

/** The name of a student in a sheet, who may have been forgotten. */
export const nameIn = ({ students }: Pick<Sheet, 'students'>, row: number): string => students[row]?.name ?? 'Forgotten student';

/** What stands beside a student's cells: who it is, whether they sat it, and how their marks add up. */
export const headOf = (sheet: Sheet, at: number, row: SheetRow, kind: Kind, isAwayContested: boolean): RowHead => {
  const student = sheet.students[at];
  return {
    id: row.studentId,
    name: nameIn(sheet, at),
    title: student?.admissionNo ?? undefined,
    sign: isAwayContested
      ? { text: '?', words: `attendance: ${student?.attendance.values?.map(valueWords).join(' or ')}`, isContested: true }
      : signOf(row),
    tail: kind === 'marks' ? marksTail(row, student?.total?.value ?? undefined, student?.flags) : totalTail(student),
  };
};

const signOf = ({ attendance }: SheetRow): RowHead['sign'] =>
  isAway(attendance) ? { text: AWAY_WORDS[attendance].sign, words: attendance } : undefined;

/** The sum of the row beside the total that staff have entered, and the difference. Of who is absent or exempt neither counts. */
const marksTail = (row: SheetRow, total: number | undefined, flags: SheetStudent['flags']): RowHead['tail'] => {
  const { sum, count, marks } = row;
  if (isAway(row.attendance)) {
    const struck = (text: string) => (text === '' ? { text } : { text, tone: 'struck' as const, words: 'does not count' });
    return [struck(count === 0 ? '' : String(sum)), struck(total === undefined ? '' : String(total)), { text: '' }];
  }
  const isDone = count === marks.length;
  const difference = total === undefined || count === 0 ? undefined : sum - total;
  return [
    count === 0
      ? { text: '' }
      : { text: String(sum), tone: isDone ? undefined : 'quiet', words: isDone ? undefined : `of ${count} of ${marks.length} questions` },
    total === undefined
      ? { text: '', tone: 'quiet' }
      : { text: withSigns(String(total), flags), tone: 'quiet', words: flags && flagsShort(flags) },
    difference === undefined
      ? { text: '' }
      : { text: difference === 0 ? '=' : `${difference > 0 ? '+' : '−'}${Math.abs(difference)}`, tone: difference === 0 ? 'quiet' : 'bad' },
  ];
};

/** The sum of the question marks, which stands in for a total. */
const totalTail = (student: SheetStudent | undefined): RowHead['tail'] => [
  student && student.marks.count > 0 ? { text: String(student.marks.sum), tone: 'quiet' } : { text: '' },
];
