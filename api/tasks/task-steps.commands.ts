import type { FeedbackTask } from '../../events/tasks/feedback-task.ts';
import type { Actor } from '../actor.ts';
import { mayWriteSet } from '../actor.ts';
import type { Refused } from '../common/command.ts';
import { command, refuse, refuseInput } from '../common/command.ts';
import { noFacts } from '../common/facts.ts';
import { checkGrades, checkRanking, remindTeachers } from './checks.rules.ts';
import { ofTask } from './feedback-task.commands.ts';
import { feedbackTaskCommands } from './feedback-task.contract.ts';
import { gradesCheckFacts, profileFacts, rankingCheckFacts, remainingFacts, teacherFacts } from './feedback-task.facts.ts';
import { noTask, removeRanking } from './feedback-task.rules.ts';
import { isSameShares } from './grades/grades.contract.ts';
import { assignGrades, completeTask, decideResults, reopenGrades } from './grades/grades.rules.ts';
import { rankingFacts } from './ranking/ranking.facts.ts';
import { planRanking } from './ranking/ranking.rules.ts';
import { sentCheck } from './ranking/recorded-ranking.rules.ts';
import { remindedText } from './task-fields.contract.ts';

/**
 * The initial ranking by the subject leader. Scores are computed here from what staff have entered: a request names tests and an exam only.
 * The norms and the cohort are frozen by it. A total that is entered while it is decided is not in it, and shows as a correction.
 */
export const RankTask = command({
  largest: 'upload',
  ...feedbackTaskCommands.RankTask,
  ...ofTask,
  facts: rankingFacts,
  decide: ({ taskId: _taskId, ...chosen }, state, facts) => planRanking(state, chosen, facts),
  touches: (_input, { task }) => ({ subjectId: task?.subjectId ?? '', setIds: [] }),
  answer: (_input, events, _known, { commandId }) => ({ rankingId: events.length > 0 ? commandId : null }),
});

/** The undo of a ranking. */
export const RemoveRanking = command({
  ...feedbackTaskCommands.RemoveRanking,
  ...ofTask,
  facts: noFacts,
  decide: ({ rankingId }, state) => removeRanking(state, rankingId),
  answer: () => ({}),
});

/** By the set's teacher; a leader or admin may stand in. */
export const CheckRanking = command({
  largest: 'upload',
  ...feedbackTaskCommands.CheckRanking,
  ...ofTask,
  facts: rankingCheckFacts,
  decide: ({ setId, rankingId, rows, was }, state, { stands, sent }, { actor }) =>
    mayNotCheck(state, setId, actor) ?? checkRanking(state, setId, rows ?? sentCheck(state, setId, sent), { seen: rankingId, was, stands }),
  touches: ({ setId }, { subjectId = '' }) => ({ subjectId, setIds: [setId] }),
  answer: () => ({}),
});

export const CheckGrades = command({
  largest: 'upload',
  ...feedbackTaskCommands.CheckGrades,
  ...ofTask,
  facts: gradesCheckFacts,
  decide: ({ setId, gradesId, rows, was }, state, { stands, sent }, { actor }) =>
    mayNotCheck(state, setId, actor) ?? checkGrades(state, setId, rows ?? sentCheck(state, setId, sent), { seen: gradesId, was, stands }),
  touches: ({ setId }, { subjectId = '' }) => ({ subjectId, setIds: [setId] }),
  answer: () => ({}),
});

/** Labels and percentages are the profile's of this moment: later edits of it change no grade. */
export const AssignGrades = command({
  ...feedbackTaskCommands.AssignGrades,
  ...ofTask,
  facts: profileFacts,
  decide({ gradeProfileId, without, was }, state, { profile, setName }) {
    if (state.subjectId === undefined || state.deleted) return noTask();
    if (profile?.yearGroupId !== state.yearGroupId)
      return refuseInput('gradeProfileId', 'There is no such grade profile in this year group.');
    if (was && !isSameShares(was, profile.grades))
      return refuse('conflict', 'Somebody else has changed this grade profile meanwhile. Look at it, then allocate the grades again.');
    return assignGrades(state, { gradeProfileId, grades: [...profile.grades], without }, setName);
  },
  answer: (_input, _events, _known, { commandId }) => ({ gradesId: commandId }),
});

/** The undo of allocating grades. */
export const ReopenGrades = command({
  ...feedbackTaskCommands.ReopenGrades,
  ...ofTask,
  facts: noFacts,
  decide: (_input, state) => reopenGrades(state),
  answer: () => ({}),
});

/** Taken back by deciding again: null is as it was computed. */
export const DecideResults = command({
  largest: 'upload',
  ...feedbackTaskCommands.DecideResults,
  ...ofTask,
  facts: noFacts,
  decide: ({ rows }, state) => decideResults(state, rows),
  answer: () => ({}),
});

/** After it only deletion is left. Who is no longer on roll needs nothing. */
export const CompleteTask = command({
  largest: 'upload',
  ...feedbackTaskCommands.CompleteTask,
  ...ofTask,
  facts: remainingFacts,
  decide: ({ without, contested }, state, facts) => completeTask(state, { without, contested }, facts),
  answer: () => ({}),
});

/** The mails follow from the event: see task-mails.handler.ts, which also limits how many. */
export const RemindTeachers = command({
  ...feedbackTaskCommands.RemindTeachers,
  ...ofTask,
  facts: teacherFacts,
  decide: ({ setIds }, state, sets) => remindTeachers(state, setIds, sets),
  answer(_input, events, sets, { repeated }) {
    const [reminded] = events.flatMap((event) => (event.type === 'TeachersReminded' ? [event.data] : []));
    const { accountIds = [], setIds = [] } = reminded ?? {};
    // Its classes may be called otherwise by now, and other addresses may be proved.
    if (repeated)
      return {
        message: 'These reminders were sent already.',
        teachers: 0,
        notNotified: [],
        leftOut: ['message' as const, 'teachers' as const, 'notNotified' as const],
      };
    return {
      message: remindedText(
        accountIds.length,
        setIds.map((setId) => sets.get(setId)?.name ?? 'a class'),
      ),
      teachers: accountIds.length,
      notNotified: [],
    };
  },
});

/** A teacher does not check somebody else's class. */
const mayNotCheck = ({ subjectId = '', maps }: FeedbackTask, setId: string, actor: Actor): Refused | undefined =>
  maps.some((map) => map.setId === setId) && !mayWriteSet(actor, { setId, subjectId })
    ? refuse('not-your-set', 'You may not check this class.')
    : undefined;
