import type { assessmentEvents } from '../../events/assessment.ts';
import { remembered } from '../../events/aggregate.ts';
import type { Cell } from '../../events/cell.ts';
import { changed, decodeCell, emptyCell, encodeCell, reading, redone, undone } from '../../events/cell.ts';
import type { MarkCell, MarkChange } from '../../events/codec/columnar.ts';
import { fromColumns } from '../../events/codec/columnar.ts';
import type { ReadEventOf } from '../../events/codec/event.ts';
import type { entryEvents } from '../../events/entry.ts';
import type { undoEvents } from '../../events/undo.ts';
import type { RecordedReadEvent, Rows } from '../engine/projection.ts';
import { projection } from '../engine/projection.ts';
import { idIn } from '../engine/stream.ts';
import type { Key, Row } from '../engine/table.ts';
import { markbook, papers, results, saves } from './tables.ts';

type Event = ReadEventOf<typeof entryEvents & typeof undoEvents & Pick<typeof assessmentEvents, 'AssessmentCreated' | 'QuestionsUploaded'>>;
type Recorded = RecordedReadEvent<Event>;
const tables = { results, markbook, papers, saves };
type Known = Rows<typeof tables>;

/**
 * What every cell of marks says and how it came to it, and what a student's cells on a test add up to. One projection keeps both,
 * because the sum of a row stands on the fold of its cells: in two, they would disagree for a moment.
 */
export const resultsProjection = projection<Event>()({
  name: 'results',
  version: 2,
  tables,
  on: [
    'TotalsUploaded',
    'MarksUploaded',
    'MarksEntered',
    'MarkDecided',
    'CommandUndone',
    'CommandRedone',
    'AssessmentCreated',
    'QuestionsUploaded',
  ],

  async load(events, rows) {
    const school_id = (event: Recorded): string => event.metadata.schoolId;
    await rows.saves.load(
      events.flatMap((event) =>
        isUndo(event)
          ? [{ school_id: school_id(event), command_id: event.data.commandId }]
          : isEntry(event)
            ? [{ school_id: school_id(event), command_id: event.metadata.commandId }]
            : [],
      ),
    );

    // What is undone may have been done in this very batch.
    const done = new Map(events.filter(isEntry).map((event) => [event.metadata.commandId, event]));
    const saveBefore = (undo: UndoEvent): Row<typeof saves> | undefined => {
      const event = done.get(undo.data.commandId);
      return rows.saves.get({ school_id: school_id(undo), command_id: undo.data.commandId }) ?? (event && saveOf(event, []));
    };
    const cells: Key<typeof results>[] = events.flatMap((event) =>
      isUndo(event)
        ? cellsOf(saveBefore(event))
        : isEntry(event)
          ? changesOf(event).map((change) => keyOf(school_id(event), change.cell, change.studentId))
          : [],
    );
    await rows.results.load(cells);
    await rows.markbook.load(cells.map(({ school_id, test_id, student_id }) => ({ school_id, test_id, student_id })));

    const repapered = events.filter(({ type }) => type === 'QuestionsUploaded').map(({ stream }) => idIn(stream));
    await rows.results.loadWhere('test_id', repapered);
    await rows.markbook.loadWhere('test_id', repapered);
    await rows.papers.load([
      ...cells.map(({ school_id, test_id }) => ({ school_id, test_id })),
      ...events.filter(isPaper).map((event) => ({ school_id: school_id(event), test_id: idIn(event.stream) })),
    ]);
  },

  apply(event, rows) {
    const school_id = event.metadata.schoolId;
    switch (event.type) {
      case 'AssessmentCreated':
        rows.papers.put({ school_id, test_id: idIn(event.stream), subject_id: event.data.subjectId, question_ids: [] });
        break;
      case 'QuestionsUploaded':
        changePaper(
          rows,
          school_id,
          idIn(event.stream),
          event.data.questions.map(({ questionId }) => questionId),
        );
        break;
      case 'TotalsUploaded':
      case 'MarksUploaded':
      case 'MarksEntered':
      case 'MarkDecided': {
        const source = { event: event.id, command: event.metadata.commandId, entry: idIn(event.stream) };
        const changes = changesOf(event);
        for (const { studentId, cell, is, was } of changes) {
          changeCell(rows, keyOf(school_id, cell, studentId), (before) => changed(before, { ...source, is, was }));
        }
        rows.saves.put(saveOf(event, changes));
        break;
      }
      case 'CommandUndone':
      case 'CommandRedone': {
        const isUndone = event.type === 'CommandUndone';
        const save = rows.saves.get({ school_id, command_id: event.data.commandId });
        if (!save) break;
        const turn = isUndone ? undone : redone;
        for (const key of cellsOf(save)) changeCell(rows, key, (cell) => turn(cell, save.command_id));
        rows.saves.put({ ...save, undone: isUndone, undone_by: isUndone ? event.metadata.actor.accountId : null });
        break;
      }
    }
  },

  topics: (event, rows) => {
    const school_id = event.metadata.schoolId;
    switch (event.type) {
      case 'AssessmentCreated':
        return [];
      case 'QuestionsUploaded': {
        const paper = rows.papers.get({ school_id, test_id: idIn(event.stream) });
        return paper ? [`marks:${paper.subject_id}`] : [];
      }
      case 'CommandUndone':
      case 'CommandRedone': {
        const save = rows.saves.get({ school_id, command_id: event.data.commandId });
        return save ? [`marks:${save.subject_id}`] : [];
      }
      default:
        return [`marks:${event.data.subjectId}`];
    }
  },
});

