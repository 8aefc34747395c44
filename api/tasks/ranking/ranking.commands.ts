import { command } from '../../common/command.ts';
import { noFacts } from '../../common/facts.ts';
import { ofTask } from '../feedback-task.commands.ts';
import { feedbackTaskCommands } from '../feedback-task.contract.ts';
import { removeRanking } from '../feedback-task.rules.ts';
import { rankingFacts } from './ranking.facts.ts';
import { planRanking } from './ranking.rules.ts';

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
