/** Identifies the rows of a file whose StudentID belongs to nobody: a student of the subject without a row, or somebody new. */
import type { z } from 'zod';
import type { StudentPerson } from '../../events/students/roster.ts';
import type { Refused } from '../common/command.ts';
import { refuse } from '../common/command.ts';
import type { InputError } from '../contract/problem.ts';
import { CASES_SHOWN } from './plausible.contract.ts';
import { MOST_NAMESAKES, People } from './identity.formula.ts';
import { fitsName } from './person-names.formula.ts';
import type { Agreement, importStudents } from './students.contract.ts';

type Row = z.output<typeof importStudents>['rows'][number];
export type Student = Omit<StudentPerson, 'tag'> & { readonly studentId: string };
export type Candidate = { readonly student: Student; readonly agrees: readonly Agreement[] };

/** `holder`: whose the StudentID is; undefined: nobody's. */
export type NumberedRow = { readonly row: Row; readonly tag: string; readonly holder: string | undefined };
/** `studentId` undefined: somebody new. */
export type IdentifiedRow = NumberedRow & { readonly studentId: string | undefined; readonly candidates: readonly Candidate[] };

/**
 * Identifies each row. What its author says counts. Otherwise a row is the student with whom it agrees most, if the name and the date of birth or
 * StudentID agree and no other row is that student.
 *
 * @param students those of the subject who hold no row's StudentID
 */
export const identified = (rows: readonly NumberedRow[], students: readonly Student[]): readonly IdentifiedRow[] | Refused => {
  const wrong = wrongDecisions(rows, students);
  if (wrong) return wrong;
  const decided = new Set(rows.map(({ row }) => decidedStudent(row)));
  const candidatesOf = rows.some(({ holder }) => holder === undefined) ? candidatesAmong(students) : () => [];
  const found = rows.map((numbered) => {
    const candidates = numbered.holder === undefined ? candidatesOf(numbered.row) : [];
    return { ...numbered, candidates, likely: numbered.row.is === undefined ? likelyOf(candidates, decided) : undefined };
  });
  const claims = Map.groupBy(found, ({ likely }) => likely);
  return found.map(({ likely, ...numbered }) => {
    const byDefault = claims.get(likely)?.length === 1 ? likely : undefined;
    return { ...numbered, studentId: numbered.holder ?? decidedStudent(numbered.row) ?? byDefault };
  });
};

const decidedStudent = ({ is }: Row): string | undefined => (typeof is === 'object' ? is.studentId : undefined);

const wrongDecisions = (rows: readonly NumberedRow[], students: readonly Student[]): Refused | undefined => {
  const free = new Set(students.map(({ studentId }) => studentId));
  const errors = rows.flatMap(({ row, holder }, index): readonly InputError[] => {
    if (row.is === undefined) return [];
    const path = `rows.${index}.is`;
    if (holder !== undefined) return [{ path, message: `Somebody has the StudentID ${row.admissionNo} already.` }];
    const studentId = decidedStudent(row);
    if (studentId === undefined || free.delete(studentId)) return [];
    return [{ path, message: `${row.name} cannot be that student, who is not in this subject or has another row in the file.` }];
  });
  return errors[0] && refuse('invalid-input', errors[0].message, errors);
};

/** The one who agrees in more than any other, and in enough. */
const likelyOf = (candidates: readonly Candidate[], decided: ReadonlySet<string | undefined>): string | undefined => {
  const [best, next] = candidates.filter(({ student }) => !decided.has(student.studentId));
  if (!best?.agrees.includes('name') || best.agrees.length < 2) return undefined;
  return next?.agrees.length === best.agrees.length ? undefined : best.student.studentId;
};

const candidatesAmong = (students: readonly Student[]): ((row: Row) => readonly Candidate[]) => {
  if (students.length === 0) return () => [];
  const people = new People(students);
  return (row) => {
    const fitting = people.damaged(row.admissionNo)?.fitting ?? [];
    const namesakes = people.fitting(row.name);
    const possible = new Set([...(namesakes.length < MOST_NAMESAKES ? namesakes : []), ...(fitting.length === 1 ? fitting : [])]);
    return [...possible]
      .flatMap((student) => {
        const isDamaged = fitting.includes(student);
        const agrees = agreements(row, student, isDamaged);
        const isOtherDate = row.dateOfBirth !== null && student.dateOfBirth !== null && !agrees.includes('date-of-birth');
        return isDamaged || (agrees.includes('name') && !isOtherDate) ? [{ student, agrees }] : [];
      })
      .toSorted((one, other) => other.agrees.length - one.agrees.length || (one.student.admissionNo < other.student.admissionNo ? -1 : 1))
      .slice(0, CASES_SHOWN);
  };
};

const agreements = (row: Row, student: Student, isDamaged: boolean): readonly Agreement[] => [
  ...(fitsName(row.name, student.name) ? (['name'] as const) : []),
  ...(row.dateOfBirth !== null && row.dateOfBirth === student.dateOfBirth ? (['date-of-birth'] as const) : []),
  ...(isDamaged ? (['student-id'] as const) : []),
];
