import type { RosterEvent } from '../../events/students/roster.ts';
import { detailsOf, roster } from '../../events/students/roster.ts';
import { rosterCommands } from './students.contract.ts';
import { setFacts } from './students.facts.ts';
import type { InputError } from '../contract/problem.ts';
import { command, refuse, Refused, refuseInput } from '../common/command.ts';
import { repeated } from '../contract/names.ts';
import { NO_SUBJECT } from '../common/of-subject.ts';
import { corrected, placed } from './student.rules.ts';
import { undoPlan } from './undo.rules.ts';

/** The edits of a table of students, all or nothing. */
export const ChangeStudents = command({
  largest: 'upload',
  ...rosterCommands.ChangeStudents,
  aggregate: roster,
  streamId: () => undefined,
  facts: setFacts,
  decide({ subjectId, changes }, state, known, { tag }) {
    if (!known.subject) return refuse('not-found', NO_SUBJECT);
    const twice = repeated(changes.map(({ studentId }) => studentId));
    if (twice >= 0) return refuseInput(`changes.${twice}.studentId`, 'Each student can be listed only once.');
    // Two students may swap their StudentIDs.
    const byTag = new Map(state.byTag);
    for (const { studentId, details } of changes) {
      const now = state.students.get(studentId)?.person?.tag;
      if (details && now !== undefined) byTag.delete(now);
    }
    const events: RosterEvent[] = [];
    const errors: InputError[] = [];
    for (const [index, { studentId, details, place, was }] of changes.entries()) {
      const now = state.students.get(studentId)?.person;
      if (was && now && (was.admissionNo !== now.admissionNo || detailsOf(was) !== detailsOf(now))) {
        errors.push({ path: `changes.${index}.was`, message: 'Somebody else changed this student meanwhile.' });
        continue;
      }
      const decided = [
        details ? corrected(studentId, details, { students: state.students, byTag }, tag) : [],
        place === undefined ? [] : placed({ subjectId, studentId, place }, state, known),
      ];
      for (const part of decided) {
        if (part instanceof Refused) errors.push({ path: `changes.${index}.${part.errors[0]?.path ?? 'studentId'}`, message: part.title });
        else events.push(...part);
      }
      if (details) byTag.set(tag('admission-number', details.admissionNo), studentId);
    }
    const unknown = changes.some(({ studentId }) => !state.students.has(studentId));
    if (errors.length > 0) return refuse(unknown ? 'not-found' : 'invalid-input', errors[0]?.message ?? '', errors);
    return events;
  },
  answer: (_input, events, _known, { commandId }) => ({ changed: events.length, commandId }),
});

/**
 * Undoes an import, a submitted table, a move, or an earlier undo. What the command changed does not count any more, whatever is undone
 * later; what was changed since stays. A place whose set is gone, and a StudentID that somebody else has by now, stay as they are.
 */
export const UndoRosterChange = command({
  ...rosterCommands.UndoRosterChange,
  aggregate: roster,
  streamId: () => undefined,
  facts: setFacts,
  decide({ subjectId, commandId }, state, known) {
    if (!known.subject) return refuse('not-found', NO_SUBJECT);
    const act = state.acts.get(commandId);
    if (!act) return refuse('not-found', NO_SUCH_CHANGE);
    const plan = undoPlan(act, subjectId, state, known);
    if (plan.flagged === 0 && plan.inTheWay.length > 0) return refuse('conflict', nothingUndone(plan.inTheWay));
    if (plan.flagged === 0) return plan.isDone ? [] : refuse('not-found', NO_SUCH_CHANGE);
    return [{ type: 'RosterCommandUndone', data: { subjectId, commandId, ...plan.lists } }];
  },
  answer(_input, events, _known, { commandId }) {
    const undone = events.find((event) => event.type === 'RosterCommandUndone')?.data;
    const students = new Set([
      ...(undone?.placed ?? []).map(({ studentId }) => studentId),
      ...(undone?.offRolled ?? []),
      ...(undone?.removed ?? []),
      ...(undone?.corrected ?? []).map(({ studentId }) => studentId),
    ]);
    return {
      students: students.size,
      changedSince: undone?.changedSince.length ?? 0,
      setGone: undone?.kept.places.length ?? 0,
      idTaken: undone?.kept.numbers.length ?? 0,
      already: undone === undefined,
      commandId,
    };
  },
});

const NO_SUCH_CHANGE = 'There is no such change, or it is too long ago to be undone.';
const nothingUndone = ([first = '', ...others]: readonly string[]): string =>
  `Nothing was undone. ${first}${others.length === 0 ? '' : ` ${others.length} more cannot be put back either.`}`;
