import { priorMessages } from '#api/prior/prior-score.contract';
import { useState } from 'react';
import { useCommand } from '../../../ui/sending/useSend.ts';
import { useSession } from '../../../ui/session/Session.tsx';
import { useUnsaved } from '../../../ui/session/unsaved.ts';
import { counted, some } from '../../format.ts';
import { usePriorScores } from '../queries.ts';
import type { Student, TypedScores } from './typed-scores.ts';
import { errorOf, isScoreOvertaken, nameOf, storedOf, toSubmit, typedInto } from './typed-scores.ts';

type Where = { readonly terminalExamId: string; readonly yearGroupId: string; readonly year: number | undefined };

/** What is typed into the scores of a year group, until it is submitted. */
export const useManualScores = ({ terminalExamId, yearGroupId, year }: Where) => {
  const subjectId = useSession().subject?.subjectId ?? '';
  const scores = usePriorScores(terminalExamId, yearGroupId);
  const [typed, setTyped] = useState<TypedScores>({});
  const students = scores.data?.students ?? [];
  const submitted = toSubmit(typed);
  useUnsaved(submitted.length > 0);

  const wrong = students.filter(({ studentId }) => errorOf(typed[studentId]) !== undefined);
  const overtaken = students.filter((student) => isScoreOvertaken(student, typed[student.studentId]));
  const { send, pending } = useCommand('EnterPriorScores', {
    invalidates: ['prior'],
    input: (entries: typeof submitted) => ({
      subjectId,
      terminalExamId,
      yearCompleted: year ?? 0,
      scores: entries.map(([studentId, { text, saw }]) => ({ studentId, score: text.trim(), was: saw })),
    }),
    notice: ({ stored }) => `${counted(stored, 'score')} stored`,
    undo: ({ commandId, stored }) =>
      stored === 0 ? undefined : (command) => command('UndoPriorScores', { subjectId, terminalExamId, commandId }),
    // Whatever was typed over while it was on its way stays.
    onDone: (_stored, entries) => {
      const sent = new Map(entries);
      setTyped((now) => Object.fromEntries(Object.entries(now).filter(([studentId, one]) => sent.get(studentId)?.text !== one.text)));
    },
  });

  return {
    scores,
    students,
    typed,
    count: submitted.length,
    pending,
    /** Why it cannot be submitted as it stands. */
    problem:
      wrong.length > 0
        ? `Correct the score of ${some(wrong.map(nameOf))}.`
        : overtaken.length > 0
          ? `Decide about the score of ${some(overtaken.map(nameOf))} first.`
          : submitted.length > 0 && year === undefined
            ? priorMessages.noYear
            : undefined,
    type: (student: Student, text: string) => setTyped((now) => typedInto(now, student, text)),
    /** The typed score knowingly replaces what somebody else has stored meanwhile. */
    keepMine: (student: Student) =>
      setTyped((now) => ({ ...now, [student.studentId]: { text: now[student.studentId]?.text ?? '', saw: storedOf(student) } })),
    discard: (student: Student) => setTyped(({ [student.studentId]: _gone, ...others }) => others),
    submit: () => void send(submitted),
  };
};
export type ManualScores = ReturnType<typeof useManualScores>;
