import { seen, wasToWrite } from '../../events/marks/cell.ts';
import type { MarkCell, MarkChange, MarkColumns } from '../../events/codec/columnar.ts';
import { toColumns } from '../../events/codec/columnar.ts';
import { entry } from '../../events/marks/entry.ts';
import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import type { EnterMarks as EnterMarksInput, MarksEnteredAnswer, Refusal, Value } from './marks.contract.ts';
import type { ProblemCode } from '../contract/problem.ts';
import { messages } from '../contract/limits.ts';
import { marksCommands, MOST_REFUSED } from './marks.contract.ts';
import type { TypedFacts } from './typed.facts.ts';
import { typedFacts } from './typed.facts.ts';
import type { Actor } from '../actor.ts';
import type { Context, Touched } from '../common/command.ts';
import { mayWriteSet } from '../actor.ts';
import { command, refuse } from '../common/command.ts';
import { NO_SUBJECT } from '../common/of-subject.ts';

/** A save of an open grid: stores the permitted cells, and lists the others with a reason. */
export const EnterMarks = command({
  largest: 'upload',
  ...marksCommands.EnterMarks,
  aggregate: entry,
  streamId: ({ entryId }) => entryId,
  facts: typedFacts,
  decide({ entryId, subjectId, seq, cells }, state, known, { actor }) {
    if (!known.subject) return refuse('not-found', NO_SUBJECT);
    if (state.author !== undefined && state.author !== actor.accountId) return refuse('forbidden', SOMEBODY_ELSES);
    const { changes, refused } = sorted(entryId, cells, known, actor);
    // Refusals alone are no event: the answer lists them.
    if (changes.length === 0) return [];
    if (seq <= state.seq) return refuse('conflict', LATER_SAVE);
    return [{ type: 'MarksEntered', data: { subjectId, seq, marks: toColumns(changes), refused } }];
  },
  doubts: ({ cells }, decided) => agreesWithSeen(decided) || cellsIn(decided) < [...lastTyped(cells)].length,
  repeats: ({ seq }, state, { actor }) => (state.author === actor.accountId ? state.saves.get(seq) : undefined),
  touches: (_input, known, decided) => touched(known, decided),
  answer: (input, events, known, context) => entered(input, events, known, context),
});

/** What is written of the cells, and what may not be. */
const sorted = (entryId: string, cells: EnterMarksInput['cells'], known: TypedFacts, actor: Actor): Sorted => {
  const changes: MarkChange[] = [];
  const refused: RefusedCell[] = [];
  for (const cell of lastTyped(cells)) {
    const target = targetOf(cell, known, actor);
    if ('reason' in target) {
      refused.push({ ...refusedCell(cell), reason: target.reason });
      continue;
    }
    const before = known.cell(target.cell, cell.studentId);
    const saw = (cell.was ?? seen(before)).filter(isStored);
    const was = wasToWrite(before, { entry: entryId, is: target.is, was: saw }, target.cell.kind);
    if (was) {
      changes.push({
        studentId: cell.studentId,
        cell: target.cell,
        ...(target.max === undefined ? {} : { max: target.max }),
        is: target.is,
        was,
      });
    }
  }
  return { changes, refused };
};
type Sorted = { readonly changes: MarkChange[]; readonly refused: RefusedCell[] };

/** Decides a contested cell: the author chooses one of the values seen, or another one. */
export const DecideMark = command({
  ...marksCommands.DecideMark,
  aggregate: entry,
  streamId: ({ entryId }) => entryId,
  facts: typedFacts,
  decide(cell, state, known, { actor }) {
    if (!known.subject) return refuse('not-found', NO_SUBJECT);
    if (state.author !== undefined && state.author !== actor.accountId) return refuse('forbidden', SOMEBODY_ELSES);
    const target = targetOf(cell, known, actor);
    if ('reason' in target) return refuse(CODES[target.reason], reasonText(target.reason, target.max));
    const before = known.cell(target.cell, cell.studentId);
    const was = wasToWrite(before, { entry: cell.entryId, is: target.is, was: cell.was.filter(isStored) }, target.cell.kind);
    if (!was) return [];
    const change = {
      studentId: cell.studentId,
      cell: target.cell,
      ...(target.max === undefined ? {} : { max: target.max }),
      is: target.is,
      was,
    };
    return [{ type: 'MarkDecided', data: { subjectId: cell.subjectId, marks: toColumns([change]) } }];
  },
  doubts: (_input, decided) => agreesWithSeen(decided),
  touches: (_input, known, decided) => touched(known, decided),
  answer: (_input, events) => ({ decided: events.length > 0, commandId: commandOf(events) }),
});

