import { reading } from '../../../events/marks/cell.ts';
import type { Actor } from '../../actor.ts';
import { mayWriteSet } from '../../actor.ts';
import { Refused } from '../../common/command.ts';
import type { RunSql } from '../../common/facts.ts';
import { allowedMarks, allowedTotals, questionsOf } from './uploads.commands.ts';
import type { Plan, PlannedStudent } from './upload.rules.ts';
import { repeats } from './upload.rules.ts';
import type { CellChange, MarksFile, TotalsFile, UploadDoubts, UploadPreview } from './uploads.contract.ts';
import { uploadsQueries } from './uploads.contract.ts';
import { confirmedQuestions } from '../submissions/submission.facts.ts';
import type { MarkFacts } from '../marks.facts.ts';
import { marksFacts, totalsFacts } from '../marks.facts.ts';
import { asPart, cases, studentDoubts } from '../../students/plausible.rules.ts';
import { admissionKey, onRoll } from '../../students/students.facts.ts';
import { otherSums } from './sums.rules.ts';
import { ProblemError } from '../../common/problems.ts';
import { defineQuery } from '../../common/query.ts';

/** What a totals file would change: the plan that UploadTotals carries out. */
export const previewTotals = defineQuery({
  largest: 'upload',
  ...uploadsQueries['preview-totals'],
  models: totalsFacts.models,
  async run(query, input, actor): Promise<UploadPreview> {
    const facts = await totalsFacts.load(query, input, actor);
    const plan = allowed(allowedTotals(input, facts, actor, new Date()));
    return { ...shown(plan, facts, input), ...asPart(await doubtsOf(query, plan, facts, input, actor)) };
  },
});

export const previewMarks = defineQuery({
  largest: 'upload',
  ...uploadsQueries['preview-marks'],
  models: marksFacts.models,
  async run(query, input, actor): Promise<UploadPreview> {
    const facts = await marksFacts.load(query, input, actor);
    const questionIds = questionsOf(facts, input.testId);
    const plan = allowed(allowedMarks(input, facts, actor, new Date()));
    const confirmed = await confirmedQuestions.load(query, input, actor);
    const preview = shown(plan, facts, input, questionIds, (student) =>
      blanksOf(student, input.testId, questionIds, facts).filter(
        (column) => !confirmed.get(student.student.studentId)?.includes(questionIds[column] ?? ''),
      ),
    );
    return { ...preview, ...asPart(await doubtsOf(query, plan, facts, input, actor, new Set(input.setIds))) };
  },
});

/** @throws ProblemError where the upload itself would be refused */
const allowed = (plan: Plan | Refused): Plan => {
  if (plan instanceof Refused) throw new ProblemError(plan.code, plan.title, { errors: plan.errors });
  return plan;
};

const shown = (
  plan: Plan,
  facts: MarkFacts,
  { satOn }: TotalsFile | MarksFile,
  questionIds: readonly string[] = [],
  blanksIn: (student: PlannedStudent) => readonly number[] = () => [],
): UploadPreview => {
  const counts: Record<CellChange, number> = { equal: 0, new: 0, replaced: 0, contested: 0 };
  const students = plan.students.map((planned) => {
    const blanks = blanksIn(planned);
    return {
      ...planned.student,
      setName: facts.sets.get(planned.student.setId)?.name ?? '',
      cells: planned.cells.map(({ column, is, now, change }) => {
        counts[change] += 1;
        return { column, is, now, change };
      }),
      ...(blanks.length > 0 ? { blanks: { row: planned.row, columns: [...blanks] } } : {}),
    };
  });
  return { students, unmatched: plan.unmatched, counts, repeats: repeats(plan, facts, { satOn }), questionIds };
};

/** What looks wrong, in what would be stored. `setIds`: those that the file is for. */
const doubtsOf = async (
  query: RunSql,
  plan: Plan,
  facts: MarkFacts,
  { subjectId, rows, satOn }: TotalsFile | MarksFile,
  actor: Actor,
  setIds?: ReadonlySet<string>,
): Promise<UploadDoubts> => {
  const stored = new Set(repeats(plan, facts, { satOn }) ? [] : plan.students.filter(({ cells }) => cells.length > 0));
  // Nobody learns from it the name of somebody whose marks they may not enter.
  const mayBeMeant = ({ setId }: { readonly setId: string }) => (setIds?.has(setId) ?? true) && mayWriteSet(actor, { setId, subjectId });
  // Somebody of another group, or off roll, is somebody, whose StudentID is right.
  const unknown = plan.unmatched.filter(({ admissionNo, offRoll }) => !offRoll && !facts.byAdmissionKey.has(admissionKey(admissionNo)));
  const candidates = unknown.length > 0 ? (await onRoll(query, subjectId)).filter(mayBeMeant) : [];
  const sums = cases(otherSums([...stored], facts));
  return {
    ...studentDoubts({
      identified: plan.students.map((planned) => ({
        row: { admissionNo: planned.student.admissionNo, name: rows[planned.row]?.name ?? '' },
        student: planned.student,
        isStored: stored.has(planned),
      })),
      unknown,
      candidates,
    }),
    ...(sums && { sums }),
  };
};

/** Columns that would have no mark after the upload, of a student who sat the assessment and would have some. */
const blanksOf = (
  { student: { studentId }, cells }: PlannedStudent,
  testId: string,
  questionIds: readonly string[],
  facts: MarkFacts,
): readonly number[] => {
  const attendance = reading(facts.cell({ kind: 'attendance', testId }, studentId));
  if (attendance.state !== 'empty' && attendance.value !== 'sat') return [];
  const inFile = new Set(cells.map(({ column }) => column));
  const isEmpty = (questionId: string): boolean => {
    const stored = reading(facts.cell({ kind: 'mark', testId, questionId }, studentId));
    return stored.state === 'empty' || stored.value === 'cleared';
  };
  const blanks = questionIds.flatMap((questionId, column) => (!inFile.has(column) && isEmpty(questionId) ? [column] : []));
  return blanks.length === questionIds.length ? [] : blanks;
};