type EntryEvent = Extract<Recorded, { type: 'TotalsUploaded' | 'MarksUploaded' | 'MarksEntered' | 'MarkDecided' }>;
type UndoEvent = Extract<Recorded, { type: 'CommandUndone' | 'CommandRedone' }>;
type PaperEvent = Extract<Recorded, { type: 'AssessmentCreated' | 'QuestionsUploaded' }>;
const isUndo = (event: Recorded): event is UndoEvent => event.type === 'CommandUndone' || event.type === 'CommandRedone';
const isPaper = (event: Recorded): event is PaperEvent => event.type === 'AssessmentCreated' || event.type === 'QuestionsUploaded';
const isEntry = (event: Recorded): event is EntryEvent => !isUndo(event) && !isPaper(event);

const changesOf = (event: EntryEvent): MarkChange[] => fromColumns(event.data.marks);

const kinds = { total: 't', mark: 'm', attendance: 'a' } as const;
const keyOf = (school_id: string, { kind, testId, questionId }: MarkCell, student_id: string): Key<typeof results> => ({
  school_id,
  test_id: testId,
  item_id: questionId ?? testId,
  kind: kinds[kind],
  student_id,
});

/** Every cell that the save may have written: it did not write each column for each student, which is no harm. */
const cellsOf = (save: Row<typeof saves> | undefined): Key<typeof results>[] =>
  save === undefined
    ? []
    : save.columns.flatMap(([test_id, item_id, kind]) =>
        save.student_ids.map((student_id) => ({ school_id: save.school_id, test_id, item_id, kind, student_id })),
      );

const saveOf = (event: EntryEvent, changes: readonly MarkChange[]): Row<typeof saves> => {
  const { columns, students } = event.data.marks;
  const { commandId, actor, at, typedAt, schoolId } = event.metadata;
  return {
    school_id: schoolId,
    command_id: commandId,
    entry_id: idIn(event.stream),
    subject_id: event.data.subjectId,
    kind: saveKinds[event.type],
    account_id: actor.accountId,
    at,
    typed_at: typedAt ?? null,
    file_name: 'about' in event.data ? (remembered(event.data.about)?.fileName ?? null) : null,
    cells: changes.length,
    test_ids: [...new Set(columns.map(({ testId }) => testId))],
    student_ids: students,
    columns: columns.map(({ cell, testId, questionId }) => [testId, questionId ?? testId, kinds[cell]] as const),
    undone: false,
    undone_by: null,
  };
};
const saveKinds = { TotalsUploaded: 'totals', MarksUploaded: 'marks', MarksEntered: 'typed', MarkDecided: 'decided' } as const;

const changeCell = (rows: Known, key: Key<typeof results>, change: (cell: Cell) => Cell): void => {
  const before = rows.results.get(key);
  const cell = before ? decodeCell(before.cell) : emptyCell;
  const after = change(cell);
  if (after === cell) return;
  const row = resultOf(key, after);
  rows.results.put(row);
  changeSheet(rows, before, row);
};

const resultOf = (key: Key<typeof results>, cell: Cell): Row<typeof results> => {
  const now = reading(cell);
  const value = now.state === 'empty' ? null : now.value;
  return {
    ...key,
    mark: typeof value === 'number' ? value : null,
    attendance: key.kind === 'a' && typeof value === 'string' && value !== 'cleared' ? value : null,
    contested: now.state === 'contested',
    cell: encodeCell(cell),
  };
};

/** The student's row of the test, by what the cell counted before and counts now. */
const changeSheet = (rows: Known, before: Row<typeof results> | undefined, after: Row<typeof results>): void => {
  const { school_id, test_id, student_id, item_id, kind } = after;
  const sheet = rows.markbook.get({ school_id, test_id, student_id }) ?? emptySheet(school_id, test_id, student_id);
  // A question that is not on the paper now: the row is there for when it comes back.
  if (kind === 'm' && !rows.papers.get({ school_id, test_id })?.question_ids.includes(item_id)) return rows.markbook.put(sheet);
  const contested = sheet.contested + (kind === 'a' ? 0 : Number(after.contested) - Number(before?.contested ?? false));
  switch (kind) {
    case 't':
      rows.markbook.put({ ...sheet, contested, total: after.mark });
      break;
    case 'a':
      rows.markbook.put({ ...sheet, attendance: after.attendance });
      break;
    default: {
      const [was, is] = [before?.mark ?? null, after.mark];
      rows.markbook.put({
        ...sheet,
        contested,
        marks_sum: sheet.marks_sum + (is ?? 0) - (was ?? 0),
        marks_count: sheet.marks_count + Number(is !== null) - Number(was !== null),
      });
    }
  }
};

const emptySheet = (school_id: string, test_id: string, student_id: string): Row<typeof markbook> => ({
  school_id,
  test_id,
  student_id,
  total: null,
  marks_sum: 0,
  marks_count: 0,
  contested: 0,
  attendance: null,
});

/** Another paper: the marks of questions that left it are kept but do not count; those that are back count again. */
const changePaper = (rows: Known, school_id: string, test_id: string, question_ids: readonly string[]): void => {
  const paper = rows.papers.get({ school_id, test_id });
  if (!paper) return;
  rows.papers.put({ ...paper, question_ids });
  const onPaper = new Set([...question_ids, test_id]);
  const sheets = new Map(
    rows.markbook.where('test_id', test_id).map((sheet) => [sheet.student_id, { ...sheet, marks_sum: 0, marks_count: 0, contested: 0 }]),
  );
  for (const { student_id, item_id, kind, mark, contested } of rows.results.where('test_id', test_id)) {
    const sheet = sheets.get(student_id);
    if (!sheet || kind === 'a' || !onPaper.has(item_id)) continue;
    sheet.contested += Number(contested);
    if (kind === 'm' && mark !== null) {
      sheet.marks_sum += mark;
      sheet.marks_count += 1;
    }
  }
  for (const sheet of sheets.values()) rows.markbook.put(sheet);
};
