import type { MarkColumns } from '../../events/codec/columnar.ts';
import { toColumns } from '../../events/codec/columnar.ts';
import { entry } from '../../events/marks/entry.ts';
import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import type { Context, Touched } from '../common/command.ts';
import { command, refuse } from '../common/command.ts';
import { NO_SUBJECT } from '../common/of-subject.ts';
import type { EnterMarks as EnterMarksInput, MarksEnteredAnswer } from './marks.contract.ts';
import { marksCommands, MOST_REFUSED } from './marks.contract.ts';
import type { RefusedCell, TypedCell } from './typed-cells.rules.ts';
import { changeTo, CODES, lastTyped, maximumOf, reasonText, sorted, targetOf } from './typed-cells.rules.ts';
import type { TypedFacts } from './typed.facts.ts';
import { typedFacts } from './typed.facts.ts';

/** A save of an open grid: stores the permitted cells, and lists the others with a reason. */
export const EnterMarks = command({
  largest: 'upload',
  ...marksCommands.EnterMarks,
  aggregate: entry,
  streamId: ({ entryId }) => entryId,
  facts: typedFacts,
  decide({ entryId, subjectId, seq, cells }, state, facts, { actor }) {
    if (facts.subject === false) return refuse('not-found', NO_SUBJECT);
    if (state.author !== undefined && state.author !== actor.accountId) return refuse('forbidden', SOMEBODY_ELSES);
    const { changes, refused } = sorted(entryId, cells, facts, actor);
    // Refusals alone are no event: the answer lists them.
    if (changes.length === 0) return [];
    if (seq <= state.seq) return refuse('conflict', LATER_SAVE);
    return [{ type: 'MarksEntered', data: { subjectId, seq, marks: toColumns(changes), refused } }];
  },
  doubts: ({ cells }, decided) => agreesWithSeen(decided) || cellsIn(decided) < [...lastTyped(cells)].length,
  repeats: ({ seq }, state, { actor }) => (state.author === actor.accountId ? state.saves.get(seq) : undefined),
  touches: (_input, facts, decided) => touched(facts, decided),
  answer: (input, events, facts, context) => entered(input, events, facts, context),
});

/** Decides a contested cell: the author chooses one of the values seen, or another one. */
export const DecideMark = command({
  ...marksCommands.DecideMark,
  aggregate: entry,
  streamId: ({ entryId }) => entryId,
  facts: typedFacts,
  decide(cell, state, facts, { actor }) {
    if (facts.subject === false) return refuse('not-found', NO_SUBJECT);
    if (state.author !== undefined && state.author !== actor.accountId) return refuse('forbidden', SOMEBODY_ELSES);
    const target = targetOf(cell, facts, actor);
    if ('reason' in target) return refuse(CODES[target.reason], reasonText(target.reason, target.max, cell, facts));
    const change = changeTo(target, cell, facts);
    if (!change) return [];
    return [{ type: 'MarkDecided', data: { subjectId: cell.subjectId, marks: toColumns([change]) } }];
  },
  doubts: (_input, decided) => agreesWithSeen(decided),
  touches: (_input, facts, decided) => touched(facts, decided),
  answer: (_input, events) => ({ decided: events.length > 0, commandId: commandOf(events) }),
});

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

/** Refusals as they were when the save was stored; if nothing was, as they are now. */
const entered = (
  { entryId, cells }: EnterMarksInput,
  events: readonly RecordedEvent[],
  facts: TypedFacts,
  { actor, repeated }: Pick<Context, 'actor' | 'repeated'>,
): MarksEnteredAnswer => {
  const event = events.find((one) => one.type === 'MarksEntered');
  const all: readonly RefusedCell[] = event?.data.refused ?? sorted(entryId, cells, facts, actor).refused;
  const refused = all.slice(0, MOST_REFUSED);
  // A repeated save knows the maxima that its stored marks were checked against, and no others.
  const maximum = (testId: string, questionId: string | undefined): number | undefined =>
    repeated
      ? event?.data.marks.columns.find((one) => one.cell !== 'attendance' && one.testId === testId && one.questionId === questionId)?.max
      : maximumOf(facts, testId, questionId);
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
        message:
          isAttendance && cell.reason === 'not-a-mark'
            ? NOT_ATTENDANCE
            : reasonText(cell.reason, maximum(cell.testId, questionId), { questionId, ...cell }, facts),
      };
    }),
  };
};

/** Events do not say whether a refused cell was one of attendance; the request does. */
const wordOf = ({ studentId, testId, questionId, is }: TypedCell): string => [studentId, testId, questionId, is].join();

const NOT_ATTENDANCE = 'Choose sat, absent or exempt.';
