import type { Sheet } from '#api/marks/sheet.contract';
import { messages } from '#api/contract/limits';
import { useMemo, useRef, useState } from 'react';
import { oneDecimal } from '../../format.ts';
import type { Place } from '../grid/place.ts';
import type { How, Table } from '../grid/useGrid.ts';
import type { CellView, Column, RowHead } from '../grid/view.ts';
import { uuid } from '../../../ui/api/uuid.ts';
import type { Trouble } from '../../../ui/drafts/store.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import type { SheetKey } from '../../../ui/marks/mark-drafts.ts';
import { attendanceKey, cellIn, isSameSheet, sawOf } from '../../../ui/marks/mark-drafts.ts';
import { useMarkDrafts, useTyping } from '../Typing.tsx';
import type { SheetRow } from './sheet-rows.ts';
import { blanksOf, firstEmptyOf, isAway, sheetRowsOf, meansOf, progressOf, withTyped } from './sheet-rows.ts';
import type { Kind } from './cells.ts';
import {
  blanksIn,
  isContested,
  isDecided,
  isOwn,
  isWhole,
  keysOf,
  questionsOf,
  storedByKey,
  takenOf,
  valueWords,
  wrongMark,
} from './cells.ts';
import { useOthersChanges } from './useOthersChanges.ts';
import { takingBack } from './take-back.ts';

export type SheetModel = ReturnType<typeof useSheet>;