/** The problem code for each reason why a cell cannot be written. */
const CODES = {
  'unknown-student': 'not-found',
  'unknown-question': 'not-found',
  'not-your-set': 'not-your-set',
  'above-maximum': 'above-maximum',
  'not-a-mark': 'invalid-input',
} as const satisfies Record<Refusal, ProblemCode>;

/** The command to undo: a save repeated under another key is answered from the events of the first one. */
const commandOf = (events: readonly RecordedEvent[]): string | null => events[0]?.metadata.commandId ?? null;

/** Storing an older save now would cover newer values of the same sitting. */
const LATER_SAVE = 'A later save of this entry is stored already. Send these marks under a new number.';
const SOMEBODY_ELSES = 'This entry belongs to somebody else. Start one of your own.';

/** The sets of the students whose marks are written. */
export const touched = ({ subjectId, students }: TypedFacts, decided: readonly MarktrailEvent[]): Touched => ({
  subjectId,
  setIds: [
    ...new Set(
      decided.flatMap((event) => ('marks' in event.data ? event.data.marks.students : [])).map((id) => students.get(id)?.setId ?? ''),
    ),
  ],
});

const cellsIn = (decided: readonly MarktrailEvent[]): number =>
  decided.reduce((sum, event) => sum + ('marks' in event.data ? changedCells(event.data.marks.is) : 0), 0);

/** Whether a change repeats the one value that its author saw. Where that value is contested by now, it is written otherwise (`wasToWrite`). */
const agreesWithSeen = (decided: readonly MarktrailEvent[]): boolean =>
  decided.some(({ data }) => 'marks' in data && data.marks.is.some((row, at) => repeatsIn(row, data.marks.was?.[at])));

/** Both are rows of marks in columns (events/codec/columnar.ts). */
const repeatsIn = (is: MarkColumns['is'][number], was: NonNullable<MarkColumns['was']>[number] | undefined): boolean =>
  is.some((value, column) => value !== null && value === (was?.[column] ?? 'cleared'));

/** How many cells an event changes. */
export const changedCells = (is: readonly (readonly unknown[])[]): number =>
  is.reduce((sum, row) => sum + row.filter((value) => value !== null).length, 0);

type TypedCell = {
  readonly studentId: string;
  readonly testId: string;
  readonly questionId?: string | undefined;
  readonly attendance?: boolean | undefined;
  readonly is: Value;
};
type Stored = number | 'cleared' | 'sat' | 'absent' | 'exempt';
type Target = { readonly cell: MarkCell; readonly is: Stored; readonly max?: number } | { readonly reason: Refusal; readonly max?: number };
type RefusedCell = {
  readonly studentId: string;
  readonly testId: string;
  readonly questionId?: string | undefined;
  readonly is: Value;
  readonly reason: Refusal;
};

/** Each cell once: one that was typed twice in a save gets its last value, with the `was` of the first. */
const lastTyped = <Cell extends TypedCell & { readonly was?: readonly Value[] | undefined }>(cells: readonly Cell[]): Iterable<Cell> => {
  const typed = new Map<string, Cell>();
  for (const cell of cells) {
    const key = [cell.studentId, cell.testId, cell.questionId, cell.attendance === true].join();
    const first = typed.get(key);
    typed.set(key, first ? { ...cell, was: first.was } : cell);
  }
  return typed.values();
};

