import { changesOf, words } from '../change.ts';
import type { Change, Descriptions } from '../sentence.ts';
import { count, things, typed } from '../sentence.ts';
import type { priorEvents } from './prior.ts';

export const priorSentences: Descriptions<typeof priorEvents> = {
  PriorScoresUploaded: {
    says: ({ id, data }) => [
      `uploaded ${count(data.scores.length, 'prior score')} of `,
      things('exam', id),
      `, completed in ${data.yearCompleted}, from ${typed(data.about, ({ fileName }) => fileName)}`,
    ],
    changes: ({ id, data }) => scoresOf(id, data),
  },
  PriorScoresEntered: {
    says: ({ id, data }) => [
      `entered ${count(data.scores.length, 'prior score')} of `,
      things('exam', id),
      `, completed in ${data.yearCompleted}`,
    ],
    changes: ({ id, data }) => scoresOf(id, data),
  },
  PriorScoresUndone: { says: ({ id }) => ['undid an upload or entry of prior scores of ', things('exam', id)] },
  PriorScoresRedone: { says: ({ id }) => ['redid an upload or entry of prior scores of ', things('exam', id)] },
};

type Scores = { readonly yearCompleted: number; readonly scores: readonly { readonly studentId: string; readonly score: string }[] };

const scoresOf = (id: string, { yearCompleted, scores }: Scores): readonly Change[] =>
  scores.flatMap(({ studentId, score }) =>
    changesOf('student', studentId, { 'Prior score': words(`${score} (${yearCompleted})`) }, { kind: 'exam', id }),
  );
