import { isAway, AWAY_WORDS } from '#api/contract/attendance';
import type { Sheet, SheetStudent } from '#api/marks/sheet.contract';
import { studentsToldApart } from '#api/contract/names';
import { messages } from '#api/contract/limits';
import type { Trouble, Seen } from '../../../../ui/drafts/seen.ts';
import type { MarkDraftState, MarksInput, SheetKey } from '../../../../ui/marks/mark-drafts.ts';
import { attendanceKey, cellIn, isSameSheet, sawOf } from '../../../../ui/marks/mark-drafts.ts';
import { oneDecimal } from '../../../format.ts';
import type { Place } from '../../grid/place.ts';
import type { Cells } from '../../grid/table.ts';
import type { CellView, RowHead } from '../../grid/view.ts';
import type { Kind } from './cells.ts';
import { blanksIn, isContested, isDecided, isOwn, isWhole, keysOf, questionsOf, storedByKey, valueWords, wrongMark } from './cells.ts';
import { blanksOf, firstEmptyOf, meansOf, progressOf, sheetRowsOf, withTyped } from './sheet-rows.ts';
import { flagsShort, withSigns } from '#api/contract/flags';
import type { SheetRow } from './sheet-rows.ts';

/** A sheet as it is stored: what stays the same while somebody types. */
export const storedSheet = (sheet: Sheet, sheetKey: SheetKey, kind: Kind, questions = questionsOf(sheet, kind)) => {
  const keys = keysOf(sheet, sheetKey, kind, questions);
  const stored = storedByKey(sheet, sheetKey, kind, keys);
  return {
    sheet,
    named: studentsToldApart(sheet),
    sheetKey,
    kind,
    questions,
    keys,
    stored,
    /** Cells with several values. Few: what is typed does not ask all of them. */
    contested: [...stored].flatMap(([key, { values }]) => (values ? [key] : [])),
    base: sheetRowsOf(sheet, sheetKey, questions, keys, stored),
  };
};

/** Its rows with what is typed over them. `mistyped`: texts that must not wait on the device, because they are no marks, perhaps names. */
export const typedSheet = (
  as: ReturnType<typeof storedSheet>,
  drafts: MarkDraftState['drafts'],
  mistyped: Readonly<Record<string, string>>,
) => {
  const { named, sheetKey, kind, base } = as;
  const texts = [...Object.entries(drafts).map(([key, { value }]) => [key, value] as const), ...Object.entries(mistyped)];
  const typed = withTyped(base, texts);
  /** Cells with several values, none of which is chosen here. */
  const contested = as.contested.filter((key) => !isDecided(drafts[key]));
  const contestedKeys = new Set(contested);
  return {
    ...as,
    mistyped,
    typed,
    contested,
    means: meansOf(typed).map((mean) => (mean === undefined ? '–' : oneDecimal(mean))),
    rows: typed.rows.map((row, at) => headOf(named, at, row, kind, contestedKeys.has(attendanceKey(sheetKey, row.studentId)))),
    empty: kind === 'marks' ? blanksOf(typed) : [],
  };
};

