import { seen, wasToWrite } from '../../events/marks/cell.ts';
import type { MarkCell, MarkChange, MarkValue } from '../../events/codec/columnar.ts';
import type { Actor } from '../actor.ts';
import { mayWriteSet } from '../actor.ts';
import { messages } from '../contract/limits.ts';
import type { ProblemCode } from '../contract/problem.ts';
import type { Refusal, Value } from './marks.contract.ts';
import type { TypedFacts } from './typed.facts.ts';

export type TypedCell = {
  readonly studentId: string;
  readonly testId: string;
  readonly questionId?: string | undefined;
  readonly attendance?: boolean | undefined;
  readonly is: Value;
};
/** A cell of a save, with what its author saw there. */
type SavedCell = TypedCell & { readonly was?: readonly Value[] | undefined };
type Writable = { readonly cell: MarkCell; readonly is: MarkValue; readonly max?: number };
type Target = Writable | { readonly reason: Refusal; readonly max?: number };
export type RefusedCell = {
  readonly studentId: string;
  readonly testId: string;
  readonly questionId?: string | undefined;
  readonly is: Value;
  readonly reason: Refusal;
};

/** What is written of the cells, and what may not be. */
export const sorted = (entryId: string, cells: readonly SavedCell[], facts: TypedFacts, actor: Actor): Sorted => {
  const changes: MarkChange[] = [];
  const refused: RefusedCell[] = [];
  for (const cell of lastTyped(cells)) {
    const target = targetOf(cell, facts, actor);
    const change = 'reason' in target ? undefined : changeTo(target, { ...cell, entryId }, facts);
    if ('reason' in target) refused.push({ ...refusedCell(cell), reason: target.reason });
    else if (change) changes.push(change);
  }
  return { changes, refused };
};
type Sorted = { readonly changes: MarkChange[]; readonly refused: RefusedCell[] };

/** How a cell is written over what its author saw: `was`, or else what stands there now. Undefined: they say nothing new. */
export const changeTo = (
  { cell, is, max }: Writable,
  { entryId, studentId, was }: Pick<SavedCell, 'studentId' | 'was'> & { readonly entryId: string },
  facts: TypedFacts,
): MarkChange | undefined => {
  const before = facts.cell(cell, studentId);
  const saw = (was ?? seen(before)).filter(isStored);
  const covered = wasToWrite(before, { entry: entryId, is, was: saw }, cell.kind);
  return covered && { studentId, cell, ...(max === undefined ? {} : { max }), is, was: covered };
};

/** Each cell once: one that was typed twice in a save gets its last value, with the `was` of the first. */
export const lastTyped = <Cell extends SavedCell>(cells: readonly Cell[]): Iterable<Cell> => {
  const typed = new Map<string, Cell>();
  for (const cell of cells) {
    const key = [cell.studentId, cell.testId, cell.questionId, cell.attendance === true].join();
    const first = typed.get(key);
    typed.set(key, first ? { ...cell, was: first.was } : cell);
  }
  return typed.values();
};

/** The cell, or the reason why it cannot be written. */
export const targetOf = ({ studentId, testId, questionId, attendance, is }: TypedCell, facts: TypedFacts, actor: Actor): Target => {
  const student = facts.students.get(studentId);
  if (!student) return { reason: 'unknown-student' };
  if (!mayWriteSet(actor, { setId: student.setId, subjectId: facts.subjectId })) return { reason: 'not-your-set' };
  const test = facts.tests.get(testId);
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
const isStored = (value: Value): value is MarkValue => typeof value === 'string' || value >= 0;

const refusedCell = ({ studentId, testId, questionId, is }: TypedCell): Omit<RefusedCell, 'reason'> => ({
  studentId,
  testId,
  ...(questionId === undefined ? {} : { questionId }),
  is,
});

/** The problem code for each reason why a cell cannot be written. */
export const CODES = {
  'unknown-student': 'not-found',
  'unknown-question': 'not-found',
  'not-your-set': 'not-your-set',
  'above-maximum': 'above-maximum',
  'not-a-mark': 'invalid-input',
} as const satisfies Record<Refusal, ProblemCode>;

export const maximumOf = ({ tests }: TypedFacts, testId: string, questionId: string | undefined): number | undefined => {
  const test = tests.get(testId);
  return questionId === undefined
    ? (test?.max ?? undefined)
    : test?.questions.find((question) => question.questionId === questionId)?.marksAvailable;
};

/** Of a total the field is at hand; of a mark it says whose, and of which question. */
export const reasonText = (reason: Refusal, max: number | undefined, cell: TypedCell, facts: TypedFacts): string => {
  switch (reason) {
    case 'unknown-student':
      return 'This student is in no class of this subject.';
    case 'unknown-question':
      return 'There is no such question in this subject.';
    case 'not-your-set':
      return 'You may not enter marks for this class.';
    case 'above-maximum':
      return max === undefined ? 'The mark is above the maximum.' : aboveText(cell, max, facts);
    case 'not-a-mark':
      return messages.manualNotInteger;
  }
};

const aboveText = ({ studentId, testId, questionId, is }: TypedCell, max: number, { students, tests }: TypedFacts): string => {
  const question = tests.get(testId)?.questions.find((one) => one.questionId === questionId);
  return question && typeof is === 'number'
    ? messages.markAbove(students.get(studentId)?.name ?? 'Forgotten student', is, `Q${question.number}`, max)
    : messages.manualAbove(max);
};
