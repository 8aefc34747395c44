import type { QuestionRow } from '#api/assessments/questions-file.contract';
import type { AnsweredQuestion } from '#api/assessments/identity-of-questions.formula';
import type { ChangedQuestion, HeldQuestion } from '#api/contract/questions';
import { changedQuestions } from '#api/assessments/identity-of-questions.formula';
import type { AssessmentContents } from '#api/assessments/assessments.contract';
import { useState } from 'react';
import { counted, listed } from '../format.ts';

/** A number that may be one of several questions. `is`: the chosen question's id; 'new'; undefined: to be chosen. */
export type Choice = ChangedQuestion & { readonly is: string | undefined; readonly alsoUnder: number | undefined };

export const NEW = 'new';

/** Which question each number of a file is: what its topic suggests, else what the user says. */
export const useWhich = ({ questions, removed }: AssessmentContents, rows: readonly QuestionRow[]) => {
  const [choicesByNumber, setChoicesByNumber] = useState<ReadonlyMap<number, string>>(new Map());
  const file = rows.map(({ number, topic, max }) => ({ number, topic, marksAvailable: max }));
  const changed = changedQuestions(file, [...questions, ...removed]);

  const chosen = changed.map((one) => ({ ...one, is: isOf(one, choicesByNumber.get(one.number)) }));
  const choices = chosen
    .filter(({ needed, mayBe, was }) => needed || mayBe.some((question) => question !== was))
    .map((one): Choice => {
      const twin = chosen.find(({ number, is }) => number !== one.number && is !== undefined && is !== NEW && is === one.is);
      return { ...one, alsoUnder: twin?.number };
    });
  const kept = new Set([
    ...questions.filter(({ number }) => !changed.some((one) => one.number === number)).map(({ questionId }) => questionId),
    ...chosen.flatMap(({ is }) => is ?? []),
  ]);
  return {
    file,
    choices,
    choose: (number: number, is: string) => setChoicesByNumber((before) => new Map(before).set(number, is)),
    isReady: choices.every(({ is, alsoUnder }) => is !== undefined && alsoUnder === undefined),
    answers: choices.flatMap(({ number, is }): AnsweredQuestion[] =>
      is === undefined ? [] : [{ number, questionId: is === NEW ? null : is }],
    ),
    /** Leave the paper, with what hangs on them. */
    leaving: questions.filter(({ questionId, marks, mappings }) => !kept.has(questionId) && marks + mappings > 0),
  };
};

const isOf = ({ mayBe, likely, needed, was }: ChangedQuestion, choice: string | undefined): string | undefined => {
  if (choice === NEW || mayBe.some(({ questionId }) => questionId === choice)) return choice;
  return likely ?? (needed ? undefined : (was?.questionId ?? NEW));
};

/** 'the marks of 28 students and 1 topic mapping'; empty: nothing. */
export const heldBy = ({ marks, mappings }: Pick<HeldQuestion, 'marks' | 'mappings'>): string =>
  listed([
    ...(marks > 0 ? [`the marks of ${counted(marks, 'student')}`] : []),
    ...(mappings > 0 ? [counted(mappings, 'topic mapping')] : []),
  ]);
