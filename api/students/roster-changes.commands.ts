import type { RecordedEvent } from '../../events/registry.ts';
import type { RosterEvent } from '../../events/students/roster.ts';
import { detailsOf, roster } from '../../events/students/roster.ts';
import { rosterWithActs } from '../../events/students/roster-acts.ts';
import { countsOf } from './import.commands.ts';
import { rosterCommands } from './students.contract.ts';
import { setFacts, setsMeant } from './students.facts.ts';
import type { InputError } from '../contract/problem.ts';
import { command, refuse, Refused, refuseInput } from '../common/command.ts';
import { repeated } from '../contract/names.ts';
import { arrived, corrected, ID_TAKEN, NO_SET, placed } from './student.rules.ts';
import { undoPlan } from './undo.rules.ts';

/** The edits of a table of students, and students who are new in it, all or nothing. */
export const ChangeStudents = command({
  largest: 'upload',
  ...rosterCommands.ChangeStudents,
  aggregate: roster,
  facts: setFacts,
  decide({ subjectId, changes, added = [] }, state, facts, { newId, tag }) {
    const twice = repeated(changes.map(({ studentId }) => studentId));
    if (twice >= 0) return refuseInput(`changes.${twice}.studentId`, 'Each student can be listed only once.');
    // Two students may swap their StudentIDs.
    const byTag = new Map(state.byTag);
    for (const { studentId, details } of changes) {
      const now = state.students.get(studentId)?.person?.tag;
      if (details && now !== undefined) byTag.delete(now);
    }
    const { students } = state;
    const events: RosterEvent[] = [];
    const errors: InputError[] = [];
    const take = (row: string, decided: readonly RosterEvent[] | Refused): void => {
      if (decided instanceof Refused) errors.push({ path: `${row}.${decided.errors[0]?.path ?? 'studentId'}`, message: decided.title });
      else events.push(...decided);
    };
    for (const [index, { studentId, details, place, was }] of changes.entries()) {
      const now = students.get(studentId)?.person;
      if (was && now && (was.admissionNo !== now.admissionNo || detailsOf(was) !== detailsOf(now))) {
        errors.push({ path: `changes.${index}.was`, message: 'Somebody else changed this student meanwhile.' });
        continue;
      }
      if (details) take(`changes.${index}`, corrected(studentId, details, { students, byTag }, tag));
      if (place !== undefined) take(`changes.${index}`, placed({ subjectId, studentId, place }, state, facts));
      if (details) byTag.set(tag('admission-number', details.admissionNo), studentId);
    }
    const listed = new Set(changes.map(({ studentId }) => studentId));
    for (const [index, student] of added.entries()) {
      const idTag = tag('admission-number', student.admissionNo);
      const studentId = byTag.get(idTag) ?? newId(`student ${index}`);
      const isListed = listed.size === listed.add(studentId).size;
      take(
        `added.${index}`,
        isListed ? refuseInput('admissionNo', ID_TAKEN) : arrived(studentId, { subjectId, ...student }, { students, byTag }, facts, tag),
      );
      byTag.set(idTag, studentId);
    }
    const unknown = changes.some(({ studentId }) => !students.has(studentId));
    if (errors.length > 0) return refuse(unknown ? 'not-found' : 'invalid-input', errors[0]?.message ?? '', errors);
    return events.length > MOST_EVENTS ? [inOne(subjectId, events)] : events;
  },
  answer({ changes, added = [] }, events, _facts, { newId, commandId }) {
    const newIds = added.map((_, index) => newId(`student ${index}`));
    const others = new Set([...newIds, ...changes.map(({ studentId }) => studentId)]);
    const arrivals = events.flatMap(({ type, data }) =>
      type === 'StudentsImported'
        ? [...data.added, ...data.enrolled].map(({ studentId }) => studentId)
        : type === 'StudentAdded' || type === 'StudentEnrolled'
          ? [data.studentId]
          : [],
    );
    const fresh = new Set(arrivals);
    // Those whom the school knows, in the order of their rows.
    const existing = arrivals.values().filter((studentId) => !others.has(studentId));
    const studentIds = newIds.flatMap((studentId) => (fresh.has(studentId) ? studentId : (existing.next().value ?? [])));
    return { changed: changedBy(events), studentIds, commandId };
  },
});

