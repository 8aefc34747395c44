/**
 * Questions have an identity, on which marks and mappings hang: which question of an assessment is the one under each number of a file?
 * The page that previews a file and the command that takes it use this, so that they ask the same.
 */
import type { ChangedQuestion, HeldQuestion } from '../contract/questions.ts';

export type FileQuestion = { readonly number: number; readonly topic: string; readonly marksAvailable: number };

/** The question under a number: the id of one on the paper (the same, or one that moved) or of a removed one that returns; null: a new one. */
export type AnsweredQuestion = { readonly number: number; readonly questionId: string | null };

type Paper = readonly HeldQuestion[];

export const isHeldTo = ({ marks, mappings }: Pick<HeldQuestion, 'marks' | 'mappings'>): boolean => marks > 0 || mappings > 0;

/** The numbers whose topic or maximum a file changes, or which it adds. `questions`: on the paper, and removed ones. */
export const changedQuestions = (file: readonly FileQuestion[], questions: Paper): readonly ChangedQuestion[] => {
  const now = new Map(onPaper(questions).map((question) => [question.number, question]));
  const stays = (row: FileQuestion | undefined, question: HeldQuestion): boolean =>
    row?.topic === question.topic && row.marksAvailable === question.marksAvailable;
  const rows = new Map(file.map((row) => [row.number, row]));
  const displaced = [...now.values()].filter((question) => isHeldTo(question) && !stays(rows.get(question.number), question));
  const removed = questions.filter((question) => question.removedAt !== null && isHeldTo(question));

  return file.flatMap((row) => {
    const was = now.get(row.number) ?? null;
    if (was && stays(row, was)) return [];
    const others = displaced.filter((question) => question !== was);
    const returning = removed.filter((question) => alike(question, row) || (!was && question.number === row.number));
    const likely = [was, ...others, ...returning].find((question) => question && alike(question, row));
    return [
      {
        ...row,
        was,
        mayBe: [...(was ? [was] : []), ...others, ...returning],
        likely: likely?.questionId ?? null,
        needed: (was !== null && isHeldTo(was)) || returning.length > 0 || others.some((question) => alike(question, row)),
      },
    ];
  });
};

/**
 * The question of each number of a file, null for a new one. A changed number on which nothing hangs needs no answer: it stays the question
 * that it is, unless another number was said to be that one.
 *
 * `unanswered`: what must be answered first, or was answered with a question that there is not.
 * `twice`, `unknown`: an answer that gives one question a second number, or names none of this assessment.
 */
export const identified = (
  file: readonly FileQuestion[],
  questions: Paper,
  answers: readonly AnsweredQuestion[],
):
  | { readonly ids: readonly (string | null)[] }
  | { readonly unanswered: readonly ChangedQuestion[] }
  | { readonly twice: AnsweredQuestion }
  | { readonly unknown: AnsweredQuestion } => {
  const questionIds = new Set(questions.map(({ questionId }) => questionId));
  const isKnown = ({ questionId }: AnsweredQuestion): boolean => questionId === null || questionIds.has(questionId);
  const answerOf = new Map(answers.filter(isKnown).map((answer) => [answer.number, answer]));
  const unknown = answers.filter((answer) => !isKnown(answer));
  const changed = changedQuestions(file, questions);
  const unanswered = changed.filter(
    ({ number, needed }) => !answerOf.has(number) && (needed || unknown.some((one) => one.number === number)),
  );
  if (unanswered.length > 0) return { unanswered };
  if (unknown[0]) return { unknown: unknown[0] };

  const taken = new Set<string>();
  for (const answer of answerOf.values()) {
    if (answer.questionId === null) continue;
    if (taken.has(answer.questionId)) return { twice: answer };
    taken.add(answer.questionId);
  }
  const now = new Map(onPaper(questions).map((question) => [question.number, question]));
  const silent = file.filter(({ number }) => !answerOf.has(number));
  const changedNumbers = new Set(changed.map(({ number }) => number));
  for (const { number } of silent) {
    const stays = now.get(number);
    const claimed = stays && [...answerOf.values()].find(({ questionId }) => questionId === stays.questionId);
    if (claimed && !changedNumbers.has(number)) return { twice: claimed };
  }
  return {
    ids: file.map(({ number }) => {
      const answer = answerOf.get(number);
      if (answer) return answer.questionId;
      const stays = now.get(number)?.questionId;
      return stays === undefined || taken.has(stays) ? null : stays;
    }),
  };
};

const onPaper = (questions: Paper): Paper => questions.filter(({ removedAt }) => removedAt === null);

const alike = (question: FileQuestion, row: FileQuestion): boolean => plain(question.topic) === plain(row.topic);

const plain = (topic: string): string => topic.trim().normalize('NFC').toLowerCase();
