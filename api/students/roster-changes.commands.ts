import type { Roster, RosterChange, RosterEvent, StudentPerson } from '../../events/students/roster.ts';
import { detailsOf, OFF_ROLL, roster } from '../../events/students/roster.ts';
import { rosterCommands } from './students.contract.ts';
import { setFacts } from './students.facts.ts';
import type { InputError } from '../contract/problem.ts';
import { command, refuse, Refused, refuseInput } from '../common/command.ts';
import { repeated } from '../contract/names.ts';
import { NO_SUBJECT } from '../common/of-subject.ts';
import { corrected, hasSet, placed } from './student.rules.ts';

/** The edits of a table of students, all or nothing. */
export const ChangeStudents = command({
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
 * Undoes an import, a submitted table or a move. Students who are still where the command left them go back; those who were moved or
 * corrected since, or whose earlier set is gone, stay as they are.
 */
export const UndoRosterChange = command({
  ...rosterCommands.UndoRosterChange,
  aggregate: roster,
  streamId: () => undefined,
  facts: setFacts,
  decide({ subjectId, commandId }, state, known) {
    if (!known.subject) return refuse('not-found', NO_SUBJECT);
    const change = state.changes.get(commandId);
    if (!change) return refuse('not-found', 'There is no such change, or it is too long ago to be undone.');
    const back = [...change.places.values()].filter(
      (place) =>
        place.subjectId === subjectId &&
        place.from !== place.to &&
        state.students.get(place.studentId)?.enrolments.get(subjectId) === place.to &&
        (place.from === undefined || place.from === OFF_ROLL || hasSet(known, place.from)),
    );
    const data = {
      subjectId,
      commandId,
      placed: back.flatMap(({ studentId, from }) => (from === undefined || from === OFF_ROLL ? [] : [{ studentId, setId: from }])),
      offRolled: back.flatMap(({ studentId, from }) => (from === OFF_ROLL ? [studentId] : [])),
      removed: back.flatMap(({ studentId, from }) => (from === undefined ? [studentId] : [])),
      corrected: namesBack(change, state),
    };
    const { placed: moved, offRolled, removed, corrected: named } = data;
    return moved.length + offRolled.length + removed.length + named.length === 0 ? [] : [{ type: 'RosterChangeUndone', data }];
  },
  answer(_input, events, _known, { commandId }) {
    const undone = events.find((event) => event.type === 'RosterChangeUndone')?.data;
    const students = undone
      ? new Set([
          ...undone.placed.map(({ studentId }) => studentId),
          ...undone.offRolled,
          ...undone.removed,
          ...undone.corrected.map(({ studentId }) => studentId),
        ])
      : new Set();
    return { students: students.size, commandId };
  },
});

/**
 * The earlier details of those who still have the ones that the change gave them. A StudentID that somebody else has by now stays with them,
 * unless they go back too: two may have exchanged theirs.
 */
const namesBack = ({ people }: RosterChange, { students, byTag }: Roster): { studentId: string; person: StudentPerson }[] => {
  const back = new Map<string, StudentPerson>();
  for (const [studentId, { from, to }] of people) {
    const now = students.get(studentId)?.person;
    if (from && to && now?.tag === to.tag && detailsOf(now) === detailsOf(to)) back.set(studentId, from);
  }
  for (let before = -1; before !== back.size;) {
    before = back.size;
    for (const [studentId, { tag }] of back) {
      const holder = byTag.get(tag);
      if (holder !== undefined && holder !== studentId && !back.has(holder)) back.delete(studentId);
    }
  }
  return [...back].map(([studentId, person]) => ({ studentId, person }));
};
