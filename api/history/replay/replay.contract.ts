/** Every change of what a markbook shows. It is folded in the browser, by replay.formula.ts. */
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { instant, namedStudent } from '../../contract/answer.ts';
import { id } from '../../contract/fields.ts';
import { markbookTotal } from '../../marks/marks.contract.ts';

/** So many changed cells are in an answer at most: those before are in its `start`. */
export const MOST_CELLS = 60_000;

const place = z.int().min(0);
const replayRanking = z.object({
  taskId: id,
  tests: z.array(z.tuple([place, z.int()])).describe('Each with the maximum of then.'),
  priors: z.array(z.tuple([place, z.number().nullable()])).describe('In points, of everybody who was ranked.'),
  shares: z.array(z.object({ label: z.string(), percent: z.int() })).describe('By which grades are allocated. Empty: none are.'),
});
export type ReplayRanking = Answer<typeof replayRanking>;
const changes = {
  classes: z.array(z.tuple([id, z.string().nullable()])).exactOptional(),
  tests: z.array(z.tuple([place, z.object({ name: z.string(), max: z.int().nullable() }).nullable()])).exactOptional(),
  students: z.array(z.tuple([place, id.nullable()])).exactOptional(),
  cells: z.array(z.tuple([place, place, place.nullable()])).exactOptional(),
  results: z
    .array(
      z.tuple([place, z.object({ ranking: z.int().nullable(), score: z.number().nullable(), grade: z.string().nullable() }).nullable()]),
    )
    .exactOptional(),
  ranking: replayRanking
    .nullable()
    .exactOptional()
    .describe('What the results rest on. null: there are none, or the ranking was made elsewhere.'),
};
const replayChanges = z
  .object(changes)
  .describe(
    'What is set, in this order: names of classes, columns, the class of a student, totals (student, assessment, value), results of the ranking. null: gone, or empty. Students, assessments and values are places in the lists of the answer.',
  );
export type ReplayChanges = Answer<typeof replayChanges>;

const replayStep = z.object({
  eventId: id,
  type: z.string().describe('Of the event.'),
  at: instant,
  by: place.describe('In `people`.'),
  ...changes,
});
export type ReplayStep = Answer<typeof replayStep>;

const replay = z
  .object({
    yearGroupId: id,
    year: z.int(),
    subject: z.object({ subjectId: id, name: z.string() }),
    people: z.array(z.string().nullable()).describe('Who changed something. null: forgotten.'),
    students: z.array(z.object(namedStudent)).describe('Everybody who was on roll there once, with the names of today.'),
    tests: z.array(id),
    values: z.array(markbookTotal).describe('Every total that stood in a cell, each once.'),
    since: instant.nullable().describe('Of the first step, where earlier ones are left out and summed up in `start`. null: none are.'),
    start: replayChanges,
    steps: z.array(replayStep),
  })
  .describe('Every change of what the markbook of a year group shows, in the order of the log. Each step is an event.');
export type Replay = Answer<typeof replay>;

export const replayQueries = { replay: { input: z.object({ yearGroupId: id }), answer: replay } };