/** A sheet with what is typed into it: what each cell shows, what is missing, and what typing does. */
export const useSheet = (sheet: Sheet, sheetKey: SheetKey, kind: Kind) => {
  const { drafts, said, takeBack, autosave, lastSaves } = useTyping();
  const { viewAs = '' } = useSession();
  const seen = useMarkDrafts();
  /** Texts that must not wait on the device: no marks, perhaps names. */
  const [mistyped, setMistyped] = useState<Readonly<Record<string, string>>>({});
  const { students } = sheet;
  const questions = useMemo(() => questionsOf(sheet, kind), [sheet, kind]);
  const keys = useMemo(() => keysOf(sheet, sheetKey, kind, questions), [sheet, sheetKey, kind, questions]);
  const stored = useMemo(() => storedByKey(sheet, sheetKey, kind, keys), [sheet, sheetKey, kind, keys]);
  const contested = useMemo(() => [...stored].flatMap(([key, { values }]) => (values ? [key] : [])), [stored]);
  const base = useMemo(() => sheetRowsOf(sheet, sheetKey, questions, keys, stored), [sheet, sheetKey, questions, keys, stored]);
  const sheetRows = useMemo(
    () => withTyped(base, [...Object.entries(seen.drafts).map(([key, { value }]) => [key, value] as const), ...Object.entries(mistyped)]),
    [base, seen.drafts, mistyped],
  );
  const columns = useMemo(() => {
    const means = meansOf(sheetRows);
    return questions.map((one, index): Column => ({ ...one, mean: means[index] === undefined ? '–' : oneDecimal(means[index]) }));
  }, [sheetRows, questions]);
  const rows = useMemo(() => {
    const asked = new Set(contested.filter((key) => !isDecided(seen.drafts[key])));
    return sheetRows.rows.map((row, at) =>
      headOf(row, students[at], questions.length, kind, asked.has(attendanceKey(sheetKey, row.studentId))),
    );
  }, [sheetRows, students, questions, kind, contested, seen.drafts, sheetKey]);
  const empty = useMemo(() => (kind === 'marks' ? blanksOf(sheetRows) : []), [sheetRows, kind]);
  const showHere = (texts: Readonly<Record<string, string | undefined>>) =>
    setMistyped((before) => {
      const next = Object.entries({ ...before, ...texts }).filter((entry): entry is [string, string] => entry[1] !== undefined);
      return next.length === 0 && Object.keys(before).length === 0 ? before : Object.fromEntries(next);
    });
  const back = takingBack({
    drafts,
    said,
    undo: takeBack,
    stored,
    mistyped,
    showHere,
    saveNow: () => kind === 'marks' && void autosave.saveNow(sheetKey).catch(() => undefined),
    noun: kind === 'marks' ? 'cell' : 'total',
  });
  /** Cells in which this page has taken something back: what shows there then is not new. */
  const turned = useRef(new Set<string>());
  const others = useOthersChanges(stored, seen.batches, turned);

  const keyAt = ({ row, column }: Place): string => keys[row]?.[column] ?? '';
  const textOf = (key: string): string => mistyped[key] ?? seen.drafts[key]?.value ?? stored.get(key)?.text ?? '';
  /** What is wrong with a text; of a mark above the maximum, with its student, question and maximum. */
  const wrongAt = ({ row, column }: Place, text: string): string | undefined => {
    const question = questions[column];
    const wrong = wrongMark(text, question?.max ?? 0);
    if (wrong === undefined || kind === 'total' || !question || !isWhole(text.trim())) return wrong;
    return messages.markAbove(students[row]?.name ?? FORGOTTEN, Number(text), question.name, question.max);
  };

  const isNoMark = (key: string, text = textOf(key)): boolean => {
    const place = base.placeOf.get(key);
    return place !== undefined && wrongAt(place, text) !== undefined;
  };
  /** A cell of attendance: its row. */
  const placeOf = (key: string): Place | undefined => {
    const row = base.rowOfAttendance.get(key);
    return row === undefined ? base.placeOf.get(key) : { row, column: 0 };
  };
  const isAsked = (key: string): boolean => isContested({ stored, kept: seen }, key);

  const type = (texts: Readonly<Record<string, string>>, how: How) => {
    const block = how === 'block' ? { block: uuid() } : {};
    const { kept, here, gone } = takenOf(texts, how, { stored, kept: seen, mistyped, isNoMark, as: viewAs, ...block });
    if (Object.keys(here).length > 0 || Object.keys(mistyped).length > 0)
      showHere({ ...Object.fromEntries(Object.keys(texts).map((key) => [key, undefined])), ...here });
    const discarded = gone.filter((key) => seen.drafts[key]);
    if (discarded.length > 0) drafts.discard(discarded);
    if (Object.keys(kept).length === 0) return undefined;
    // Whoever begins to type sees all values that stand there by then, and decides between them by typing.
    if (how === 'typed') drafts.type(kept);
    else drafts.rebase(kept);
    return how === 'block' && kind === 'marks' ? autosave.saveNow(sheetKey).catch(() => false) : undefined;
  };

  /** A submission that failed as a whole says so once, not in each of its cells. */
  const troubleAt = (key: string): Trouble | undefined => {
    const trouble = seen.troubles[key];
    return kind === 'total' && trouble?.ofAll ? undefined : trouble;
  };

  const cellAt = (place: Place): CellView => {
    const key = keyAt(place);
    const now = stored.get(key);
    const draft = seen.drafts[key];
    const text = textOf(key);
    const shown = mistyped[key] === undefined ? seen.statusOf(key, now?.saw) : 'changed';
    const status = seen.troubles[key] && !troubleAt(key) ? 'changed' : shown;
    const trouble = troubleAt(key);
    // The same mark from somebody else is no conflict.
    const isOther =
      status === 'conflict' &&
      isDecided(draft) &&
      draft !== undefined &&
      now !== undefined &&
      sawOf(draft.value) !== now.text &&
      !isOwn(seen, key, now.text);
    const values = now?.values;
    const isNew = others.has(key);
    const notes = [
      isOther ? (now?.text === '' ? 'emptied meanwhile' : `changed to ${now?.text} meanwhile`) : undefined,
      values && `entered: ${values.map(valueWords).join(' and ')}`,
      isNew ? others.noteOf(key) : undefined,
      now?.cell?.student === undefined ? undefined : `the student says ${now.cell.student}`,
    ].filter((note) => note !== undefined);
    return {
      text,
      status: status === 'conflict' && !isOther ? 'changed' : status,
      wrong: wrongAt(place, text) ?? (trouble?.kind === 'refused' ? trouble.reason : undefined),
      note: notes.length > 0 ? notes.join('; ') : undefined,
      isContested: values !== undefined && !isDecided(draft),
      isNew,
      isStudents: draft === undefined && now?.cell?.source === 'student',
    };
  };

  const waiting = [...new Set([...Object.keys(seen.drafts), ...Object.keys(mistyped)])].filter((key) => stored.has(key));
  /** Typed into cells that have gone meanwhile: the question was removed, or the student has moved. */
  const homeless = Object.entries(seen.drafts).flatMap(([key, { value }]) => {
    const cell = cellIn(key);
    if (!cell || (cell.kind === 'total') !== (kind === 'total') || !isSameSheet(cell.sheetKey, sheetKey) || stored.has(key)) return [];
    const name = students.find(({ studentId }) => studentId === cell.studentId)?.name ?? undefined;
    return [{ key, name, value, reason: seen.troubles[key]?.reason }];
  });
  const table: Table = {
    size: { rows: rows.length, columns: questions.length },
    mayWrite: sheet.mayWrite,
    keyAt,
    placeOf,
    isContested: isAsked,
    isStudents: (key) => seen.drafts[key] === undefined && stored.get(key)?.cell?.source === 'student',
    attendanceKeyAt: (row) => (kind === 'marks' && students[row] ? attendanceKey(sheetKey, students[row].studentId) : undefined),
    textOf,
    wrongAt,
    maxOf: (column) => questions[column]?.max ?? 0,
    rowOf: (name) => {
      const wanted = plain(name);
      const found = students.flatMap((student, row) =>
        plain(student.name ?? '') === wanted || plain(student.admissionNo ?? '') === wanted ? [row] : [],
      );
      return wanted !== '' && found.length === 1 ? found[0] : undefined;
    },
    type,
    ...back,
    takeBack: (step) => {
      for (const { key } of step) turned.current.add(key);
      return back.takeBack(step);
    },
    // A mistyped text has been taken out again, and nothing was typed instead.
    leave: (key) => {
      if (mistyped[key] === '') void type({ [key]: '' }, 'one');
    },
  };

  return {
    sheet,
    kind,
    sheetKey,
    table,
    columns,
    rows,
    cellAt,
    sheetRows,
    progress: progressOf(sheetRows),
    blanks: blanksIn({ stored, kept: seen }, contested, empty.map(keyAt)),
    /** What is typed and not stored. */
    waiting,
    homeless,
    /** Those among them that are no mark, or were refused. */
    wrong: waiting.filter((key) => troubleAt(key) !== undefined || isNoMark(key)),
    /** Of one of them: where it is, and why. */
    reasonOf: (key: string): string => {
      const place = placeOf(key);
      if (!place) return '';
      const reason = cellAt(place).wrong ?? '';
      const name = students[place.row]?.name ?? FORGOTTEN;
      if (reason.startsWith(name)) return reason;
      return `${name}${kind === 'marks' ? `, ${questions[place.column]?.name}` : ''}: ${textOf(key)}. ${reason}`;
    },
    isValid: !waiting.some((key) => isNoMark(key)),
    /** Where there is something to enter first: the first empty cell of somebody who sat it. */
    firstEmpty: firstEmptyOf(sheetRows),
    /** The students of these cells who are absent or exempt, by the key of their attendance. */
    awayIn: (all: readonly string[]): readonly string[] => {
      const found = all.flatMap((key) => base.placeOf.get(key)?.row ?? []);
      return [...new Set(found)].flatMap((row) => {
        const now = sheetRows.rows[row];
        return now && isAway(now) ? (table.attendanceKeyAt(row) ?? []) : [];
      });
    },
    contested: contested.filter((key) => !isDecided(seen.drafts[key])),
    placeOf,
    /** Whether the student's attendance has several values, and none is chosen here. */
    isAttendanceContested: (row: number): boolean => {
      const key = table.attendanceKeyAt(row);
      return key !== undefined && isAsked(key);
    },
    isSaving: waiting.some((key) => seen.statusOf(key) === 'saving'),
    isOffline: waiting.some((key) => seen.statusOf(key) === 'offline'),
    isKept: seen.isKept,
    savedAt: lastSaves.find((one) => isSameSheet(one.sheetKey, sheetKey))?.at,
    /** Sends everything that waits. Resolves to whether everything was taken. */
    submit: () => autosave.saveNow(sheetKey),
    discard: (keys: readonly string[]) => {
      showHere(Object.fromEntries(keys.map((key) => [key, undefined])));
      drafts.discard(keys);
    },
    othersChanges: others.text,
  };
};

