import { reading } from '../../../events/marks/cell.ts';
import { Refused } from '../../common/command.ts';
import { allowedMarks, allowedTotals, questionsOf } from './uploads.commands.ts';
import type { Plan, PlannedStudent } from './upload.rules.ts';
import { repeats } from './upload.rules.ts';
import type { CellChange, MarksFile, TotalsFile, UploadPreview } from './uploads.contract.ts';
import { uploadsQueries } from './uploads.contract.ts';
import { confirmedQuestions } from '../submissions/submission.facts.ts';
import type { MarkFacts } from '../marks.facts.ts';
import { marksFacts, totalsFacts } from '../marks.facts.ts';
import { ProblemError } from '../../common/problems.ts';
import { defineQuery } from '../../common/query.ts';

/** What a totals file would change: the plan that UploadTotals carries out. */
export const previewTotals = defineQuery({
  ...uploadsQueries['preview-totals'],
  models: totalsFacts.models,
  async run(query, input, actor): Promise<UploadPreview> {
    const known = await totalsFacts.load(query, input, actor);
    return shown(allowedTotals(input, known, actor, new Date()), known, input);
  },
});

export const previewMarks = defineQuery({
  ...uploadsQueries['preview-marks'],
  models: marksFacts.models,
  async run(query, input, actor): Promise<UploadPreview> {
    const known = await marksFacts.load(query, input, actor);
    const questionIds = questionsOf(known, input.testId);
    const plan = allowedMarks(input, known, actor, new Date());
    const own = await confirmedQuestions.load(query, input, actor);
    return shown(plan, known, input, questionIds, (student) =>
      blanksOf(student, input.testId, questionIds, known).filter(
        (column) => !own.get(student.student.studentId)?.includes(questionIds[column] ?? ''),
      ),
    );
  },
});

/** @throws ProblemError where the upload itself would be refused */
const shown = (
  plan: Plan | Refused,
  known: MarkFacts,
  { satOn }: TotalsFile | MarksFile,
  questionIds: readonly string[] = [],
  blanksIn: (student: PlannedStudent) => readonly number[] = () => [],
): UploadPreview => {
  if (plan instanceof Refused) throw new ProblemError(plan.code, plan.title, { errors: plan.errors });
  const counts: Record<CellChange, number> = { equal: 0, new: 0, replaced: 0, contested: 0 };
  const students = plan.students.map((planned) => {
    const blanks = blanksIn(planned);
    return {
      ...planned.student,
      setName: known.sets.get(planned.student.setId)?.name ?? '',
      cells: planned.cells.map(({ column, is, now, change }) => {
        counts[change] += 1;
        return { column, is, now, change };
      }),
      ...(blanks.length > 0 ? { blanks: { row: planned.row, columns: [...blanks] } } : {}),
    };
  });
  return { students, unmatched: plan.unmatched, counts, repeats: repeats(plan, known, { satOn }), questionIds };
};

/** Columns that would have no mark after the upload, of a student who sat the assessment and would have some. */
const blanksOf = (
  { student: { studentId }, cells }: PlannedStudent,
  testId: string,
  questionIds: readonly string[],
  known: MarkFacts,
): readonly number[] => {
  const attendance = reading(known.cell({ kind: 'attendance', testId }, studentId));
  if (attendance.state !== 'empty' && attendance.value !== 'sat') return [];
  const inFile = new Set(cells.map(({ column }) => column));
  const isEmpty = (questionId: string): boolean => {
    const stored = reading(known.cell({ kind: 'mark', testId, questionId }, studentId));
    return stored.state === 'empty' || stored.value === 'cleared';
  };
  const blanks = questionIds.flatMap((questionId, column) => (!inFile.has(column) && isEmpty(questionId) ? [column] : []));
  return blanks.length === questionIds.length ? [] : blanks;
};
