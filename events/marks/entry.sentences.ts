import { day, enumeration } from '../change.ts';
import type { MarkChange, MarkColumns } from '../codec/columnar.ts';
import { fromColumns } from '../codec/columnar.ts';
import type { Sealed } from '../codec/event.ts';
import type { Change, Description, Descriptions, Part, Sentence, Things } from '../sentence.ts';
import { count, things, typed } from '../sentence.ts';
import { seenValues } from './cell.ts';
import type { entryEvents } from './entry.ts';

type Upload = { readonly marks: MarkColumns; readonly about: Sealed<{ readonly fileName: string }>; readonly satOn?: string | undefined };

const upload: Description<{ readonly data: Upload }> = {
  says: ({ data: { marks, about, satOn } }) => {
    const cells = fromColumns(marks);
    const file = typed(about, ({ fileName }) => fileName);
    const sat = satOn === undefined ? '' : ` (sat on ${day(satOn)})`;
    const uploaded = numbersOf(cells.filter(({ is }) => typeof is === 'number'));
    return [
      `uploaded ${uploaded || 'no marks'} of `,
      testsOf(marks),
      `${sat} from ${file}`,
      ...further([...cleared(cells), ...attended(cells)]),
    ];
  },
  changes: ({ data }) => changesOf(data.marks),
};

export const entrySentences: Descriptions<typeof entryEvents> = {
  TotalsUploaded: upload,
  MarksUploaded: upload,
  MarksEntered: {
    says: ({ data: { marks, refused } }) => {
      const cells = fromColumns(marks);
      const entered = numbersOf(cells.filter(({ is }) => typeof is === 'number'));
      const [first, ...others] = [...(entered ? [{ did: `entered ${entered}`, of: ' of ' }] : []), ...cleared(cells), ...attended(cells)];
      if (!first) return triedIn(refused);
      const but = refused.length === 0 ? [] : [`; ${refused.length} ${refused.length === 1 ? 'was' : 'were'} refused`];
      return [first.did, first.of, testsOf(marks), ...further(others), ...but];
    },
    changes: ({ data }) => changesOf(data.marks),
  },
  MarkDecided: {
    says: ({ data: { marks } }) => [
      `decided the contested ${enumeration([...new Set(marks.columns.map(({ cell }) => cell))])} of `,
      things('student', ...marks.students),
      ' in ',
      testsOf(marks),
    ],
    changes: ({ data }) => changesOf(data.marks),
  },
};

/** What was done besides, or instead of numbers: "cleared 2 marks", and what stands before the assessment where it comes first. */
type Clause = { readonly did: string; readonly of: string };

const cleared = (cells: readonly MarkChange[]): readonly Clause[] => {
  const text = numbersOf(cells.filter(({ is, cell }) => is === 'cleared' && cell.kind !== 'attendance'));
  return text ? [{ did: `cleared ${text}`, of: ' of ' }] : [];
};

const attended = (cells: readonly MarkChange[]): readonly Clause[] => {
  const students = cells.filter(({ cell }) => cell.kind === 'attendance');
  return ATTENDANCE.flatMap(({ value, before, after, of }) => {
    const number = students.filter(({ is }) => is === value).length;
    return number === 0 ? [] : [{ did: `${before} ${count(number, 'student')}${after}`, of }];
  });
};

const ATTENDANCE = [
  { value: 'absent', before: 'marked', after: ' as absent', of: ' from ' },
  { value: 'exempt', before: 'marked', after: ' as exempt', of: ' from ' },
  { value: 'sat', before: 'marked', after: ' as having sat', of: ' ' },
  { value: 'cleared', before: 'cleared the attendance of', after: '', of: ' in ' },
] as const;

/** "30 totals and 2 marks"; empty: none. */
const numbersOf = (cells: readonly MarkChange[]): string =>
  enumeration(
    (['total', 'mark'] as const).flatMap((kind) => {
      const number = cells.filter(({ cell }) => cell.kind === kind).length;
      return number === 0 ? [] : [count(number, kind)];
    }),
  );

const further = (clauses: readonly Clause[]): readonly Part[] =>
  clauses.map(({ did }, index) => `${index === clauses.length - 1 ? ' and ' : ', '}${did}`);

const testsOf = ({ columns }: MarkColumns): Things => testsIn(columns);
const testsIn = (cells: readonly { readonly testId: string }[]): Things =>
  things('assessment', ...new Set(cells.map(({ testId }) => testId)));

const triedIn = (refused: readonly { readonly testId: string }[]): Sentence =>
  refused.length === 0
    ? ['entered no marks']
    : [`tried to enter ${count(refused.length, 'mark')} of `, testsIn(refused), `, which ${refused.length === 1 ? 'was' : 'were'} refused`];

const FIELDS = { total: 'Total', mark: 'Mark', attendance: 'Attendance' } as const;

const changesOf = (marks: MarkColumns): readonly Change[] =>
  fromColumns(marks).map(({ studentId, cell: { kind, testId, questionId }, is, was }) => ({
    of: 'student',
    id: studentId,
    field: FIELDS[kind],
    in: questionId === undefined ? { kind: 'assessment', id: testId } : { kind: 'question', id: questionId },
    to: is,
    from: seenValues(was, kind),
  }));
