import type { MarktrailEvent } from '../../../events/registry.ts';
import { command } from '../../common/command.ts';
import { mayWriteSet } from '../../actor.ts';
import { ofTask } from '../feedback-task.commands.ts';
import { recordedCommands } from './recorded-ranking.contract.ts';
import { recordedFacts } from './recorded-ranking.facts.ts';
import { adoptRanking, assignRecordedGrades, recordRanking } from './recorded-ranking.rules.ts';

/** Rows of a ranking that was made elsewhere, as they are sent. */
export const RecordRanking = command({
  largest: 'upload',
  ...recordedCommands.RecordRanking,
  ...ofTask,
  facts: recordedFacts,
  decide: ({ rows }, state, facts, { actor }) =>
    recordRanking(state, rows, {
      ...facts,
      leads: actor.role !== 'teacher',
      mayWrite: (setId) => mayWriteSet(actor, { setId, subjectId: state.subjectId ?? '' }),
    }),
  touches: (_input, { subjectId = '' }, decided) => ({ subjectId, setIds: [...new Set(decided.flatMap(setIdsIn))] }),
  answer: () => ({}),
});

const setIdsIn = ({ type, data }: MarktrailEvent): readonly string[] =>
  type === 'RankingRecorded'
    ? data.rows.map(({ setId }) => setId)
    : type === 'RankingChecked' || type === 'GradesChecked'
      ? [data.setId]
      : [];

/** The step to 2 by what was sent; its undo is RemoveRanking. */
export const AdoptRanking = command({
  ...recordedCommands.AdoptRanking,
  ...ofTask,
  facts: recordedFacts,
  decide: (_input, state, facts) => adoptRanking(state, facts),
  touches: (_input, { subjectId = '' }) => ({ subjectId, setIds: [] }),
  answer: (_input, events, _facts, { commandId }) => ({ rankingId: events.length > 0 ? commandId : null }),
});

/** The step to 4 by what was sent; its undo is ReopenGrades. */
export const AssignRecordedGrades = command({
  ...recordedCommands.AssignRecordedGrades,
  ...ofTask,
  facts: recordedFacts,
  decide: (_input, state, { setName }) => assignRecordedGrades(state, setName),
  touches: (_input, { subjectId = '' }) => ({ subjectId, setIds: [] }),
  answer: (_input, _events, _facts, { commandId }) => ({ gradesId: commandId }),
});
