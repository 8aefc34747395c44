import type { RankedStudent, TaskRanking } from '#api/tasks/ranking/task-ranking.contract';
import { statusText } from '#api/tasks/task-status.contract';
import type { Task } from '#api/tasks/task.contract';
import { overtakenIn } from '../../../ui/drafts/overtaken.ts';
import { discardAll, discardWhere, rebaseOn, useSeen } from '../../../ui/drafts/useDraftStore.ts';
import { useSend } from '../../../ui/sending/useSend.ts';
import type { FinalDrafts, FinalInput, FinalSeen } from './final-check.ts';
import {
  decisionOf,
  gradeAfterRank,
  inputAbout,
  isDecisionOvertaken,
  isSameFinalInput,
  isStored,
  seenAfter,
  seenNow,
  storedInput,
  withInput,
  wrongIn,
} from './final-check.ts';

/** What ends the task: checks that are not waited for, and contested totals. */
type End = {
  readonly without: { setId: string; reason: string }[];
  readonly contested?: { totals: { studentId: string; testId: string }[]; reason: string };
};
/** How the fields of some students read when they are sent. `end`: the task ends with it. */
type Sent = {
  readonly decisions: readonly { readonly student: RankedStudent; readonly typed: FinalInput; readonly seen: FinalSeen }[];
  readonly end: End | undefined;
};
type Options = { readonly onDone: (isEnd: boolean) => void; readonly onFailed: () => void };

/** The fields of the final check: what is typed in them, what is wrong with it, and how it is stored. */
export const useFinalCheck = (task: Task, ranking: TaskRanking, store: FinalDrafts, { onDone, onFailed }: Options) => {
  const { taskId, teacherInput } = task;
  const { drafts } = useSeen(store);
  const inputOf = (student: RankedStudent): FinalInput => inputAbout(student, drafts[student.studentId]);
  const wrongOf = (student: RankedStudent) => wrongIn(inputOf(student), student.left);
  const changed = ranking.students.filter((student) => !isSameFinalInput(inputOf(student), storedInput(student)));
  const { send, pending, error } = useSend({
    showsError: true,
    act: async ({ decisions, end }: Sent, command) => {
      const rows = decisions.map(({ student, typed, seen }) => decisionOf(student, typed, seen));
      if (rows.length > 0) await command('DecideResults', { taskId, rows });
      if (end) await command('CompleteTask', { taskId, ...end });
    },
    invalidates: 'everything',
    notice: (_, { end }) => (end ? `${statusText(6, teacherInput)}. The feedback task has ended.` : 'Saved.'),
    onDone: (_, { decisions, end }) => {
      if (end) discardAll(store);
      onDone(end !== undefined);
      rebaseOn(
        store,
        decisions.map(({ student, typed }) => [student.studentId, seenAfter(student, typed)]),
      );
    },
    onFailed,
  });
  return {
    inputOf,
    wrongOf,
    changed,
    pending,
    error,
    /** While it is sent, what comes back is one's own decision. */
    overtaken: overtakenIn(store, pending ? [] : changed.map((student) => [student.studentId, seenNow(student)] as const), ({ saw }, now) =>
      isDecisionOvertaken(saw, now),
    ),
    /** A field may be empty when it is saved, but what is typed in it has to be valid. */
    isUnsendable: changed.some((student) => {
      const [wrong, input] = [wrongOf(student), inputOf(student)];
      return (wrong.ranking !== undefined && input.ranking.trim() !== '') || (wrong.score !== undefined && input.score.trim() !== '');
    }),
    change: (student: RankedStudent, part: Partial<FinalInput>) => {
      const grade = part.ranking === undefined ? undefined : gradeAfterRank(ranking, student.grade, inputOf(student), part.ranking);
      const draft = withInput(drafts[student.studentId], student, { ...(grade !== undefined && { grade }), ...part }, pending);
      store.put({ [student.studentId]: draft });
    },
    discard: () => discardAll(store),
    /** Resolves to whether it was stored. What was stored stays in the fields until the results have been read again. */
    save: async (end?: End): Promise<boolean> => {
      const decisions = changed.map((student) => ({
        student,
        typed: inputOf(student),
        seen: drafts[student.studentId]?.saw ?? seenNow(student),
      }));
      const isDone = await send({ decisions, end });
      if (isDone) discardWhere(store, isStored);
      return isDone;
    },
  };
};