const FORGOTTEN = 'Forgotten student';

/** Names as people write them: 'Lee, Kay' and 'lee,  kay' are the same. */
const plain = (name: string): string => name.normalize('NFC').toLowerCase().replaceAll(/\s+/gu, ' ').trim();

const SIGNS: Readonly<Record<string, RowHead['sign']>> = {
  absent: { text: 'A', words: 'absent' },
  exempt: { text: 'E', words: 'exempt' },
};

const headOf = (
  row: SheetRow,
  student: Sheet['students'][number] | undefined,
  questions: number,
  kind: Kind,
  isAwayContested: boolean,
): RowHead => ({
  id: row.studentId,
  name: student?.name ?? FORGOTTEN,
  title: student?.admissionNo ?? undefined,
  sign: isAwayContested
    ? { text: '?', words: `attendance: ${student?.attendance.values?.map(valueWords).join(' or ')}`, isContested: true }
    : SIGNS[row.attendance],
  tail: kind === 'marks' ? marksTail(row, student?.total?.value ?? undefined, questions) : totalTail(student),
});

/** The sum of the row beside the total that staff have entered, and the difference. */
const marksTail = ({ sum, count }: SheetRow, total: number | undefined, questions: number): RowHead['tail'] => {
  const isDone = count === questions;
  const difference = total === undefined || count === 0 ? undefined : sum - total;
  return [
    count === 0
      ? { text: '' }
      : { text: String(sum), tone: isDone ? undefined : 'quiet', words: isDone ? undefined : `of ${count} of ${questions} questions` },
    { text: total === undefined ? '' : String(total), tone: 'quiet' },
    difference === undefined
      ? { text: '' }
      : { text: difference === 0 ? '=' : `${difference > 0 ? '+' : '−'}${Math.abs(difference)}`, tone: difference === 0 ? 'quiet' : 'bad' },
  ];
};

/** The sum of the question marks, which stands in for a total. */
const totalTail = (student: Sheet['students'][number] | undefined): RowHead['tail'] => [
  student && student.marks.count > 0 ? { text: String(student.marks.sum), tone: 'quiet' } : { text: '' },
];
