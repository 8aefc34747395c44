import { command, refuse } from '../../common/command.ts';
import { mayReadSubject, mayWriteSet } from '../../actor.ts';
import { ofTask } from '../feedback-task.commands.ts';
import { noTask } from '../feedback-task.rules.ts';
import { recordedCommands } from './recorded-ranking.contract.ts';
import { recordedFacts } from './recorded-ranking.facts.ts';
import { adoptRanking, assignRecordedGrades, recordRanking } from './recorded-ranking.rules.ts';

/** Rows of a ranking that was made elsewhere, as they are sent. */
export const RecordRanking = command({
  largest: 'upload',
  ...recordedCommands.RecordRanking,
  ...ofTask,
  facts: recordedFacts,
  decide({ rows }, state, known, { actor }) {
    if (state.subjectId === undefined || !mayReadSubject(actor, state.subjectId)) return noTask();
    const twice = rows.findIndex(({ studentId }, index) => rows.findIndex((other) => other.studentId === studentId) < index);
    if (twice >= 0) return refuse('invalid-input', TWICE, [{ path: `rows.${twice}`, message: TWICE }]);
    const foreign = rows.findIndex(({ testIds = [] }) => testIds.some((testId) => !known.tests.has(testId)));
    if (foreign >= 0) return refuse('not-found', NO_TEST, [{ path: `rows.${foreign}.testIds`, message: NO_TEST }]);
    const { subjectId } = state;
    const mayWrite = (setId: string) => mayWriteSet(actor, { setId, subjectId });
    return recordRanking(state, rows, { ...known, leads: actor.role !== 'teacher', mayWrite });
  },
  touches: (_input, { subjectId = '' }, decided) => ({
    subjectId,
    setIds: [...new Set(decided.flatMap((event) => (event.type === 'RankingRecorded' ? event.data.rows.map(({ setId }) => setId) : [])))],
  }),
  answer: () => ({}),
});
const NO_TEST = 'There is no such assessment in this subject.';
const TWICE = 'A student can be listed once.';

/** The step to 2 by what was sent; its undo is RemoveRanking. */
export const AdoptRanking = command({
  ...recordedCommands.AdoptRanking,
  ...ofTask,
  facts: recordedFacts,
  decide: (_input, state, known) => (state.subjectId === undefined ? noTask() : adoptRanking(state, known)),
  touches: (_input, { subjectId = '' }) => ({ subjectId, setIds: [] }),
  answer: (_input, _events, _known, { commandId }) => ({ rankingId: commandId }),
});

/** The step to 4 by what was sent; its undo is ReopenGrades. */
export const AssignRecordedGrades = command({
  ...recordedCommands.AssignRecordedGrades,
  ...ofTask,
  facts: recordedFacts,
  decide: (_input, state, { setName }) => (state.subjectId === undefined ? noTask() : assignRecordedGrades(state, setName)),
  touches: (_input, { subjectId = '' }) => ({ subjectId, setIds: [] }),
  answer: (_input, _events, _known, { commandId }) => ({ gradesId: commandId }),
});
