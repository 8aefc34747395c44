/** What is asked before students are ranked. */
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { namedStudent } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';
import { totalFlag } from '../../contract/total-flag.ts';
import { rankingNorms, totalFlags } from './task-ranking.contract.ts';

const warning = z.discriminatedUnion('about', [
  z.object({ about: z.literal(['few-sat', 'far-apart']), testId: id, name: z.string() }),
  z.object({ about: z.literal('small-cohort'), students: z.int() }),
  z.object({ about: z.literal('sat-few'), ...namedStudent, sat: z.int(), of: z.int() }),
  z.object({ about: totalFlag, ...namedStudent, testId: id, test: z.string() }),
]);

const byHand = z.array(
  z.object({
    ...namedStudent,
    ranking: z.int().nullable().describe('null: not given by hand'),
    score: z.number().nullable().describe('null: not given by hand'),
    exempt: z.boolean(),
  }),
);

const preview = z
  .object({
    taskId: id,
    refused: z.string().nullable().describe('Why the students cannot be ranked so, for people. null: they can.'),
    errors: z.array(z.object({ path: z.string(), message: z.string() })),
    prior: z.object({ scores: z.int(), students: z.int(), mixed: z.boolean() }).describe('Of the exam, in the whole year group.'),
    rankingId: id.nullable().describe('The ranking that stands: `was` of RankTask. null: none'),
    digest: z.string().describe('Of the new ranking: `preview` of RankTask.'),
    same: z.boolean().describe('It is the ranking that stands: nothing would change.'),
    voids: z.array(z.object({ setId: id, name: z.string() })).describe('Classes whose check would be void.'),
    decisions: z
      .object({
        gone: byHand.describe('Would go: they overrode what was computed, or it is computed now.'),
        kept: byHand.describe('Would stay: these students had no score, and have none in the new ranking either.'),
      })
      .describe('What was decided by hand.'),
    norms: rankingNorms,
    warnings: z.array(warning),
    changes: z
      .object({
        scores: z.int().describe('Students whose score would be another.'),
        rankings: z.int().describe('Students whose ranking would be another.'),
        joined: z.int().describe('Students who are not in the ranking that stands.'),
        left: z.array(z.object(namedStudent)).describe('Students of the ranking that stands who would not be in the new one.'),
      })
      .nullable()
      .describe('Against the ranking that stands. null: there is none.'),
    students: z
      .array(
        z.object({
          ...namedStudent,
          setId: id,
          setName: z.string(),
          prior: z.string().nullable().describe('As typed. null: none'),
          points: z.number().nullable().describe('What the prior counts.'),
          totals: z.array(z.int().nullable()).describe("Parallel to the norms' tests. null: did not sit it."),
          totalFlags,
          sat: z.int(),
          given: z.int().describe('How many of the tests are given to the class: `sat` is of these.'),
          score: z.number().nullable().describe('null: sat none of the tests'),
          ranking: z.int().nullable(),
          residual: z.int().nullable(),
          was: z
            .object({ score: z.number().nullable(), ranking: z.int().nullable() })
            .nullable()
            .describe('In the ranking that stands, as it was computed. null: not in it.'),
        }),
      )
      .describe('By ranking, then by name.'),
  })
  .describe('What a ranking, or ranking again, would make, before anything is changed.');
export type RankingPreview = Answer<typeof preview>;

export const rankingQueries = {
  'ranking-preview': {
    input: z.object({ taskId: id, terminalExamId: id, testIds: z.array(id).max(100) }),
    answer: preview,
  },
};