/** A change of a whole year is one event, as an import is: thousands would not fit into one append, and be read one by one. */
const MOST_EVENTS = 500;

type Of<Type extends RosterEvent['type']> = Extract<RosterEvent, { type: Type }>;

const inOne = (subjectId: string, events: readonly RosterEvent[]): Of<'StudentsImported'> => {
  const of = <Type extends RosterEvent['type']>(type: Type): readonly Of<Type>[] =>
    events.filter((event): event is Of<Type> => event.type === type);
  return {
    type: 'StudentsImported',
    data: {
      subjectId,
      added: of('StudentAdded').map(({ data: { studentId, setId, person } }) => ({ studentId, setId, person })),
      enrolled: of('StudentEnrolled').map(({ data: { studentId, setId } }) => ({ studentId, setId })),
      moved: of('StudentMoved').map(({ data: { studentId, setId } }) => ({ studentId, setId })),
      corrected: of('StudentCorrected').map(({ data }) => data),
      offRolled: of('StudentTakenOffRoll').map(({ data }) => data.studentId),
      removed: of('StudentRemoved').map(({ data }) => data.studentId),
      // It came by no file.
      about: { fileName: '' },
    },
  };
};

/** Moves everybody in sets to Off-Roll, or to another set. */
export const EmptySets = command({
  ...rosterCommands.EmptySets,
  aggregate: roster,
  facts: setsMeant,
  decide({ subjectId, to }, { students }, { setIds, hasTarget }) {
    if (!hasTarget) return refuseInput('to.setId', NO_SET);
    const moved = [...students].flatMap(([studentId, { enrolments }]): RosterEvent[] => {
      const setId = enrolments.get(subjectId);
      if (setId === undefined || !setIds.includes(setId) || setId === to?.setId) return [];
      return to
        ? [{ type: 'StudentMoved', data: { studentId, subjectId, setId: to.setId } }]
        : [{ type: 'StudentTakenOffRoll', data: { studentId, subjectId } }];
    });
    return moved.length > MOST_EVENTS ? [inOne(subjectId, moved)] : moved;
  },
  answer: (_input, events, _facts, { commandId }) => ({ students: changedBy(events), commandId }),
});

const changedBy = (events: readonly RecordedEvent[]): number =>
  events.reduce((sum, { type, data }) => sum + (type === 'StudentsImported' ? sizeOf(data) : 1), 0);

const sizeOf = (data: Parameters<typeof countsOf>[0]): number => Object.values(countsOf(data)).reduce((sum, count) => sum + count, 0);

/**
 * Undoes an import, a submitted table, a move, or an earlier undo. What the command changed does not count any more, whatever is undone
 * later; what was changed since stays. A place whose set is gone, and a StudentID that somebody else has by now, stay as they are.
 */
export const UndoRosterChange = command({
  ...rosterCommands.UndoRosterChange,
  aggregate: rosterWithActs,
  facts: setFacts,
  decide({ subjectId, commandId }, state, facts) {
    const act = state.acts.get(commandId);
    if (!act) return refuse('not-found', NO_SUCH_CHANGE);
    const plan = undoPlan(act, subjectId, state, facts);
    if (plan.flagged === 0 && plan.inTheWay.length > 0) return refuse('conflict', nothingUndone(plan.inTheWay));
    if (plan.flagged === 0) return plan.isDone ? [] : refuse('not-found', NO_SUCH_CHANGE);
    return [{ type: 'RosterCommandUndone', data: { subjectId, commandId, ...plan.lists } }];
  },
  answer(_input, events, _facts, { commandId }) {
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

const NO_SUCH_CHANGE = 'There is no such change.';
const nothingUndone = ([first = '', ...others]: readonly string[]): string =>
  `Nothing was undone. ${first}${others.length === 0 ? '' : ` ${others.length} more cannot be put back either.`}`;