/** What a sheet shows: each of its cells, what is missing, and what waits, is wrong or has to be decided about. */
export const sheetView = (typedInto: ReturnType<typeof typedSheet>, seen: Seen<string, string, MarksInput>) => {
  const { sheet, named, sheetKey, kind, questions, keys, stored, base, mistyped, typed, contested, means, rows, empty } = typedInto;
  const { students } = named;

  const keyAt = ({ row, column }: Place): string => keys[row]?.[column] ?? '';
  /** A cell of attendance: its row. */
  const placeOf = (key: string): Place | undefined => {
    const row = base.rowOfAttendance.get(key);
    return row === undefined ? base.placeOf.get(key) : { row, column: 0 };
  };
  const attendanceKeyAt = (row: number) =>
    kind === 'marks' && students[row] ? attendanceKey(sheetKey, students[row].studentId) : undefined;
  const textOf = (key: string): string => mistyped[key] ?? seen.drafts[key]?.value ?? stored.get(key)?.text ?? '';
  /** What is wrong with a text; of a mark above the maximum, with its student, question and maximum. */
  const wrongAt = ({ row, column }: Place, text: string): string | undefined => {
    const question = questions[column];
    const wrong = wrongMark(text, question?.max ?? 0);
    if (wrong === undefined || kind === 'total' || !question || !isWhole(text.trim())) return wrong;
    return messages.markAbove(nameIn(named, row), Number(text), question.name, question.max);
  };
  const isNoMark = (key: string, text = textOf(key)): boolean => {
    const place = base.placeOf.get(key);
    return place !== undefined && wrongAt(place, text) !== undefined;
  };
  const cells: Cells = {
    size: { rows: rows.length, columns: questions.length },
    mayWrite: sheet.mayWrite,
    keyAt,
    placeOf,
    attendanceKeyAt,
    textOf,
    isContested: (key) => isContested({ stored, kept: seen }, key),
    isStudents: (key) => seen.drafts[key] === undefined && stored.get(key)?.cell?.source === 'student',
    wrongAt,
    maxOf: (column) => questions[column]?.max ?? 0,
    students,
    columns: questions,
  };

  /** A submission that failed as a whole says so once, not in each of its cells. */
  const troubleAt = (key: string): Trouble | undefined => {
    const trouble = seen.troubles[key];
    return kind === 'total' && trouble?.ofAll ? undefined : trouble;
  };
  /** `news`: who else has just entered something there, in words. */
  const cellAt = (place: Place, news?: string): CellView => {
    const key = keyAt(place);
    const now = stored.get(key);
    const draft = seen.drafts[key];
    const text = textOf(key);
    const trouble = troubleAt(key);
    const shown = mistyped[key] === undefined ? seen.statusOf(key, now?.saw) : 'changed';
    const status = seen.troubles[key] && !trouble ? 'changed' : shown;
    // The same mark from somebody else is no conflict.
    const isOther =
      status === 'conflict' &&
      isDecided(draft) &&
      draft !== undefined &&
      now !== undefined &&
      sawOf(draft.value) !== now.text &&
      !isOwn(seen, key, now.text);
    const values = now?.values;
    const notes = [
      isOther ? (now?.text === '' ? 'emptied meanwhile' : `changed to ${now?.text} meanwhile`) : undefined,
      values && `entered: ${values.map(valueWords).join(' and ')}`,
      news,
      now?.cell?.student === undefined ? undefined : `the student says ${now.cell.student}`,
    ].filter((note) => note !== undefined);
    return {
      text,
      status: status === 'conflict' && !isOther ? 'changed' : status,
      wrong: wrongAt(place, text) ?? (trouble?.kind === 'refused' ? trouble.reason : undefined),
      note: notes.length > 0 ? notes.join('; ') : undefined,
      isContested: values !== undefined && !isDecided(draft),
      isNew: news !== undefined,
      isStudents: draft === undefined && now?.cell?.source === 'student',
    };
  };

  const waiting = [...new Set([...Object.keys(seen.drafts), ...Object.keys(mistyped)])].filter((key) => stored.has(key));
  return {
    sheet,
    kind,
    sheetKey,
    cells,
    /** The same as long as nobody changes the questions. */
    columns: questions,
    means,
    rows,
    cellAt,
    isNoMark,
    placeOf,
    progress: progressOf(typed),
    blanks: blanksIn({ stored, kept: seen }, contested, empty.map(keyAt)),
    /** Where there is something to enter first: the first empty cell of somebody who sat it. */
    firstEmpty: firstEmptyOf(typed),
    contested,
    waiting,
    /** Those among them that are no mark, or were refused. */
    wrong: waiting.filter((key) => troubleAt(key) !== undefined || isNoMark(key)),
    isValid: !waiting.some((key) => isNoMark(key)),
    reasonOf: (key: string): string => {
      const place = placeOf(key);
      if (!place) return '';
      const reason = cellAt(place).wrong ?? '';
      const name = nameIn(named, place.row);
      if (reason.startsWith(name)) return reason;
      return `${name}${kind === 'marks' ? `, ${questions[place.column]?.name}` : ''}: ${textOf(key)}. ${reason}`;
    },
    /** Typed into cells that have gone meanwhile: the question was removed, or the student has moved. */
    homeless: Object.entries(seen.drafts).flatMap(([key, { value }]) => {
      const cell = cellIn(key);
      if (!cell || (cell.kind === 'total') !== (kind === 'total') || !isSameSheet(cell.sheetKey, sheetKey) || stored.has(key)) return [];
      const name = students.find(({ studentId }) => studentId === cell.studentId)?.name ?? undefined;
      return [{ key, name, value, reason: seen.troubles[key]?.reason }];
    }),
    /** The students of these cells who are absent or exempt, by the key of their attendance. */
    awayIn: (all: readonly string[]): readonly string[] => {
      const found = all.flatMap((key) => base.placeOf.get(key)?.row ?? []);
      return [...new Set(found)].flatMap((row) => {
        const now = typed.rows[row];
        return now && isAway(now.attendance) ? (attendanceKeyAt(row) ?? []) : [];
      });
    },
    /** The staff total of a row, whether the student sat it or not: the one entered, else the sum of the staff's marks if none is missing. */
    totalAt: (row: number): number | undefined => {
      const { sum, count, marks } = typed.rows[row] ?? { sum: 0, count: 0, marks: [] };
      const isWhole = count > 0 && count === marks.length && marks.every((_, column) => !cells.isStudents(keyAt({ row, column })));
      return students[row]?.total?.value ?? (isWhole ? sum : undefined);
    },
    /** Whether the student's attendance has several values, and none is chosen here. */
    isAttendanceContested: (row: number): boolean => {
      const key = attendanceKeyAt(row);
      return key !== undefined && cells.isContested(key);
    },
    isSaving: waiting.some((key) => seen.statusOf(key) === 'saving'),
    isOffline: waiting.some((key) => seen.statusOf(key) === 'offline'),
    isKept: seen.isKept,
  };
};

/** The name of a student in a sheet, who may have been forgotten. */
const nameIn = ({ students }: Pick<Sheet, 'students'>, row: number): string => students[row]?.name ?? 'Forgotten student';

/** What stands beside a student's cells: who it is, whether they sat it, and how their marks add up. */
const headOf = (sheet: Sheet, at: number, row: SheetRow, kind: Kind, isAwayContested: boolean): RowHead => {
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
