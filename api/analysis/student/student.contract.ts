/** What students are asked and shown about themselves. Of others there is nothing but figures of at least five students, from a snapshot. */
import { ATTENDANCES } from '../../contract/attendance.ts';
import { z } from 'zod';
import type { Answer } from '../../contract/answer.ts';
import { id, isoDate } from '../../contract/fields.ts';
import { markFlag, totalFlag } from '../../contract/total-flag.ts';
import { thresholds } from '../../school/sets/sets.contract.ts';
import { question } from '../analysis.contract.ts';

const percent = z.int().nullable();
const entered = z
  .literal([0, 1, 2])
  .describe('0: no teacher’s total; 1: the student has none to it yet; 2: both are there, also where staff have marked every question.');
const against = z.enum(['higher', 'lower', 'in line']).nullable().describe('Against the class, beyond 15 points. null: not shown.');
const rag = z.enum(['red', 'amber', 'green']).nullable();

const flags = z.array(totalFlag).exactOptional().describe('What is open about the total of staff. Left out: nothing.');
const card = {
  testId: id,
  name: z.string(),
  max: z.int().nullable().describe('null: no questions yet'),
  day: isoDate.nullable().describe('On which it was sat; null: unknown.'),
  attendance: z.enum(ATTENDANCES),
  total: z.int().nullable().describe('Of staff; null: none.'),
  flags,
  ownTotal: z.int().nullable().describe('Confirmed by the student, else the sum of the staff’s marks if every question has one.'),
  entered,
  percent: z.number().nullable().describe('100 * total / max'),
  classPercent: percent.describe('The mean of the class: a whole per cent of a snapshot. null: fewer than five students.'),
  against,
  mismatch: z.boolean().describe('What the student submitted has another total than the teacher’s.'),
  message: z.string().nullable().describe('The mismatch alert, or what the student waits for; null: nothing to say.'),
};

const home = z
  .object({
    subjectId: id,
    subject: z.string(),
    set: z.object({ setId: id, name: z.string() }).nullable().describe('null: off roll'),
    thresholds,
    tests: z
      .array(z.object({ ...card, questions: z.boolean().describe('Some question has a mark that counts.') }))
      .describe('Visible ones, the newest first.'),
    exams: z.array(z.object({ terminalExamId: id, name: z.string(), yearSat: z.int() })),
    results: z
      .array(
        z.object({
          taskId: id,
          tests: z.array(z.string()).describe('The names of those that students see.'),
          ranking: z.int().nullable(),
          score: z.number().nullable(),
          grade: z.string().nullable(),
          overridden: z.array(z.enum(['ranking', 'score', 'grade'])).describe('What the subject leader decided otherwise than computed.'),
        }),
      )
      .nullable()
      .describe('Of complete feedback tasks; null: the school does not show them here.'),
  })
  .describe('What a student has done in a subject.');
export type StudentHome = Answer<typeof home>;

const target = z.object({
  questionId: id,
  difference: z.int().describe('Points above or below the average of all students, in per cent of the marks available.'),
  weak: z.boolean().nullable().describe('Too little evidence for a claim about its topic. null: unknown.'),
});
const feedback = z
  .object({
    ...card,
    subjectId: id,
    thresholds,
    questions: z
      .array(
        z.object({
          ...question,
          mark: z.int().nullable().describe('That counts; null: left out, which counts 0, or the student did not sit it.'),
          flags: z.array(markFlag).exactOptional().describe('What is open about it. Left out: nothing.'),
          average: percent.describe('Of everybody who sat it: a whole per cent of a snapshot. null: fewer than five, or no mark.'),
          value: percent.describe('100 * mark / max, truncated. null: nobody of the class has a mark for it, so that it was not asked.'),
          rag,
        }),
      )
      .describe('Empty: no question has a mark that counts.'),
    strengths: z.array(target).describe('At most 5, the furthest above the average first.'),
    targets: z.array(target).describe('At most 5, the furthest below the average first.'),
  })
  .describe('An assessment of a student, question by question.');
export type StudentCard = Answer<typeof feedback>;

const topics = z
  .object({
    subjectId: id,
    scheme: z
      .object({ schemeId: id, name: z.string() })
      .nullable()
      .describe('Of the class, or the one that was asked for; null: no class, or it is deleted.'),
    thresholds,
    topics: z.array(
      z.object({
        schemeTopicId: id,
        name: z.string(),
        value: percent.describe('100 * marks / available, truncated. null: nothing was asked yet.'),
        rag,
        predictedFrom: z
          .array(z.string())
          .describe('If no question is of the topic itself: the pre-requisites that the value comes from. Else none.'),
        questions: z.array(
          z.object({
            ...question,
            test: z.string(),
            mark: z.int().nullable().describe('null: left out, which counts 0.'),
          }),
        ),
      }),
    ),
  })
  .describe('Progress predictors: topics of the scheme of work of the class, and what a student got there in visible assessments.');
export type StudentTopics = Answer<typeof topics>;

const graph = z
  .object({
    testId: id,
    terminalExamId: id,
    exam: z.string(),
    total: z.int().nullable().describe('The student’s; null: none.'),
    from: z.int().nullable().describe('The lowest and highest total that is looked at: 90 and 110 % of the student’s own.'),
    to: z.int().nullable(),
    ends: z
      .array(z.object({ endScore: z.string(), count: z.int() }))
      .nullable()
      .describe('How students of earlier years with such a total ended, the best first. null: fewer than five of them.'),
  })
  .describe('How students of earlier years with a like total ended.');
export type GradeGraph = Answer<typeof graph>;

const tasks = z
  .object({
    tests: z.array(
      z.object({
        testId: id,
        name: z.string(),
        subjectId: id,
        subject: z.string(),
        taskId: id.nullable().describe('The open feedback task that it belongs to; null: it only waits for the student’s marks.'),
        expiry: isoDate.nullable().describe('null: no task'),
        overdue: z.boolean().describe('The day has passed, and the student has not submitted.'),
        submitted: z.boolean(),
        waits: z.boolean().describe('Marks can be entered now.'),
        begun: z.boolean().describe('Some are saved and not submitted, or it is open again.'),
        addedSince: z.int().describe('Questions that were added after the student submitted.'),
        mismatch: z.boolean(),
        ownTotal: z.int().nullable().describe('Of the marks that the student submitted last; null: never.'),
        staffTotal: z.int().nullable(),
        flags,
      }),
    ),
  })
  .describe(
    'What waits for a student: tests of open feedback tasks, and visible ones for which marks can be entered. What is due first comes first.',
  );
export type StudentTasks = Answer<typeof tasks>;

export const studentQueries = {
  'student-home': { input: z.object({ subjectId: id }), answer: home },
  'student-card': { input: z.object({ testId: id }), answer: feedback },
  /** `schemeId`: of the subject; left out: that of the class. */
  'student-topics': { input: z.object({ subjectId: id, schemeId: id.optional() }), answer: topics },
  'grade-graph': { input: z.object({ testId: id, terminalExamId: id }), answer: graph },
  'student-tasks': { input: z.object({}), answer: tasks },
};
