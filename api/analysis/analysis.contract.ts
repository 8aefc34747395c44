/** What is asked about a class and its students: class home and progress predictors. The figures are made by the functions beside this file. */
import { AWAYS } from '../contract/attendance.ts';
import { z } from 'zod';
import type { Answer } from '../contract/answer.ts';
import { namedStudent } from '../contract/answer.ts';
import { id, isoDate } from '../contract/fields.ts';
import { openMarks } from '../contract/total-flag.ts';
import { thresholds } from '../school/sets/sets.contract.ts';

const name = z.string().nullable().describe('null: forgotten');

/** Somebody whom a figure leaves out. */
export const leftOut = z
  .array(z.object({ ...namedStudent, why: z.literal([...AWAYS, 'no-marks', 'no-total']) }))
  .describe(
    'Of the class, with the StudentID beside a name that another one of it has, and why: absent or exempt; without any mark that counts (question figures); without a staff total (averages).',
  );

const marks = z.object({
  sum: z.int(),
  n: z.int().describe('How many students these marks are of; a question that one of them left out counts 0.'),
  open: openMarks,
});
const target = z.object({ questionId: id, ratio: z.number(), difference: z.number() });
const targets = z
  .object({ strengths: z.array(target), weaknesses: z.array(target) })
  .describe('`ratio`: of the class, 0 to 1; `difference`: from all students. Weaknesses worst first.');

const paper = {
  testId: id,
  name: z.string(),
  max: z.int().nullable().describe('null: no questions yet'),
};
/** A question on a paper. */
export const question = { questionId: id, number: z.int(), topic: z.string(), max: z.int() };
const rag = z.enum(['red', 'amber', 'green']).nullable().describe("By the class's thresholds. null: nothing was asked yet.");
const value = z.int().nullable().describe('100 * marks / available, truncated. null: nothing was asked yet.');
const bearing = z.object({
  testId: id,
  questionId: id,
  byHand: z.boolean().describe('Mapped to the topic by hand.'),
  through: z.array(id).describe('The pre-requisites in the topic tree (`prerequisites`) by which it bears on the topic.'),
  marks: z.int(),
  available: z.int(),
  open: openMarks,
});
const topic = { schemeTopicId: id, name: z.string() };
const ofTopic = {
  value,
  rag,
  marks: z.int(),
  available: z.int(),
  predicted: z.boolean().describe('No question is of the topic itself: the value comes from its pre-requisites alone.'),
  open: openMarks,
};

const ofClass = {
  setId: id,
  name: z.string(),
  subjectId: id,
  yearGroupId: id,
  students: z.int().describe('In the class now: of these are the figures, wherever they sat a test.'),
  thresholds,
  scheme: z
    .object({ schemeId: id, name: z.string() })
    .nullable()
    .describe('Of the class, or the one that was asked for; null: it is deleted.'),
  prerequisites: z.array(z.object({ topicId: id, name: z.string() })).describe('The topics of the tree that are named in this answer.'),
  tests: z.array(z.object({ ...paper, questions: z.array(z.object(question)) })).describe('Those that somebody of the class has marks in.'),
};

const classHome = z
  .object({
    ...ofClass,
    topics: z
      .array(z.object({ ...topic, ...ofTopic, questions: z.array(bearing).describe('On which it rests: those that the class was asked.') }))
      .describe('Of the scheme, in its order.'),
    completed: z
      .array(
        z.object({
          ...paper,
          day: isoDate.nullable().describe('On which the class sat it; null: unknown.'),
          average: z
            .object({ n: z.int(), mean: z.number().nullable(), sd: z.number().nullable(), open: openMarks })
            .describe('Of the staff totals, in per cent, null without questions; the SD is that of a sample, null of one student.'),
          all: z
            .object({ n: z.int(), mean: z.number().nullable(), open: openMarks })
            .describe('The same of everybody of the subject who has a staff total in it.'),
          leftOut,
          questions: z
            .array(
              z.object({
                ...question,
                own: marks,
                all: marks,
                reliability: z
                  .number()
                  .nullable()
                  .describe('Of a claim about a student in all questions of its topic, by the alpha of all students. null: unknown.'),
              }),
            )
            .describe('Those that somebody of the class has a mark for, by the marks that count.'),
          reliability: z
            .number()
            .nullable()
            .describe(
              'Of a claim about one of these questions, by the alpha of all students; below 0.5 it is not enough evidence. null: unknown.',
            ),
          targets: z
            .object({ percentage: targets, comparison: targets })
            .describe('Ordered by the percentage of the class, or by its difference from all students.'),
        }),
      )
      .describe('Assessments in which somebody of the class has a staff total, newest first.'),
  })
  .describe('A class at a glance: topics of its scheme of work, and its completed assessments.');
export type ClassHome = Answer<typeof classHome>;
/** An assessment with the questions on its paper now, in order. */
export type Paper = ClassHome['tests'][number];

const predictors = z
  .object({
    ...ofClass,
    schemes: z.array(z.object({ schemeId: id, name: z.string() })).describe('Of the subject.'),
    topics: z.array(
      z.object({
        ...topic,
        questions: z.array(bearing).describe('On which it rests, with the marks of the whole class.'),
        predicted: z.boolean().describe('No question is of the topic itself: its values come from its pre-requisites alone.'),
      }),
    ),
    of: z
      .array(
        z.object({
          ...namedStudent,
          topics: z
            .array(z.object({ value, rag, marks: z.int(), available: z.int(), open: openMarks }).nullable())
            .describe('Parallel to `topics`. null: nothing was asked yet.'),
        }),
      )
      .describe('The students of the class, by name.'),
  })
  .describe('Topics of a scheme of work by student.');
export type Predictors = Answer<typeof predictors>;

const breakdown = z
  .object({
    setId: id,
    subjectId: id,
    studentId: id,
    student: name,
    thresholds,
    ...topic,
    ...ofTopic,
    prerequisites: z.array(z.object({ topicId: id, name: z.string() })),
    questions: z
      .array(z.object({ ...question, ...bearing.omit({ marks: true, available: true }).shape, test: z.string(), mark: z.int().nullable() }))
      .describe('That the student was asked. `mark` null: left out, which counts 0.'),
  })
  .describe('On which questions the value of a student in a topic rests.');
export type Breakdown = Answer<typeof breakdown>;

export const analysisQueries = {
  'class-home': { input: z.object({ setId: id }), answer: classHome },
  /** `schemeId`: of the subject; left out: that of the class. */
  'progress-predictors': { input: z.object({ setId: id, schemeId: id.optional() }), answer: predictors },
  'predictor-questions': { input: z.object({ setId: id, studentId: id, schemeTopicId: id }), answer: breakdown },
};