/** The cell, or the reason why it cannot be written. */
const targetOf = ({ studentId, testId, questionId, attendance, is }: TypedCell, known: TypedFacts, actor: Actor): Target => {
  const student = known.students.get(studentId);
  if (!student) return { reason: 'unknown-student' };
  if (!mayWriteSet(actor, { setId: student.setId, subjectId: known.subjectId })) return { reason: 'not-your-set' };
  const test = known.tests.get(testId);
  if (!test) return { reason: 'unknown-question' };
  if (!isStored(is)) return { reason: 'not-a-mark' };
  if (attendance)
    return typeof is === 'number' || questionId !== undefined ? { reason: 'not-a-mark' } : { cell: { kind: 'attendance', testId }, is };
  const max = questionId === undefined ? test.max : test.questions.find((question) => question.questionId === questionId)?.marksAvailable;
  if (max === undefined || max === null) return { reason: 'unknown-question' };
  if (typeof is !== 'number' && is !== 'cleared') return { reason: 'not-a-mark' };
  if (typeof is === 'number' && is > max) return { reason: 'above-maximum', max };
  return { cell: questionId === undefined ? { kind: 'total', testId } : { kind: 'mark', testId, questionId }, is, max };
};

/** A mark is at least 0; a text is one of the words that a cell can hold. */
const isStored = (value: Value): value is Stored => typeof value === 'string' || value >= 0;

const refusedCell = ({ studentId, testId, questionId, is }: TypedCell): Omit<RefusedCell, 'reason'> => ({
  studentId,
  testId,
  ...(questionId === undefined ? {} : { questionId }),
  is,
});

/** Refusals as they were when the save was stored; if nothing was, as they are now. */
const entered = (
  { entryId, cells }: EnterMarksInput,
  events: readonly RecordedEvent[],
  known: TypedFacts,
  { actor, repeated }: Pick<Context, 'actor' | 'repeated'>,
): MarksEnteredAnswer => {
  const event = events.find((one) => one.type === 'MarksEntered');
  const all: readonly RefusedCell[] = event?.data.refused ?? sorted(entryId, cells, known, actor).refused;
  const refused = all.slice(0, MOST_REFUSED);
  // A repeated save knows the maxima that its stored marks were checked against, and no others.
  const maximum = (testId: string, questionId: string | undefined): number | undefined =>
    repeated
      ? event?.data.marks.columns.find((one) => one.cell !== 'attendance' && one.testId === testId && one.questionId === questionId)?.max
      : maximumOf(known, testId, questionId);
  const isLeftOut = ({ reason, testId, questionId }: RefusedCell): boolean =>
    repeated === true && reason === 'above-maximum' && maximum(testId, questionId) === undefined;
  const attended = new Set(cells.filter(({ attendance }) => attendance).map(wordOf));
  return {
    commandId: commandOf(events),
    stored: event ? changedCells(event.data.marks.is) : 0,
    refusedCount: all.length,
    ...(refused.some(isLeftOut) ? { leftOut: ['maximum' as const] } : {}),
    refused: refused.map(({ questionId, ...cell }) => {
      const isAttendance = attended.has(wordOf({ questionId, ...cell }));
      return {
        ...cell,
        ...(questionId === undefined ? {} : { questionId }),
        ...(isAttendance ? { attendance: true as const } : {}),
        message: isAttendance && cell.reason === 'not-a-mark' ? NOT_ATTENDANCE : reasonText(cell.reason, maximum(cell.testId, questionId)),
      };
    }),
  };
};
const NOT_ATTENDANCE = 'Choose sat, absent or exempt.';

/** Events do not say whether a refused cell was one of attendance; the request does. */
const wordOf = ({ studentId, testId, questionId, is }: TypedCell): string => [studentId, testId, questionId, is].join();

const maximumOf = ({ tests }: TypedFacts, testId: string, questionId: string | undefined): number | undefined => {
  const test = tests.get(testId);
  return questionId === undefined
    ? (test?.max ?? undefined)
    : test?.questions.find((question) => question.questionId === questionId)?.marksAvailable;
};

const reasonText = (reason: Refusal, max: number | undefined): string => {
  switch (reason) {
    case 'unknown-student':
      return 'This student is in no class of this subject.';
    case 'unknown-question':
      return 'There is no such question in this subject.';
    case 'not-your-set':
      return 'You may not enter marks for this class.';
    case 'above-maximum':
      return max === undefined ? 'The mark is above the maximum.' : messages.manualAbove(max);
    case 'not-a-mark':
      return messages.manualNotInteger;
  }
};
