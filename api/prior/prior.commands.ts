import type { MarktrailEvent, RecordedEvent } from '../../events/registry.ts';
import type { Prior } from '../../events/prior/prior.ts';
import { countingStatement, prior, scoreNow } from '../../events/prior/prior.ts';
import type { Context, Refused } from '../common/command.ts';
import { ask, command, refuse } from '../common/command.ts';
import type { PriorStored } from './prior.contract.ts';
import { priorCommands } from './prior.contract.ts';
import { noFacts } from '../common/facts.ts';
import type { PriorFacts } from './prior.facts.ts';
import { ofFile, ofStudents, ofUndo } from './prior.facts.ts';
import type { PlannedScore, PriorPlan } from './prior.rules.ts';
import { planFile } from './prior.rules.ts';
import { isSameScore } from './prior-score.contract.ts';

type Exam = { readonly subjectId: string; readonly terminalExamId: string };
const ofExam = {
  aggregate: prior,
  streamId: ({ terminalExamId }: Exam): string => terminalExamId,
  touches: ({ subjectId }: Exam) => ({ subjectId, setIds: [] }),
};

/** Scores from a file. Students who cannot be found are listed and left out, the rest is stored. */
export const UploadPriorScores = command({
  largest: 'upload',
  ...priorCommands.UploadPriorScores,
  ...ofExam,
  facts: ofFile,
  decide(input, state, facts, { actor }) {
    const plan = planFile(input, facts);
    if (!('scores' in plan)) return plan;
    const { subjectId, yearCompleted, fileName } = input;
    return decided(state, yearCompleted, plan.scores, actor.accountId, (scores) => ({
      type: 'PriorScoresUploaded',
      data: { subjectId, yearCompleted, scores, about: { fileName } },
    }));
  },
  answer: (input, events, facts, context) => stored(planFile(input, facts), events, context),
});

/** Scores that were typed. */
export const EnterPriorScores = command({
  largest: 'upload',
  ...priorCommands.EnterPriorScores,
  ...ofExam,
  facts: ofStudents,
  decide(input, state, facts, { actor }) {
    const plan = planTyped(input, facts);
    if (!('scores' in plan)) return plan;
    const { subjectId, yearCompleted } = input;
    return decided(state, yearCompleted, plan.scores, actor.accountId, (scores) => ({
      type: 'PriorScoresEntered',
      data: { subjectId, yearCompleted, scores },
    }));
  },
  answer: (input, events, facts, context) => stored(planTyped(input, facts), events, context),
});

/** Takes an upload or entry back. What it had replaced counts again, and so does the same score if others have entered it too. */
export const UndoPriorScores = command({
  ...priorCommands.UndoPriorScores,
  ...ofExam,
  facts: ofUndo,
  decide({ ask: isAsked, ...input }, state, facts) {
    const decision = turned('PriorScoresUndone', input, state);
    if (!isAsked || !Array.isArray(decision) || decision.length === 0) return decision;
    return askFirst(countedOf(state, input.commandId), facts.rankings) ?? decision;
  },
  answer: () => ({ undone: true }),
});

export const RedoPriorScores = command({
  ...priorCommands.RedoPriorScores,
  ...ofExam,
  facts: noFacts,
  decide: (input, state) => turned('PriorScoresRedone', input, state),
  answer: () => ({ undone: false }),
});

/** Taking back more scores than these is asked about first. */
const MANY = 100;

/** Asks before many scores are taken back, or some that rankings rest on; undefined: neither. */
const askFirst = (scores: number, rankings: number): Refused | undefined => {
  if (scores === 0 || (scores <= MANY && rankings === 0)) return undefined;
  const taken = `This takes back ${scores.toLocaleString('en-GB')} ${scores === 1 ? 'score' : 'scores'}.`;
  const stays = `${rankings === 1 ? '1 ranking rests' : `${rankings} rankings rest`} on this exam, and would not change by ${rankings === 1 ? 'itself' : 'themselves'}.`;
  return ask(rankings > 0 ? `${taken} ${stays}` : taken, [], { scores, rankings });
};

/** The number of students whose counting score comes from this act. */
const countedOf = ({ acts }: Prior, commandId: string): number =>
  [...(acts.get(commandId)?.scores.keys() ?? [])].filter((studentId) => {
    const statements = [...acts].flatMap(([id, { yearCompleted, scores, undone }]) =>
      scores.has(studentId) ? [{ id, yearCompleted, undone }] : [],
    );
    return countingStatement(statements)?.id === commandId;
  }).length;

