import { subjectWithActs } from '../../events/school/subject-acts.ts';
import { subject } from '../../events/school/subject.ts';
import { structureCommands } from './school.contract.ts';
import { subjectNames } from './names.facts.ts';
import { inSubject } from './sets/sets.facts.ts';
import { NO_SUCH_CHANGE, structureUndo, whatStays } from './undo.rules.ts';
import { command, refuse, refuseInput } from '../common/command.ts';
import { sameName } from '../contract/names.ts';
import { bySubject, isThere, NO_SUBJECT } from '../common/of-subject.ts';

const SUBJECT_NAME_TAKEN = 'Subject name needs to be unique';

export const AddSubject = command({
  ...structureCommands.AddSubject,
  aggregate: subject,
  streamId: (_input, { newId }) => newId('subject'),
  facts: subjectNames,
  decide({ name }, _state, taken) {
    if (taken.some((other) => sameName(other.name, name))) return refuseInput('name', SUBJECT_NAME_TAKEN);
    return [{ type: 'SubjectAdded', data: { name } }];
  },
  answer: (_input, _events, _facts, { newId }) => ({ subjectId: newId('subject') }),
});

export const RenameSubject = command({
  ...structureCommands.RenameSubject,
  aggregate: subject,
  streamId: bySubject,
  facts: subjectNames,
  decide({ subjectId, name }, state, taken) {
    if (!isThere(state)) return refuse('not-found', NO_SUBJECT);
    if (taken.some((other) => other.subjectId !== subjectId && sameName(other.name, name))) {
      return refuseInput('name', SUBJECT_NAME_TAKEN);
    }
    return state.name === name ? [] : [{ type: 'SubjectRenamed', data: { name } }];
  },
});

/** Hides a subject with everything in it, marks as well, until it is restored. Meanwhile nothing in it can be changed. */
export const RemoveSubject = command({
  ...structureCommands.RemoveSubject,
  aggregate: subject,
  streamId: bySubject,
  decide(_input, state) {
    if (state.name === undefined) return refuse('not-found', NO_SUBJECT);
    return state.removed ? [] : [{ type: 'SubjectRemoved', data: {} }];
  },
});

export const RestoreSubject = command({
  ...structureCommands.RestoreSubject,
  aggregate: subject,
  streamId: bySubject,
  facts: subjectNames,
  decide(_input, state, taken) {
    const { name, removed } = state;
    if (name === undefined) return refuse('not-found', NO_SUBJECT);
    if (!removed) return [];
    if (taken.some((other) => sameName(other.name, name)))
      return refuse('refused', `There is another subject called ${name} now: rename that one first.`);
    return [{ type: 'SubjectRestored', data: {} }];
  },
});

/**
 * Undoes an act, or an earlier undo: what was changed since stays. This is its part in the subject itself: year groups, sets, teachers and
 * terminal exams (api/history/acts.handler.ts).
 */
export const UndoAct = command({
  ...structureCommands.UndoAct,
  aggregate: subjectWithActs,
  streamId: bySubject,
  facts: inSubject,
  decide({ actId, partly }, state, known) {
    if (!isThere(state)) return refuse('not-found', NO_SUBJECT);
    const undo = structureUndo(actId, state, known);
    if (!undo) return refuse('not-found', NO_SUCH_CHANGE);
    return undo.stays.length > 0 && !partly ? whatStays(undo.events.length > 0, undo.stays) : undo.events;
  },
  answer: (_input, events) => ({ already: events.length === 0, students: 0, stays: [] }),
});
