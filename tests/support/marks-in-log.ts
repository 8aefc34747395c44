import { expect } from 'vitest';
import type { Cell, StoredCell } from '../../events/cell.ts';
import { changed, decodeCell, emptyCell, reading, redone, undone } from '../../events/cell.ts';
import { fromColumns } from '../../events/codec/columnar.ts';
import type { RecordedEvent } from '../../events/registry.ts';
import type { Backend } from '../../run/backend.ts';
import { openEyes, wholeLog } from './log.ts';

/** Places of a cell: test, question (or the test again), kind, student. */
type Place = readonly [testId: string, itemId: string, kind: 't' | 'm' | 'a', studentId: string];
type Result = { mark: number | null; attendance: string | null; contested: boolean; cell: Cell };
type Sheet = { total: number | null; marks_sum: number; marks_count: number; contested: number; attendance: string | null };

/**
 * Holds the read models of marks to the log: folds everything that ever happened in the school from scratch, one event after the other, and
 * compares it with what `read.results` and `read.markbook` say. Waits until they have come to the head.
 */
export const expectMarksAsInLog = async (backend: Backend, databaseUrl: string, schoolId: string): Promise<void> => {
  const eyes = openEyes(databaseUrl);
  const events = (await wholeLog(backend.store, eyes)).filter(({ metadata }) => metadata.schoolId === schoolId);
  await eyes.close();
  await backend.progress.waitFor(['results'], await backend.store.head(), 20_000);
  const { results, sheets } = await backend.readAs(schoolId, async (query) => ({
    results: await query<{ place: string; mark: number | null; attendance: string | null; contested: boolean; cell: StoredCell }>(
      `select concat_ws(' ', test_id, item_id, kind, student_id) as place, mark, attendance, contested, cell from read.results where school_id = $1`),
    sheets: await query<Sheet & { place: string }>(
      `select concat_ws(' ', test_id, student_id) as place, total, marks_sum, marks_count, contested, attendance from read.markbook where school_id = $1`),
  }));
  const folded = fold(events);
  expect(Object.fromEntries(results.map(({ place, cell, ...row }) => [place, { ...row, cell: decodeCell(cell) }]))).toEqual(Object.fromEntries(folded.results));
  expect(Object.fromEntries(sheets.map(({ place, ...row }) => [place, row]))).toEqual(Object.fromEntries(folded.sheets));
};

const fold = (events: readonly RecordedEvent[]): { results: Map<string, Result>; sheets: Map<string, Sheet> } => {
  const papers = new Map<string, readonly string[]>();
  const cells = new Map<string, Cell>();
  for (const event of events) {
    const id = event.stream.slice(event.stream.lastIndexOf('.') + 1);
    switch (event.type) {
      case 'QuestionsUploaded':
        papers.set(id, event.data.questions.map(({ questionId }) => questionId));
        break;
      case 'TotalsUploaded':
      case 'MarksUploaded':
      case 'MarksEntered':
      case 'MarkDecided':
        for (const { studentId, cell: { kind, testId, questionId }, is, was } of fromColumns(event.data.marks)) {
          const place = placed([testId, questionId ?? testId, kind === 'total' ? 't' : kind === 'mark' ? 'm' : 'a', studentId]);
          cells.set(place, changed(cells.get(place) ?? emptyCell, { event: event.id, command: event.metadata.commandId, entry: id, is, was }));
        }
        break;
      case 'CommandUndone':
      case 'CommandRedone':
        for (const [place, cell] of cells) cells.set(place, (event.type === 'CommandUndone' ? undone : redone)(cell, event.data.commandId));
        break;
    }
  }

  const results = new Map([...cells].map(([place, cell]) => [place, resultOf(place, cell)] as const));
  const sheets = new Map<string, Sheet>();
  for (const [place, result] of results) {
    const [testId, itemId, kind, studentId] = place.split(' ') as unknown as Place;
    const sheet = sheets.get(`${testId} ${studentId}`) ?? { total: null, marks_sum: 0, marks_count: 0, contested: 0, attendance: null };
    sheets.set(`${testId} ${studentId}`, sheet);
    if (kind === 'a') sheet.attendance = result.attendance;
    if (kind === 't') sheet.total = result.mark;
    if (kind === 'm' && papers.get(testId)?.includes(itemId) && result.mark !== null) {
      sheet.marks_sum += result.mark;
      sheet.marks_count += 1;
    }
    if (kind === 't' || (kind === 'm' && papers.get(testId)?.includes(itemId))) sheet.contested += Number(result.contested);
  }
  return { results, sheets };
};

const placed = (place: Place): string => place.join(' ');

const resultOf = (place: string, cell: Cell): Result => {
  const now = reading(cell);
  const value = now.state === 'empty' ? null : now.value;
  return {
    mark: typeof value === 'number' ? value : null,
    attendance: place.includes(' a ') && typeof value === 'string' && value !== 'cleared' ? value : null,
    contested: now.state === 'contested',
    cell,
  };
};
