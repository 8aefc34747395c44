import type { MarkChange } from '../../../events/codec/columnar.ts';
import { toColumns } from '../../../events/codec/columnar.ts';
import { entry } from '../../../events/marks/entry.ts';
import type { RecordedEvent } from '../../../events/registry.ts';
import type { MarksFile, TotalsFile, Uploaded } from './uploads.contract.ts';
import { messages } from '../../contract/limits.ts';
import { wrongDaySat } from '../../contract/rules.ts';
import { uploadsCommands } from './uploads.contract.ts';
import type { MarkFacts } from '../marks.facts.ts';
import { marksFacts, totalsFacts } from '../marks.facts.ts';
import type { Actor } from '../../actor.ts';
import type { Context, Refused } from '../../common/command.ts';
import { command, refuse, refuseInput } from '../../common/command.ts';
import { changedCells, touched } from '../entry.commands.ts';
import type { Plan } from './upload.rules.ts';
import { changesOf, planUpload, refuseForeignStudents } from './upload.rules.ts';

/** Uploads totals, all or nothing. The column `Test n` of the file is the n-th test chosen for the student's class. */
export const UploadTotals = command({
  largest: 'upload',
  ...uploadsCommands.UploadTotals,
  aggregate: entry,
  streamId: (_input, { newId }) => newId('entry'),
  facts: totalsFacts,
  decide(input, _state, facts, { actor, newId, at }) {
    const plan = allowedTotals(input, facts, actor, at);
    if (!('students' in plan)) return plan;
    const changes = changesOf(plan, input, facts, newId('entry'));
    if (changes.length === 0) return [];
    return [{ type: 'TotalsUploaded', data: uploadData(input, changes) }];
  },
  touches: (_input, facts, decided) => touched(facts, decided),
  answer: (input, events, facts, context) => uploaded(planTotals(input, facts), facts, events, context),
});

/** Uploads question marks of one test, all or nothing. The column `Qn` of the file is question n. */
export const UploadMarks = command({
  largest: 'upload',
  ...uploadsCommands.UploadMarks,
  aggregate: entry,
  streamId: (_input, { newId }) => newId('entry'),
  facts: marksFacts,
  decide(input, _state, facts, { actor, newId, at }) {
    if (input.questionIds && questionsOf(facts, input.testId).join() !== input.questionIds.join()) {
      return refuse('precondition-failed', 'The questions of this assessment were changed since you checked the file. Check it again.');
    }
    const plan = allowedMarks(input, facts, actor, at);
    if (!('students' in plan)) return plan;
    const changes = changesOf(plan, input, facts, newId('entry'));
    if (changes.length === 0) return [];
    return [{ type: 'MarksUploaded', data: uploadData(input, changes) }];
  },
  touches: (_input, facts, decided) => touched(facts, decided),
  answer: (input, events, facts, context) => uploaded(planMarks(input, facts), facts, events, context),
});

const uploadData = (
  { subjectId, fileName, satOn }: (TotalsFile | MarksFile) & { readonly fileName: string },
  changes: readonly MarkChange[],
) => ({
  subjectId,
  marks: toColumns(changes),
  about: { fileName },
  ...(satOn === undefined ? {} : { satOn }),
});

/** Refuses a day on which nothing can have been sat. */
const refuseDay = ({ satOn }: TotalsFile | MarksFile, at: Date): Refused | undefined => {
  const wrong = satOn === undefined ? undefined : wrongDaySat(satOn, at);
  return wrong === undefined ? undefined : refuseInput('satOn', wrong);
};

/** The plan of an upload, or why the file is refused: shared by the preview and the command. `at`: the time of the request. */
export const allowedTotals = (input: TotalsFile, facts: MarkFacts, actor: Actor, at: Date): Plan | Refused => {
  const wrongDay = refuseDay(input, at);
  if (wrongDay) return wrongDay;
  const plan = planTotals(input, facts);
  if (!('students' in plan)) return plan;
  const chosen = new Set(input.classes.map(({ setId }) => setId));
  const unchosen = plan.students.find(({ student }) => !chosen.has(student.setId));
  return (
    refuseForeignStudents(plan, facts, actor) ??
    (unchosen ? refuseInput('classes', `Select the tests of ${facts.sets.get(unchosen.student.setId)?.name ?? 'each class'} first.`) : plan)
  );
};

/** The questions of an assessment in the order of their numbers: the columns of a marks file. */
export const questionsOf = ({ tests }: MarkFacts, testId: string): readonly string[] =>
  (tests.get(testId)?.questions ?? []).toSorted((a, b) => a.number - b.number).map(({ questionId }) => questionId);

export const allowedMarks = (input: MarksFile, facts: MarkFacts, actor: Actor, at: Date): Plan | Refused => {
  const wrongDay = refuseDay(input, at);
  if (wrongDay) return wrongDay;
  const plan = planMarks(input, facts);
  return 'students' in plan ? (refuseForeignStudents(plan, facts, actor) ?? plan) : plan;
};

/** One plan per file and facts: the decision and its answer share it, because making it twice takes long for a large file. */
const madeOnce = <File extends object>(plan: (file: File, facts: MarkFacts) => Plan | Refused): typeof plan => {
  const made = new WeakMap<File, { readonly facts: MarkFacts; readonly plan: Plan | Refused }>();
  return (file, facts) => {
    const before = made.get(file);
    if (before?.facts === facts) return before.plan;
    const now = plan(file, facts);
    made.set(file, { facts, plan: now });
    return now;
  };
};

