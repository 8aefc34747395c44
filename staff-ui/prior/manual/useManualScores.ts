import { priorMessages } from '#api/prior/prior-score.contract';
import { overtakenIn } from '../../../ui/drafts/overtaken.ts';
import { discardWhere, rebaseOn, useMemoryDrafts, useSeen } from '../../../ui/drafts/useDraftStore.ts';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import { useUnsaved } from '../../../ui/session/unsaved.ts';
import { counted, some } from '../../format.ts';
import { usePriorScores } from '../queries.ts';
import type { Student } from './typed-scores.ts';
import { errorOf, isStored, nameOf, storedOf, toSubmit } from './typed-scores.ts';

type Where = { readonly terminalExamId: string; readonly yearGroupId: string; readonly year: number | undefined };

/** What is typed into the scores of a year group, until it is submitted. */
export const useManualScores = ({ terminalExamId, yearGroupId, year }: Where) => {
  const subjectId = useSession().subject?.subjectId ?? '';
  const scores = usePriorScores(terminalExamId, yearGroupId);
  const store = useMemoryDrafts<string, string | null>();
  const { drafts } = useSeen(store);
  const students = scores.data?.students ?? [];
  const submitted = toSubmit(drafts);
  useUnsaved(submitted.length > 0);

  const wrong = students.filter(({ studentId }) => errorOf(drafts[studentId]) !== undefined);
  const { send, pending } = useCommand('EnterPriorScores', {
    invalidates: ['prior'],
    input: (entries: typeof submitted) => ({
      subjectId,
      terminalExamId,
      yearCompleted: year ?? 0,
      scores: entries.map(([studentId, { value, saw }]) => ({ studentId, score: value.trim(), was: saw })),
    }),
    notice: ({ stored }) => `${counted(stored, 'score')} stored`,
    undo: ({ commandId, stored }) =>
      stored === 0 ? undefined : (command) => command('UndoPriorScores', { subjectId, terminalExamId, commandId }),
    onDone: (_stored, entries) =>
      rebaseOn(
        store,
        entries.map(([studentId, { value }]) => [studentId, value.trim()]),
      ),
  });
  const overtaken = (student: Student) => {
    // While it is sent, it is one's own score that comes back.
    const one = overtakenIn(store, pending ? [] : [[student.studentId, storedOf(student)]], ({ saw }, now) => saw !== now);
    return one.keys.size > 0 ? one : undefined;
  };
  const undecided = students.filter((student) => overtaken(student));
  /** What is stored stays in the fields until the scores are read anew; what was typed over it meanwhile stays for longer. */
  const submit = async () => {
    if (await send(submitted)) discardWhere(store, isStored);
  };

  return {
    scores,
    students,
    drafts,
    count: submitted.length,
    pending,
    /** Why it cannot be submitted as it stands. */
    problem:
      wrong.length > 0
        ? `Correct the score of ${some(wrong.map(nameOf))}.`
        : undecided.length > 0
          ? `Decide about the score of ${some(undecided.map(nameOf))} first.`
          : submitted.length > 0 && year === undefined
            ? priorMessages.noYear
            : undefined,
    /** Text that is stored already, or no text, is nothing to submit. */
    type: (student: Student, value: string) =>
      !pending && value.trim() === (storedOf(student) ?? '')
        ? store.discard([student.studentId])
        : store.type({ [student.studentId]: { value, saw: storedOf(student) } }),
    /** undefined: nobody else has stored another score since typing began */
    overtaken,
    submit: () => void submit(),
  };
};
export type ManualScores = ReturnType<typeof useManualScores>;
