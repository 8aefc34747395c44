import type { FeedbackTask, TaskMap } from '../../events/tasks/feedback-task.ts';
import { feedbackTask } from '../../events/tasks/feedback-task.ts';
import type { InputError } from '../contract/problem.ts';
import { command, refuse, refuseInput } from '../common/command.ts';
import { noFacts } from '../common/facts.ts';
import { feedbackTaskCommands } from './feedback-task.contract.ts';
import type { MapFacts } from './feedback-task.facts.ts';
import { addedMapFacts, editedMapsFacts, emptyTaskFacts, newTaskFacts } from './feedback-task.facts.ts';
import { wrongExpiry } from './task-fields.contract.ts';
import { createTask, deleteTask, editTask, restoreTask } from './feedback-task.rules.ts';

/** What every command of a task that is there has in common. */
export const ofTask = {
  aggregate: feedbackTask,
  streamId: ({ taskId }: { readonly taskId: string }): string => taskId,
  subjectOf: ({ subjectId }: FeedbackTask): string | undefined => subjectId,
};

export const CreateFeedbackTask = command({
  ...feedbackTaskCommands.CreateFeedbackTask,
  aggregate: feedbackTask,
  streamId: (_input, { newId }) => newId('feedback-task'),
  facts: newTaskFacts,
  decide(input, _state, facts, { at }) {
    const wrongDay = wrongExpiry(input.expiry, at);
    if (wrongDay !== undefined) return refuseInput('expiry', wrongDay);
    const wrong = wrongMaps(input.maps, facts, input);
    return wrong.length > 0 ? refuse('invalid-input', WRONG_MAPS, wrong) : createTask(input, facts.prior);
  },
  touches: ({ subjectId }) => ({ subjectId, setIds: [] }),
  // task-mails.handler.ts adds who is notified.
  answer: (_input, _events, _known, { newId }) => ({ taskId: newId('feedback-task'), notified: 0, notNotified: [] }),
});

/** A task without assessments. */
export const OpenFeedbackTask = command({
  ...feedbackTaskCommands.OpenFeedbackTask,
  aggregate: feedbackTask,
  streamId: (_input, { newId }) => newId('feedback-task'),
  facts: emptyTaskFacts,
  decide(input, _state, facts, { at }) {
    const wrongDay = wrongExpiry(input.expiry, at);
    if (wrongDay !== undefined) return refuseInput('expiry', wrongDay);
    return createTask({ ...input, maps: [] }, facts.prior);
  },
  touches: ({ subjectId }) => ({ subjectId, setIds: [] }),
  answer: (_input, _events, _known, { newId }) => ({ taskId: newId('feedback-task') }),
});

/** One more assessment of a class, whatever others the task has. */
export const AddTaskMap = command({
  ...feedbackTaskCommands.AddTaskMap,
  ...ofTask,
  facts: addedMapFacts,
  decide({ setId, testId }, state, facts) {
    const { subjectId, yearGroupId, maps } = state;
    if (maps.some((map) => map.setId === setId && map.testId === testId)) return [];
    const decision = editTask(state, { maps: [...maps, { setId, testId }] });
    if ('code' in decision || subjectId === undefined) return decision;
    const [wrong] = wrongMaps([{ setId, testId }], facts, { subjectId, yearGroupId });
    return wrong ? refuse('not-found', wrong.message, [{ ...wrong, path: wrong.path.replace('maps.0.', '') }]) : decision;
  },
  answer: () => ({}),
});

export const EditFeedbackTask = command({
  ...feedbackTaskCommands.EditFeedbackTask,
  ...ofTask,
  facts: editedMapsFacts,
  decide({ taskId: _taskId, was, ...edit }, state, facts, { at }) {
    const wrongDay = edit.expiry === undefined || edit.expiry === state.expiry ? undefined : wrongExpiry(edit.expiry, at);
    if (wrongDay !== undefined) return refuseInput('expiry', wrongDay);
    const decision = editTask(state, edit, was);
    const { subjectId } = state;
    if ('code' in decision || subjectId === undefined) return decision;
    // What it holds already may have been deleted since.
    const held = new Set(state.maps.map(keyOf));
    const wrong = wrongMaps(edit.maps ?? [], facts, { subjectId, yearGroupId: state.yearGroupId }, (map) => held.has(keyOf(map)));
    return wrong.length > 0 ? refuse('invalid-input', WRONG_MAPS, wrong) : decision;
  },
  answer: () => ({ notified: 0, notNotified: [] }),
});

export const DeleteFeedbackTask = command({
  ...feedbackTaskCommands.DeleteFeedbackTask,
  ...ofTask,
  facts: noFacts,
  decide: (_input, state) => deleteTask(state),
  answer: () => ({}),
});

export const RestoreFeedbackTask = command({
  ...feedbackTaskCommands.RestoreFeedbackTask,
  ...ofTask,
  facts: noFacts,
  decide: (_input, state) => restoreTask(state),
  answer: () => ({}),
});

const WRONG_MAPS = 'Choose classes of this year group, and assessments of this subject.';

const keyOf = ({ setId, testId }: TaskMap): string => `${setId} ${testId}`;

/** Classes that are not of the year group, and assessments that are not of the subject. */
const wrongMaps = (
  maps: readonly TaskMap[],
  { sets, tests }: MapFacts,
  { subjectId, yearGroupId }: { readonly subjectId: string; readonly yearGroupId: string },
  isHeld: (map: TaskMap) => boolean = () => false,
): readonly InputError[] =>
  maps.flatMap((map, index) => {
    if (isHeld(map)) return [];
    const set = sets.get(map.setId);
    return [
      ...(set?.subjectId === subjectId && set.yearGroupId === yearGroupId
        ? []
        : [{ path: `maps.${index}.setId`, message: 'There is no such class in this year group.' }]),
      ...(tests.get(map.testId) === subjectId
        ? []
        : [{ path: `maps.${index}.testId`, message: 'There is no such assessment in this subject.' }]),
    ];
  });