const planTotals = madeOnce((input: TotalsFile, facts: MarkFacts): Plan | Refused => {
  const tests = new Map(input.classes.map(({ setId, testIds }) => [setId, testIds]));
  for (const [at, { setId, testIds }] of input.classes.entries()) {
    if (!facts.sets.has(setId)) return refuseInput(`classes.${at}.setId`, 'There is no such class in this subject.');
    if (input.classes.findIndex((other) => other.setId === setId) !== at)
      return refuseInput(`classes.${at}.setId`, 'Each class can be listed only once.');
    for (const [column, testId] of testIds.entries()) {
      const wrong = unusable(facts, testId);
      if (wrong) return refuseInput(`classes.${at}.testIds.${column}`, wrong);
      if (testIds.indexOf(testId) !== column)
        return refuseInput(`classes.${at}.testIds.${column}`, 'Each test can be chosen once per class.');
    }
  }
  const rows = input.rows.map(({ admissionNo, name, totals }) => ({ admissionNo, name, values: totals }));
  return planUpload(
    rows,
    (setId, column) => {
      const testId = tests.get(setId)?.[column];
      const max = testId === undefined ? null : (facts.tests.get(testId)?.max ?? null);
      return testId === undefined || max === null ? undefined : { cell: { kind: 'total', testId }, max, label: `Test ${column + 1}` };
    },
    facts,
    undefined,
    messages.exceedsMaximum,
  );
});

const planMarks = madeOnce((input: MarksFile, facts: MarkFacts): Plan | Refused => {
  const wrong = unusable(facts, input.testId);
  if (wrong) return refuseInput('testId', wrong);
  const unknownSet = input.setIds.findIndex((setId) => !facts.sets.has(setId));
  if (unknownSet >= 0) return refuseInput(`setIds.${unknownSet}`, 'There is no such class in this subject.');
  const questions = new Map(facts.tests.get(input.testId)?.questions.map((question) => [question.number, question]));
  for (const [index, { marks, away }] of input.rows.entries()) {
    if (away && marks.some((mark) => mark !== null)) return refuseInput(`rows.${index}.away`, 'A student who was away has no marks.');
    const beyond = marks.findIndex((mark, column) => mark !== null && !questions.has(column + 1));
    if (beyond >= 0)
      return refuseInput(
        `rows.${index}.marks.${beyond}`,
        `The file has marks for Q${beyond + 1}, but this assessment has ${questions.size} questions.`,
      );
  }
  const rows = input.rows.map(({ admissionNo, name, marks, away }) => ({ admissionNo, name, values: away ? [away] : marks }));
  return planUpload(
    rows,
    (_setId, column) => {
      const question = questions.get(column + 1);
      return (
        question && {
          cell: { kind: 'mark', testId: input.testId, questionId: question.questionId },
          max: question.marksAvailable,
          label: `Q${column + 1}`,
        }
      );
    },
    facts,
    new Set(input.setIds),
    (columns) => `There are marks above the maximum on ${columns.join(',')}. Nothing was uploaded.`,
  );
});

/** Whether the file's rows are matched as when it was stored: to the students of the event, each with marks, and every mark is in it. */
const isStillPlanned = (plan: Plan | Refused, events: readonly RecordedEvent[]): boolean => {
  if (!('students' in plan)) return false;
  const marks = events.flatMap((event) => ('marks' in event.data ? [event.data.marks] : []));
  const stored = new Set(marks.flatMap(({ students }) => students));
  const planned = plan.students.reduce((sum, { cells }) => sum + cells.length, 0);
  return (
    plan.students.length === stored.size &&
    plan.students.every(({ student, cells }) => cells.length > 0 && stored.has(student.studentId)) &&
    planned === marks.reduce((sum, { is }) => sum + changedCells(is), 0)
  );
};

const unusable = ({ tests }: MarkFacts, testId: string): string | undefined => {
  const test = tests.get(testId);
  if (!test) return 'There is no such assessment in this subject.';
  return test.max === null ? `${test.name} has no questions yet. Add them first: the maximum mark is their sum.` : undefined;
};

const uploaded = (
  plan: Plan | Refused,
  { uploads }: MarkFacts,
  events: readonly RecordedEvent[],
  { newId, commandId, repeated }: Context,
): Uploaded => {
  const written = events.reduce((sum, event) => sum + ('marks' in event.data ? changedCells(event.data.marks.is) : 0), 0);
  const cells = 'students' in plan ? plan.students.flatMap((student) => student.cells) : [];
  // When a command is repeated, the cells hold its own values by now, and its upload is known.
  const confirmedThen = uploads.find((upload) => upload.commandId === commandId)?.confirmed;
  const confirmed = written === 0 ? 0 : (confirmedThen ?? cells.filter(({ change }) => change === 'equal').length);
  const counts = { entryId: newId('entry'), commandId, stored: written - confirmed, confirmed };
  if (repeated && !isStillPlanned(plan, events)) return { ...counts, unchanged: 0, unmatched: [], leftOut: ['unchanged', 'unmatched'] };
  return {
    ...counts,
    unchanged: Math.max(0, cells.length - written),
    unmatched: 'students' in plan ? plan.unmatched : [],
  };
};