type Typed = {
  readonly scores: readonly { readonly studentId: string; readonly score: string; readonly was?: string | null | undefined }[];
};

const planTyped = ({ scores }: Typed, facts: PriorFacts): PriorPlan | Refused => {
  const gone = [...scores.entries()].filter(([, { studentId }]) => !facts.students.has(studentId));
  if (gone.length > 0)
    return refuse(
      'not-found',
      `${gone.length} student(s) are no longer in a class of this subject. Reload to see who is.`,
      gone.map(([row]) => ({ path: `scores.${row}.studentId`, message: 'No longer in a class of this subject' })),
    );
  const last = new Map(scores.map((one) => [one.studentId, one]));
  return {
    scores: [...last.values()].flatMap(({ studentId, score, was }) => {
      const student = facts.students.get(studentId);
      return student ? [{ student, score, was }] : [];
    }),
    unmatched: [],
  };
};

type Scores = { studentId: string; score: string }[];

/** All of the scores or, where somebody else has changed one that the author saw otherwise, none. A repetition writes nothing. */
const decided = (
  state: Prior,
  yearCompleted: number,
  planned: readonly PlannedScore[],
  author: string,
  event: (scores: Scores) => MarktrailEvent,
): readonly MarktrailEvent[] | Refused => {
  const changed = planned.filter(({ student, was }) => was !== undefined && was !== (scoreNow(state, student.studentId)?.score ?? null));
  if (changed.length > 0) return changedMeanwhile(changed, state);
  const scores = planned.map(({ student: { studentId }, score }) => ({ studentId, score }));
  return scores.length === 0 || isRepeated(state, yearCompleted, scores, author) ? [] : [event(scores)];
};

const changedMeanwhile = (changed: readonly PlannedScore[], state: Prior): Refused =>
  refuse(
    'conflict',
    'Somebody else has changed scores meanwhile. Nothing was stored: look at them, then store yours again.',
    changed.map(({ student: { studentId, name } }) => ({
      path: `students.${studentId}`,
      message: `${name}: now ${scoreNow(state, studentId)?.score ?? 'no score'}`,
    })),
  );

/** Whether the same author has entered the same before, and all of it still counts. From somebody else it is agreement, which is stored. */
const isRepeated = (state: Prior, yearCompleted: number, scores: Scores, author: string): boolean => {
  const isNow = ({ studentId, score }: Scores[number]): boolean => {
    const now = scoreNow(state, studentId);
    return now !== undefined && isSameScore(now.score, score) && now.yearCompleted === yearCompleted;
  };
  return (
    scores.every(isNow) &&
    [...state.acts.values()].some(
      (act) =>
        !act.undone &&
        act.author === author &&
        act.yearCompleted === yearCompleted &&
        scores.every(({ studentId, score }) => isSameScore(act.scores.get(studentId), score)),
    )
  );
};

const turned = (
  type: 'PriorScoresUndone' | 'PriorScoresRedone',
  { subjectId, commandId }: Exam & { readonly commandId: string },
  state: Prior,
): readonly MarktrailEvent[] | Refused => {
  const act = state.acts.get(commandId);
  if (!act) return refuse('not-found', 'There is no such upload.');
  return act.undone === (type === 'PriorScoresUndone') ? [] : [{ type, data: { subjectId, commandId } }];
};

/** A repeated file names those who could not be found only if its other rows match the same students as before. */
const stored = (plan: PriorPlan | Refused, events: readonly RecordedEvent[], { commandId, repeated }: Context): PriorStored => {
  const event = events.find(({ type }) => type === 'PriorScoresUploaded' || type === 'PriorScoresEntered');
  const scores = event && 'scores' in event.data && Array.isArray(event.data.scores) ? event.data.scores : undefined;
  const planned = 'scores' in plan ? plan : { scores: [], unmatched: [] };
  if (scores === undefined) return { commandId, stored: 0, unchanged: planned.scores.length, unmatched: planned.unmatched };
  const answer = { commandId, stored: scores.length, unchanged: 0 };
  const before = new Map(scores.map(({ studentId, score }) => [studentId, score]));
  const isSame =
    planned.scores.length === before.size && planned.scores.every(({ student, score }) => before.get(student.studentId) === score);
  return repeated && event?.type === 'PriorScoresUploaded' && !isSame
    ? { ...answer, unmatched: [], leftOut: ['unmatched'] }
    : { ...answer, unmatched: planned.unmatched };
};
