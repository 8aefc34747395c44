import { counted } from '../../format.ts';
import type { SheetKey } from '../../../ui/marks/mark-drafts.ts';
import { cellIn, isSameSheet, sawOf } from '../../../ui/marks/mark-drafts.ts';
import type { Statement } from '../../../ui/marks/page-saves.ts';
import type { Progress } from './model/sheet-rows.ts';

/** What a submission has stored: marks or totals, those among them that were taken out, and of how many students whether they sat it. */
type Stored = { readonly stored: number; readonly removed: number; readonly attendances: number };

/** What of these changes, by cell of any sheet, is of one sheet of marks. */
export const storedIn = (changes: ReadonlyMap<string, Statement>, sheetKey: SheetKey): Stored => {
  const sum = { stored: 0, removed: 0, attendances: 0 };
  for (const [key, { value, saw }] of changes) {
    const cell = cellIn(key);
    if (!cell || !isSameSheet(cell.sheetKey, sheetKey)) continue;
    if (cell.kind === 'attendance') sum.attendances++;
    else if (sawOf(value) !== '') sum.stored++;
    else if (saw !== '') sum.removed++;
  }
  return sum;
};

/** '3 marks stored; 28 students have no mark yet': beneath the words of success. */
export const submittedWords = (noun: 'mark' | 'total', { stored, removed, attendances }: Stored, { done, begun, of }: Progress): string => {
  const changes = [
    stored > 0 && `${counted(stored, noun)} stored`,
    removed > 0 && `${counted(removed, noun)} taken out`,
    attendances > 0 && `attendance of ${counted(attendances, 'student')} stored`,
  ];
  const students = [
    of > begun && `${having(of - begun)} no ${noun} yet`,
    begun > done && `${having(begun - done)} some of their marks`,
    of > 0 && of === done && `${having(of)} ${noun === 'mark' ? 'all their marks' : 'a total'}`,
  ];
  return [changes, students]
    .map((parts) => parts.filter((part) => part !== false).join(', '))
    .filter((part) => part !== '')
    .join('; ');
};

/** '28 students have' */
const having = (students: number): string => `${counted(students, 'student')} ${students === 1 ? 'has' : 'have'}`;
