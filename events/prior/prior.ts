import { z } from 'zod';
import type { Aggregate } from '../aggregate.ts';
import type { ReadEventOf, Recorded } from '../codec/event.ts';
import { event, sealedByAuthor } from '../codec/event.ts';
import { id } from '../fields.ts';

const scoreFields = {
  subjectId: id,
  /** calendar year in which the students completed the exam */
  yearCompleted: z.int().min(1),
  /** Each as it was typed: a number, or a letter from A* to G or U in either case. Nobody without a score. */
  scores: z.array(z.strictObject({ studentId: id, score: z.string().min(1).max(20) })).min(1),
};

/** Storage contract of `prior-{schoolId}.{terminalExamId}`: what students have achieved in a terminal exam. */
export const priorEvents = {
  PriorScoresUploaded: event(1, z.strictObject({ ...scoreFields, about: sealedByAuthor(z.strictObject({ fileName: z.string() })) })),
  PriorScoresEntered: event(1, z.strictObject(scoreFields)),
  /** The statements of an upload or entry no longer count; those of others do. */
  PriorScoresUndone: event(1, z.strictObject({ subjectId: id, commandId: id })),
  PriorScoresRedone: event(1, z.strictObject({ subjectId: id, commandId: id })),
};

export type PriorEvent = Recorded<ReadEventOf<typeof priorEvents>>;

/** One statement of a student's score. */
export type PriorStatement = {
  readonly commandId: string;
  readonly yearCompleted: number;
  readonly score: string;
  readonly undone: boolean;
};

/** The statement that counts, of all about a student in the order of the log: the last one of the latest year completed. */
export const countingStatement = <Said extends Pick<PriorStatement, 'yearCompleted' | 'undone'>>(
  statements: readonly Said[],
): Said | undefined =>
  statements
    .filter(({ undone }) => !undone)
    .reduce<Said | undefined>((best, one) => (best && best.yearCompleted > one.yearCompleted ? best : one), undefined);

/** An upload, or what was entered at once. */
export type PriorAct = {
  readonly author: string;
  readonly yearCompleted: number;
  readonly scores: ReadonlyMap<string, string>;
  readonly undone: boolean;
};
/** By command, in the order of the log. */
export type Prior = { readonly acts: Map<string, PriorAct> };

export const prior: Aggregate<Prior, PriorEvent> = {
  category: 'prior',
  initial: () => ({ acts: new Map() }),
  evolve: (state, { type, data, metadata }) => {
    switch (type) {
      case 'PriorScoresUploaded':
      case 'PriorScoresEntered':
        state.acts.set(metadata.commandId, {
          author: metadata.actor.accountId,
          yearCompleted: data.yearCompleted,
          scores: new Map(data.scores.map(({ studentId, score }) => [studentId, score])),
          undone: false,
        });
        break;
      case 'PriorScoresUndone':
      case 'PriorScoresRedone': {
        const act = state.acts.get(data.commandId);
        if (act) state.acts.set(data.commandId, { ...act, undone: type === 'PriorScoresUndone' });
        break;
      }
    }
    return state;
  },
};

/** The score of a student that counts, and the year in which it was completed. */
export const scoreNow = ({ acts }: Prior, studentId: string): { readonly score: string; readonly yearCompleted: number } | undefined =>
  countingStatement(
    [...acts.values()].flatMap(({ yearCompleted, scores, undone }) => {
      const score = scores.get(studentId);
      return score === undefined ? [] : [{ yearCompleted, score, undone }];
    }),
  );
